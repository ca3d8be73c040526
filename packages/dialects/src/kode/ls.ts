// The tree below a directory, as text: a line per name, two blanks per level.
import * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';

type Entry = { name: string; path: string; type: string };

export function ls(paths: PathSpelling): WireTool {
  return {
    name: 'LS',
    tool: 'list_files',
    input: () => z.strictObject({ path: z.string() }),
    toCore: ({ path }) => ({ path: paths.toCore(path as string), recursive: true }),
    toWire: (data, { path }) => treeText(data, path as string),
  };
}

function treeText(data: Json, asked: string): string {
  const entries = data.entries as Entry[];
  const depth = data.path === '.' ? 0 : String(data.path).split('/').length;
  const lines = entries.map(({ name, path, type }) => {
    const indent = '  '.repeat(path.split('/').length - depth);
    return `${indent}- ${name}${type === 'directory' ? '/' : ''}`;
  });
  const more = data.truncated === true ? [`[cut after ${entries.length} entries]`] : [];
  return [`- ${asked.replace(/\/+$/, '')}/`, ...lines, ...more].join('\n');
}
