// Applies a unified diff, all of it or nothing, in codelab and agent alike.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';

type PatchedFile = { path: string; operation: string; from?: string };

export const applyPatch: WireTool = {
  name: 'apply_patch',
  tool: 'apply_patch',
  input: () => z.strictObject({ diff: z.string(), strict: z.optional(z.boolean()) }),
  toCore: (args) => args,
  toWire: ({ files }) => ({
    success: true,
    files_modified: (files as PatchedFile[]).flatMap(({ path, operation, from }) =>
      operation === 'rename' && from !== undefined ? [path, from] : [path],
    ),
  }),
};
