// Applies a unified diff, all of it or nothing, in codelab and agent alike.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';

export const applyPatch: WireTool = {
  name: 'apply_patch',
  tool: 'apply_patch',
  input: () => z.strictObject({ diff: z.string() }),
  toCore: (args) => args,
  toWire: ({ files }) => ({
    success: true,
    files_modified: (files as { path: string }[]).map(({ path }) => path),
  }),
};
