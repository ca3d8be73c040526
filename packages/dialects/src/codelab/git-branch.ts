// Lists, creates, switches to and deletes branches.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { present } from '../write/present.ts';

export const gitBranch: WireTool = {
  name: 'git.branch',
  tool: 'git.branch',
  input: () =>
    z.strictObject({
      action: z.optional(z.string()),
      name: z.optional(z.string()),
      from: z.optional(z.string()),
    }),
  toCore: (args) => args,
  toWire: ({ current, ...data }) => present({ current: current ?? undefined, ...data }),
};
