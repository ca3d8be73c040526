// Shows a diff to a human, who takes some of its chunks; nothing is written.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { present } from '../write/present.ts';

export const applyPatchReview: WireTool = {
  name: 'apply_patch_review',
  tool: 'apply_patch_review',
  input: () => z.strictObject({ diff: z.string(), message: z.optional(z.string()) }),
  toCore: (args) => args,
  toWire: ({ filtered_diff, action, chunks_selected, chunks_total }) =>
    present({ filtered_diff, action, chunks_selected, chunks_total }),
};
