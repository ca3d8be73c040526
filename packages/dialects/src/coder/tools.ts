// The tools of seed 003: reading by pages of lines, writing with a diff, one directory at a time.
import * as z from 'zod/mini';
import { pieceInput } from '../codelab/edit-tools.ts';
import type { WireMatch } from '../codelab/file-tools.ts';
import { makeLspTools } from '../codelab/lsp-tools.ts';
import { noteTools } from '../codelab/session-tools.ts';
import type { Json, WireTool } from '../dialect.ts';
import { isFolder, spelledEntries, spelledPlace } from '../shared/spelling.ts';
import { positive, present } from '../shared/values.ts';

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
  toWire: (data, wireArgs) =>
    present({
      path: wireArgs.path ?? '.',
      items: spelledEntries(data, wireArgs).map((entry) => ({
        name: entry.name,
        path: entry.path,
        is_dir: isFolder(entry),
        size_bytes: isFolder(entry) ? 0 : (entry.size ?? 0),
      })),
      truncated: data.truncated === true ? true : undefined,
    }),
};

/** Replaces a piece of a text file that is given by its content. */
const edit: WireTool = {
  name: 'edit',
  tool: 'edit_file',
  input: () => z.strictObject({ path: z.string(), ...pieceInput() }),
  toCore: (args) => args,
  toWire: ({ replacements, additions, deletions, diff }, { path }) => ({
    path,
    replacements,
    additions,
    deletions,
    diff,
  }),
};

/** Applies a unified diff, or with dry_run only reports what it would do to each file. */
const patch: WireTool = {
  name: 'patch',
  tool: 'apply_patch',
  input: () => z.strictObject({ patch: z.string(), dry_run: z.optional(z.boolean()) }),
  names: { patch: 'diff' },
  toCore: ({ patch: diff, ...rest }) => ({ diff, ...rest }),
  // The seed says `results`, the Go code says `files`.
  toWire: ({ applied, files }) => ({ applied, results: files, files }),
};

/** The files whose paths match a glob. */
const glob: WireTool = {
  name: 'glob',
  tool: 'find_files',
  input: () => z.strictObject({ pattern: z.string() }),
  toCore: (args) => args,
  toWire: ({ files, truncated }) =>
    present({ matches: files, truncated: truncated === true ? true : undefined }),
};

const defaultMatches = 200;

/** The lines that match a regular expression. */
const grep: WireTool = {
  name: 'grep',
  tool: 'search_in_project',
  input: () =>
    z.strictObject({
      pattern: z.string(),
      path: z.optional(z.string()),
      max_matches: z.optional(z.int()),
    }),
  names: { pattern: 'query', max_matches: 'max_results' },
  toCore: ({ pattern, path, max_matches }) => ({
    query: pattern,
    path: path || '.',
    regex: true,
    case_sensitive: true,
    max_results: positive(max_matches) ?? defaultMatches,
  }),
  toWire(data, wireArgs) {
    const place = spelledPlace(data, wireArgs);
    const matches = (data.matches as WireMatch[]).map(({ file, line, text }) => ({
      path: place(file),
      line,
      text,
    }));
    return present({
      count: matches.length,
      matches,
      truncated: data.truncated === true ? true : undefined,
    });
  },
};

/**
 * Runs a shell line in the workspace's root. `/bin/sh -c`, because a login shell would run the user's profile, which nobody has judged.
 */
const bash: WireTool = {
  name: 'bash',
  tool: 'run_command',
  input: () => z.strictObject({ command: z.string() }),
  toCore: (args) => args,
  toWire: ({ exit_code, stdout, stderr, truncated, duration_ms, held_back, notes }, { command }) => ({
    ...(exit_code === 0 ? {} : { ok: false }),
    command,
    exit_code,
    stdout,
    stderr,
    truncated,
    duration_ms,
    // Notes about undo are not part of this wire; held-back files are reported.
    ...(held_back === undefined ? {} : { held_back, notes }),
  }),
};

/** Gives work to a sub-agent. The answer's own `ok` reports success; only a failure is reported here. */
const task: WireTool = {
  name: 'task',
  tool: 'task',
  input: () => z.strictObject({ agent: z.string(), objective: z.string() }),
  toCore: (args) => args,
  toWire: ({ ok, agent, summary }) => present({ ok: ok === false ? false : undefined, agent, summary }),
};

/** Seed 003 counts lines and characters from 0, as language servers do. */
const counting = { first: 0, path: 'path', toCore: (args: Json) => args } as const;

export function coderTools(): readonly WireTool[] {
  const lsp = makeLspTools(counting);
  return [read, write, edit, patch, list, glob, grep, bash, ...lsp, ...noteTools, task];
}
