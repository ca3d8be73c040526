// Shows what changed as a unified diff, in codelab and agent alike.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { present } from '../write/present.ts';

export function gitDiff(paths: PathSpelling): WireTool {
  return {
    name: 'git.diff',
    tool: 'git.diff',
    input: () => z.strictObject({ path: z.optional(z.string()), staged: z.optional(z.boolean()) }),
    toCore: (args) =>
      present({ ...args, path: typeof args.path === 'string' ? paths.toCore(args.path) : undefined }),
    toWire: ({ diff, lossy, left_out }) =>
      present({ diff, lossy: lossy === true ? lossy : undefined, left_out }),
  };
}
