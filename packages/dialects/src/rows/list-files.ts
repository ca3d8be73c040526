// Lists a directory; codelab and agent differ in what an entry tells.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { present } from '../write/present.ts';
import { spelledEntries } from './spelled-entries.ts';

export function listFiles(paths: PathSpelling, options: { showsModified: boolean }): WireTool {
  return {
    name: 'list_files',
    tool: 'list_files',
    input: () =>
      z.strictObject({
        path: z.optional(z.string()),
        recursive: z.optional(z.boolean()),
        pattern: z.optional(z.string()),
        include_hidden: z.optional(z.boolean()),
        max_entries: z.optional(z.int().check(z.positive())),
      }),
    toCore: (args) =>
      present({ ...args, path: typeof args.path === 'string' ? paths.toCore(args.path) : undefined }),
    toWire: (data, asked) => ({
      path: asked.path ?? '.',
      files: spelledEntries(data, asked).map(({ modified, ...entry }) =>
        present({ ...entry, modified: options.showsModified ? modified : undefined }),
      ),
      total: data.total,
      truncated: data.truncated,
    }),
  };
}
