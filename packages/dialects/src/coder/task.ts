// Hands work to a sub-agent. That it went well is said by the answer's own `ok`; only that it did not is said here.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { present } from '../write/present.ts';

export const task: WireTool = {
  name: 'task',
  tool: 'task',
  input: () => z.strictObject({ agent: z.string(), objective: z.string() }),
  toCore: (args) => args,
  toWire: ({ ok, agent, summary }) => present({ ok: ok === false ? false : undefined, agent, summary }),
};
