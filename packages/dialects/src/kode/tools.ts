// The tools of seed 001.
import * as z from 'zod/mini';
import { makeLspTools } from '../codelab/lsp-tools.ts';
import type { Json, PathSpelling, WireTool } from '../dialect.ts';
import { isFolder } from '../shared/spelling.ts';
import { present } from '../shared/values.ts';
import {
  editRow,
  failureText,
  multiEditRow,
  notebookEditCellRow,
  replaceRow,
  viewRow,
} from './file-tools.ts';

// The tree below a directory as text: a line per name, two blanks per level.

type Entry = Parameters<typeof isFolder>[0] & { name: string; path: string };

function ls(paths: PathSpelling): WireTool {
  return {
    name: 'LS',
    tool: 'list_files',
    input: () => z.strictObject({ path: z.string() }),
    toCore: ({ path }) => ({ path: paths.toCore(path as string), recursive: true }),
    toWire: (data, { path }) => treeText(data, path as string),
  };
}

function treeText(data: Json, directory: string): string {
  const entries = data.entries as Entry[];
  const depth = data.path === '.' ? 0 : String(data.path).split('/').length;
  const lines = entries.map((entry) => {
    const indent = '  '.repeat(entry.path.split('/').length - depth);
    return `${indent}- ${entry.name}${isFolder(entry) ? '/' : ''}`;
  });
  const cutNote = data.truncated === true ? [`[cut after ${entries.length} entries]`] : [];
  return [`- ${directory.replace(/\/+$/, '')}/`, ...lines, ...cutNote].join('\n');
}

const maxFiles = 100;

/** The files in which a pattern matches, newest first, at most a hundred. */
function grepTool(paths: PathSpelling): WireTool {
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
        path: typeof path === 'string' ? paths.toCore(path) : paths.workingDir,
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

/** The files whose paths match a glob, newest first, at most a hundred. */
function globTool(paths: PathSpelling): WireTool {
  return {
    name: 'GlobTool',
    tool: 'find_files',
    input: () => z.strictObject({ pattern: z.string(), path: z.optional(z.string()) }),
    toCore: ({ pattern, path }) =>
      present({
        pattern,
        path: typeof path === 'string' ? paths.toCore(path) : paths.workingDir,
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

const banned = [
  [
    'alias',
    'curl',
    'curlie',
    'wget',
    'axel',
    'aria2c',
    'nc',
    'telnet',
    'lynx',
    'w3m',
    'links',
    'httpie',
    'xh',
  ],
  ['http-prompt', 'chrome', 'firefox', 'safari'],
].flat();

const usualMs = 120_000;
const mostMs = 600_000;
const mostChars = 30_000;

/** Runs a shell line. Times are in milliseconds; each stream is cut in the middle at 30 000 characters. */
function bash({ workingDir }: PathSpelling): WireTool {
  return {
    name: 'Bash',
    tool: 'run_command',
    input: () =>
      z.strictObject({
        command: z.string(),
        timeout: z.optional(z.number().check(z.positive(), z.maximum(mostMs))),
        // The model's reason for the command. A human is shown the command itself.
        description: z.optional(z.string()),
      }),
    toCore: ({ command, timeout = usualMs }) => ({
      command,
      timeout_ms: Math.ceil(timeout as number),
      forbidden: banned,
      ...(workingDir !== undefined && { cwd: workingDir }),
    }),
    toWire({ stdout, stderr, exit_code, timed_out, held_back, notes }) {
      const code =
        exit_code === 0 || exit_code === null || timed_out === true ? '' : `\nExit code ${exit_code}`;
      const out = cutMiddle(String(stdout).trim());
      // The wire has no field for held-back files, so the text says that they are gone.
      const heldNote = held_back === undefined || !Array.isArray(notes) ? '' : `\n${String(notes[0])}`;
      const err = cutMiddle(`${String(stderr).trim()}${code}${heldNote}`.trim());
      return {
        stdout: out.text,
        stdoutLines: out.lines,
        stderr: err.text,
        stderrLines: err.lines,
        interrupted: timed_out === true,
      };
    },
    failed: failureText,
  };
}

function cutMiddle(text: string): { text: string; lines: number } {
  const lines = text === '' ? 0 : text.split('\n').length;
  if (text.length <= mostChars) return { text, lines };
  const half = mostChars / 2;
  const middle = text.slice(half, -half);
  const notice = `\n\n... [${middle.split('\n').length} lines truncated] ...\n\n`;
  return { text: `${text.slice(0, half)}${notice}${text.slice(-half)}`.toWellFormed(), lines };
}

const item = () =>
  z.strictObject({ content: z.string(), status: z.string(), priority: z.string(), id: z.string() });

/** Replaces the todo list; answers with the number of todos in each state. */
function todoWrite(): WireTool {
  return {
    name: 'TodoWrite',
    tool: 'todowrite',
    input: () => z.strictObject({ todos: z.array(item()) }),
    toCore: (args) => args,
    toWire: summary,
  };
}

function summary({ items }: Json): string {
  const todos = items as { status: string }[];
  const names = { pending: 'pending', in_progress: 'in progress', completed: 'completed' };
  const counts = Object.entries(names).map(
    ([status, name]) => `${todos.filter((todo) => todo.status === status).length} ${name}`,
  );
  return `Updated ${todos.length} todo(s) (${counts.join(', ')}).`;
}

/** Beyond seed 001; Kode also counts from 1. */
function lspTools(paths: PathSpelling): WireTool[] {
  const toCore: WireTool['toCore'] = ({ file_path, ...args }) => ({
    ...args,
    path: paths.toCore(file_path as string),
  });
  return makeLspTools({ first: 1, path: 'file_path', isExtension: true, toCore });
}

export function kodeTools(paths: PathSpelling): readonly WireTool[] {
  const rows = [
    viewRow,
    replaceRow,
    editRow,
    multiEditRow,
    notebookEditCellRow,
    ls,
    grepTool,
    globTool,
    bash,
    todoWrite,
  ];
  return [...rows.map((row) => row(paths)), ...lspTools(paths)];
}
