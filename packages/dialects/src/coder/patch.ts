// Applies a unified diff, or with dry_run only says what it would do; every file with what happens to it.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';

export const patch: WireTool = {
  name: 'patch',
  tool: 'apply_patch',
  input: () => z.strictObject({ patch: z.string(), dry_run: z.optional(z.boolean()) }),
  names: { patch: 'diff' },
  toCore: ({ patch: diff, ...rest }) => ({ diff, ...rest }),
  // The seed says `results`, the Go code `files`.
  toWire: ({ applied, files }) => ({ applied, results: files, files }),
};
