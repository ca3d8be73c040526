// Replaces a piece of a text file that is named by its content, in codelab and agent alike.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { editResult } from './edit-result.ts';
import { pieceInput } from './piece-input.ts';

export function editFile(paths: PathSpelling): WireTool {
  return {
    name: 'edit_file',
    tool: 'edit_file',
    input: () => z.strictObject({ path: z.string(), ...pieceInput(), tolerant: z.optional(z.boolean()) }),
    toCore: (args) => ({ ...args, path: paths.toCore(args.path as string) }),
    toWire: editResult,
  };
}
