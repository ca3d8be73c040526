// Searches the contents of files; codelab and agent call the tool and the parts of a match differently.
import * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { present } from '../write/present.ts';
import { spelledPlace } from './spelled-place.ts';

export type WireMatch = { file: string; line: number; column: number; text: string; match: string };

type Spelling = { name: string; match(match: WireMatch): Json; total: string };

export function search(paths: PathSpelling, spelling: Spelling): WireTool {
  return {
    name: spelling.name,
    tool: 'search_in_project',
    input: () =>
      z.strictObject({
        query: z.string(),
        path: z.optional(z.string()),
        case_sensitive: z.optional(z.boolean()),
        regex: z.optional(z.boolean()),
        file_pattern: z.optional(z.string()),
        max_results: z.optional(z.int()),
      }),
    toCore: (args) =>
      present({ ...args, path: typeof args.path === 'string' ? paths.toCore(args.path) : undefined }),
    toWire(data, asked) {
      const place = spelledPlace(data, asked);
      const matches = (data.matches as WireMatch[]).map((one) =>
        spelling.match({ ...one, file: place(one.file) }),
      );
      return { query: data.query, matches, [spelling.total]: data.total, truncated: data.truncated };
    },
  };
}
