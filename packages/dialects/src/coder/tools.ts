// Seed 003's file tools: reading by pages of lines, writing with a diff, one directory at a time.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { positive } from '../rows/positive.ts';
import { skill } from '../rows/skill.ts';
import { spelledEntries } from '../rows/spelled-entries.ts';
import { todoread } from '../rows/todoread.ts';
import { todowrite } from '../rows/todowrite.ts';
import { present } from '../write/present.ts';
import { bash } from './bash.ts';
import { edit } from './edit.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { patch } from './patch.ts';
import { task } from './task.ts';

const pageLines = 50;
const maxPageLines = 200;

const read: WireTool = {
  name: 'read',
  tool: 'read_file',
  input: () => z.strictObject({ path: z.string(), offset: z.optional(z.int()), limit: z.optional(z.int()) }),
  toCore({ path, offset, limit }) {
    const lines = positive(limit) ?? pageLines;
    return { path, start_line: positive(offset) ?? 1, max_lines: Math.min(lines, maxPageLines) };
  },
  toWire: ({ content, start_line, end_line, has_more }, { path }) =>
    present({ path, content, start_line, end_line, has_more }),
};

const write: WireTool = {
  name: 'write',
  tool: 'write_file',
  input: () =>
    z.strictObject({ path: z.string(), content: z.string(), keep_line_endings: z.optional(z.boolean()) }),
  toCore: (args) => args,
  toWire: ({ operation, bytes_written, additions, deletions, diff }, { path }) => ({
    path,
    operation,
    size: bytes_written,
    additions,
    deletions,
    diff,
  }),
};

const list: WireTool = {
  name: 'list',
  tool: 'list_files',
  input: () => z.strictObject({ path: z.optional(z.string()) }),
  toCore: ({ path }) => ({ path: path || '.', include_hidden: true }),
  toWire: (data, asked) =>
    present({
      path: asked.path ?? '.',
      items: spelledEntries(data, asked).map(({ name, path, type, size }) => ({
        name,
        path,
        is_dir: type === 'directory',
        size_bytes: size ?? 0,
      })),
      truncated: data.truncated === true ? true : undefined,
    }),
};

export const tools: readonly WireTool[] = [
  read,
  write,
  edit,
  patch,
  list,
  glob,
  grep,
  bash,
  todoread,
  todowrite,
  skill,
  task,
];
