// Several replacements in one text file, each in the result of the one before, in codelab and agent alike.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { editResult } from './edit-result.ts';
import { pieceInput } from './piece-input.ts';

export function multiEdit(paths: PathSpelling): WireTool {
  return {
    name: 'multi_edit',
    tool: 'multi_edit',
    input: () =>
      z.strictObject({
        path: z.string(),
        edits: z.array(z.strictObject(pieceInput())).check(z.minLength(1)),
        tolerant: z.optional(z.boolean()),
      }),
    toCore: (args) => ({ ...args, path: paths.toCore(args.path as string) }),
    toWire: editResult,
  };
}
