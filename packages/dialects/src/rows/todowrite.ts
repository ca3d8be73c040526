// Replaces the list of things to do, in codelab and coder alike. What an item holds is the tool's business.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';

export const todowrite: WireTool = {
  name: 'todowrite',
  tool: 'todowrite',
  input: () => z.strictObject({ todos: z.array(z.record(z.string(), z.unknown())) }),
  toCore: (args) => args,
  toWire: ({ session_id, items, count, in_progress }) => ({ session_id, items, count, in_progress }),
};
