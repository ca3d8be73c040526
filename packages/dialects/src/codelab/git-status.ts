// Shows the branch and the files that changed.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { present } from '../write/present.ts';

export const gitStatus: WireTool = {
  name: 'git.status',
  tool: 'git.status',
  input: () => z.strictObject({ path: z.optional(z.string()) }),
  toCore: (args) => args,
  toWire: ({ branch, upstream, ahead, behind, clean, entries, total, truncated }) =>
    present({
      branch: branch ?? undefined,
      upstream,
      ahead,
      behind,
      clean,
      entries,
      ...(truncated === true ? { total, truncated } : {}),
    }),
};
