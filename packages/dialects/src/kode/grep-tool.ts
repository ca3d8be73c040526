// The files in which a pattern matches, newest first, at most a hundred of them.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { present } from '../write/present.ts';
import { failureText } from './failure-text.ts';

const maxFiles = 100;

export function grepTool(paths: PathSpelling): WireTool {
  return {
    name: 'GrepTool',
    tool: 'search_in_project',
    input: () =>
      z.strictObject({
        pattern: z.string(),
        path: z.optional(z.string()),
        include: z.optional(z.string()),
      }),
    names: { pattern: 'query', include: 'file_pattern' },
    toCore: ({ pattern, path, include }) =>
      present({
        query: pattern,
        path: typeof path === 'string' ? paths.toCore(path) : undefined,
        file_pattern: include,
        regex: true,
        files_only: true,
        max_results: maxFiles,
      }),
    toWire: (data) => ({
      durationMs: data.duration_ms,
      numFiles: data.total,
      filenames: (data.files as { path: string }[]).map((file) => paths.like(file.path, '/')),
    }),
    failed: failureText,
  };
}
