// Makes a directory, in codelab and agent alike.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';

export function createDirectory(paths: PathSpelling): WireTool {
  return {
    name: 'create_directory',
    tool: 'create_directory',
    input: () => z.strictObject({ path: z.string(), recursive: z.optional(z.boolean()) }),
    toCore: (args) => ({ ...args, path: paths.toCore(args.path as string) }),
    toWire: (data, asked) => ({ path: asked.path, created: data.created }),
  };
}
