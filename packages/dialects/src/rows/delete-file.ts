// Removes a file or directory into the quarantine, in codelab and agent alike.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';

export function deleteFile(paths: PathSpelling): WireTool {
  return {
    name: 'delete_file',
    tool: 'delete_file',
    input: () => z.strictObject({ path: z.string(), recursive: z.optional(z.boolean()) }),
    toCore: (args) => ({ ...args, path: paths.toCore(args.path as string) }),
    toWire: (data, asked) => ({ ...data, path: asked.path }),
  };
}
