// Takes back what a call or a turn changed.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';

export const undo: WireTool = {
  name: 'undo',
  tool: 'undo',
  input: () =>
    z.strictObject({
      session: z.optional(z.string()),
      call_id: z.optional(z.string()),
      turn: z.optional(z.int().check(z.positive())),
      paths: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(1000))),
      force: z.optional(z.boolean()),
    }),
  toCore: (args) => args,
  toWire: ({ taken_back, refused }) => ({ taken_back, refused }),
};
