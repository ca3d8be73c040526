// Hands work to a sub-agent; it is there only where an agent is at work.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';

export const task: WireTool = {
  name: 'task',
  tool: 'task',
  input: () => z.strictObject({ agent: z.string(), objective: z.string() }),
  toCore: (args) => args,
  toWire: ({ ok, agent, summary }) => ({ ok, agent, summary }),
};
