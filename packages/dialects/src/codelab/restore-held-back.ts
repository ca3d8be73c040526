// Brings back what was held back after a command that nobody was asked about.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';

export const restoreHeldBack: WireTool = {
  name: 'restore_held_back',
  tool: 'restore_held_back',
  input: () =>
    z.strictObject({
      call_id: z.string(),
      session: z.optional(z.string()),
      paths: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(1000))),
    }),
  toCore: (args) => args,
  toWire: ({ call_id, restored }) => ({ call_id, restored }),
};
