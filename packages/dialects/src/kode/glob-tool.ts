// The files whose paths fit a glob, newest first, at most a hundred of them.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { present } from '../write/present.ts';
import { failureText } from './failure-text.ts';

const maxFiles = 100;

export function globTool(paths: PathSpelling): WireTool {
  return {
    name: 'GlobTool',
    tool: 'find_files',
    input: () => z.strictObject({ pattern: z.string(), path: z.optional(z.string()) }),
    toCore: ({ pattern, path }) =>
      present({
        pattern,
        path: typeof path === 'string' ? paths.toCore(path) : undefined,
        order: 'newest',
        max_results: maxFiles,
      }),
    toWire(data) {
      const filenames = (data.files as string[]).map((path) => paths.like(path, '/'));
      return {
        durationMs: data.duration_ms,
        numFiles: filenames.length,
        filenames,
        truncated: data.truncated,
      };
    },
    failed: failureText,
  };
}
