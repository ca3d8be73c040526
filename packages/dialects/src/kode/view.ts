// Reads a text file, whole or a page of its lines.
import * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { positive } from '../rows/positive.ts';
import { present } from '../write/present.ts';
import { failureText } from './failure-text.ts';

export function view(paths: PathSpelling): WireTool {
  return {
    name: 'View',
    tool: 'read_file',
    input: () =>
      z.strictObject({ file_path: z.string(), offset: z.optional(z.int()), limit: z.optional(z.int()) }),
    names: { file_path: 'path', offset: 'start_line', limit: 'max_lines' },
    toCore: ({ file_path, offset, limit }) =>
      present({
        path: paths.toCore(file_path as string),
        start_line: offset === undefined ? undefined : (positive(offset) ?? 1),
        max_lines: positive(limit),
      }),
    toWire: (data, { file_path }) => ({
      type: 'text',
      file: present({ filePath: file_path, content: data.content, ...linesOf(data) }),
    }),
    failed: failureText,
  };
}

// How many lines there are is known only when the last of them was read.
function linesOf(data: Json): Json {
  if (data.start_line === undefined) {
    const lines = countLines(data.content as string);
    return { numLines: lines, startLine: 1, totalLines: lines };
  }
  const { start_line, end_line, has_more } = data as Record<'start_line' | 'end_line', number> & Json;
  const isEnd = has_more === false && end_line > 0;
  return {
    numLines: end_line === 0 ? 0 : end_line - start_line + 1,
    startLine: start_line,
    totalLines: isEnd ? end_line : undefined,
  };
}

function countLines(text: string): number {
  return text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0);
}
