// Seed 002's file tools: a file's text is the output itself, facts about it stand in the metadata.
import * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import { checkEncoding } from '../rows/check-encoding.ts';
import { spelledEntries } from '../rows/spelled-entries.ts';
import { present } from '../write/present.ts';
import { executeCommand } from './execute-command.ts';

const readFile: WireTool = {
  name: 'read_file',
  tool: 'read_file',
  input: () => z.strictObject({ path: z.string(), encoding: z.optional(z.string()) }),
  toCore({ path, encoding }) {
    checkEncoding(encoding);
    return { path };
  },
  toWire: ({ content }) => content as string,
  metadata: ({ size, encoding }) => ({ size_bytes: size, encoding }),
};

const writeFile: WireTool = {
  name: 'write_file',
  tool: 'write_file',
  input: () =>
    z.strictObject({
      path: z.string(),
      content: z.string(),
      encoding: z.optional(z.string()),
      createIfMissing: z.optional(z.boolean()),
      keep_line_endings: z.optional(z.boolean()),
    }),
  toCore({ path, content, encoding, createIfMissing = true, keep_line_endings }) {
    checkEncoding(encoding);
    return present({
      path,
      content,
      create: createIfMissing,
      create_parents: false,
      keep_line_endings,
    });
  },
  toWire: ({ bytes_written }, { path }) => ({ path, size_bytes: bytes_written }),
  metadata: ({ operation, bytes_written }) => ({
    created: operation === 'created',
    size_bytes: bytes_written,
    encoding: 'utf-8',
  }),
};

const listDirectory: WireTool = {
  name: 'list_directory',
  tool: 'list_files',
  input: () =>
    z.strictObject({
      path: z.string(),
      recursive: z.optional(z.boolean()),
      pattern: z.optional(z.string()),
    }),
  // One directory is shown with its hidden names; below all of them `.git` alone would fill the answer.
  toCore: ({ path, recursive = false, pattern }) =>
    present({ path, recursive, pattern, include_hidden: !recursive }),
  toWire: (data, asked) => ({ path: asked.path, entries: entriesOf(data, asked), total_count: data.total }),
  metadata: ({ total, truncated }, { recursive = false }) =>
    present({ total_count: total, recursive, truncated: truncated === true ? true : undefined }),
};

function entriesOf(data: Json, asked: Json): Json[] {
  return spelledEntries(data, asked).map(({ name, path, type }) => ({
    name,
    type: type === 'directory' ? 'directory' : 'file',
    path,
  }));
}

export const tools: readonly WireTool[] = [readFile, writeFile, listDirectory, executeCommand];
