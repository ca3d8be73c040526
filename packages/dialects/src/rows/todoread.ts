// Reads the list of things to do, in codelab and coder alike.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';

export const todoread: WireTool = {
  name: 'todoread',
  tool: 'todoread',
  input: () => z.strictObject({}),
  toCore: () => ({}),
  toWire: ({ session_id, items, count, in_progress }) => ({ session_id, items, count, in_progress }),
};
