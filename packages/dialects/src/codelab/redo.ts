// Makes again what was taken back last.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';

export const redo: WireTool = {
  name: 'redo',
  tool: 'redo',
  input: () => z.strictObject({ session: z.optional(z.string()), force: z.optional(z.boolean()) }),
  toCore: (args) => args,
  toWire: ({ taken_back, refused }) => ({ taken_back, refused }),
};
