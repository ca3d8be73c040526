// Moves a file or directory, in codelab and agent alike.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';

export function moveFile(paths: PathSpelling): WireTool {
  return {
    name: 'move_file',
    tool: 'move_file',
    input: () => z.strictObject({ from: z.string(), to: z.string(), overwrite: z.optional(z.boolean()) }),
    toCore: (args) => ({
      ...args,
      from: paths.toCore(args.from as string),
      to: paths.toCore(args.to as string),
    }),
    toWire: (data, asked) => ({ from: asked.from, to: asked.to, moved: data.moved }),
  };
}
