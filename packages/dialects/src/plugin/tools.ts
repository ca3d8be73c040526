// The file tools of seed 002: a file's text is the output itself, facts about it are in the metadata.

import type { Failure } from '@codelab/protocol';
import * as z from 'zod/mini';
import { makeLspTools } from '../codelab/lsp-tools.ts';
import type { Json, WireTool } from '../dialect.ts';
import { coreArguments, isFolder, normalizedPaths, spelledEntries } from '../shared/spelling.ts';
import { bytesOf, checkEncoding, objectOf, present, readEncoding, whole } from '../shared/values.ts';

const readFile: WireTool = {
  name: 'read_file',
  tool: 'read_file',
  input: () => z.strictObject({ path: z.string(), encoding: z.optional(z.string()) }),
  toCore: ({ path, encoding }) =>
    coreArguments(present({ path, encoding: readEncoding(encoding) }), normalizedPaths),
  toWire: ({ content }) => content as string,
  metadata: ({ size, encoding }) => ({ size_bytes: size, encoding }),
  fromWire: ({ output, metadata }, { encoding = 'utf-8' }) => ({
    content: output,
    encoding,
    has_bom: false,
    size: whole(objectOf(metadata).size_bytes) ?? bytesOf(output),
  }),
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
    const core = { path, content, create: createIfMissing, create_parents: false, keep_line_endings };
    return coreArguments(present(core), normalizedPaths);
  },
  toWire: ({ bytes_written }, { path }) => ({ path, size_bytes: bytes_written }),
  metadata: ({ operation, bytes_written }) => ({
    created: operation === 'created',
    size_bytes: bytes_written,
    encoding: 'utf-8',
  }),
  fromWire: ({ output, metadata }, { content }) => ({
    operation: objectOf(metadata).created === true ? 'created' : 'updated',
    bytes_written: whole(objectOf(output).size_bytes) ?? bytesOf(content),
    additions: 0,
    deletions: 0,
    diff: '',
    structured_patch: [],
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
  // One directory is listed with its hidden names; recursively, `.git` alone would fill the answer.
  toCore: ({ path, recursive, pattern }) =>
    coreArguments(present({ path, recursive, pattern, include_hidden: recursive !== true }), normalizedPaths),
  toWire: (data, wireArgs) => ({
    path: wireArgs.path,
    entries: entriesOf(data, wireArgs),
    total_count: data.total,
  }),
  metadata: ({ total, truncated }, { recursive = false }) =>
    present({ total_count: total, recursive, truncated: truncated === true ? true : undefined }),
  fromWire({ output, metadata }) {
    const { entries, total_count } = objectOf(output);
    const read = Array.isArray(entries) ? entries.map((entry) => entryFromWire(objectOf(entry))) : undefined;
    const total = whole(total_count) ?? read?.length;
    return { entries: read, total, truncated: objectOf(metadata).truncated === true };
  },
};

function entryFromWire({ name, path, type }: Json): Json {
  return {
    name: String(name ?? ''),
    path: String(path ?? name ?? ''),
    type: type === 'directory' ? 'directory' : 'file',
  };
}

function entriesOf(data: Json, wireArgs: Json): Json[] {
  return spelledEntries(data, wireArgs).map((entry) => ({
    name: entry.name,
    type: isFolder(entry) ? 'directory' : 'file',
    path: entry.path,
  }));
}

/** Runs a program with its arguments, without a shell. Times are in milliseconds; a program that fails is an error. */
const executeCommand: WireTool = {
  name: 'execute_command',
  tool: 'execute_command',
  input: () =>
    z.strictObject({
      command: z.string(),
      args: z.optional(z.array(z.string())),
      timeout: z.optional(z.number().check(z.positive())),
      cwd: z.optional(z.string()),
    }),
  toCore: ({ timeout, ...args }) =>
    coreArguments(
      present({
        ...args,
        timeout_ms: timeout === undefined ? undefined : Math.ceil(Math.min(timeout as number, 1e12)),
      }),
      normalizedPaths,
    ),
  names: { timeout: 'timeout_ms' },
  toWire: ({ stdout }) => stdout as string,
  metadata: ({ duration_ms, stdout_bytes, stderr_bytes, stderr, truncated, output_file, held_back, notes }) =>
    present({
      duration_ms,
      output_size_bytes: stdout_bytes,
      error_size_bytes: stderr_bytes,
      stderr: stderr === '' ? undefined : stderr,
      truncated: truncated === true ? true : undefined,
      output_file,
      held_back,
      notes: held_back === undefined ? undefined : notes,
    }),
  ending(data) {
    const error = errorOf(data);
    if (error === undefined) return { exitCode: data.exit_code };
    return { status: data.timed_out === true ? 'timeout' : 'error', error, exitCode: data.exit_code };
  },
  fromWire: commandFromWire,
};

function commandFromWire(wireResult: Json): Json {
  const { output, error, status } = wireResult;
  const metadata = objectOf(wireResult.metadata);
  const stdout = textIn(output) ?? '';
  const printed = textIn(metadata.stderr);
  const stderr =
    status === 'success'
      ? (printed ?? '')
      : (printed ?? textIn(objectOf(error).message) ?? textIn(error) ?? '');
  const code = whole(wireResult.exitCode) ?? whole(wireResult.exit_code);
  return {
    stdout,
    stderr,
    exit_code: code ?? (status === 'success' ? 0 : status === 'timeout' ? 124 : 1),
    duration_ms: whole(wireResult.duration_ms) ?? whole(metadata.duration_ms) ?? 0,
    timed_out: status === 'timeout',
    truncated: metadata.truncated === true,
    stdout_bytes: whole(metadata.output_size_bytes) ?? bytesOf(stdout),
    stderr_bytes: whole(metadata.error_size_bytes) ?? bytesOf(stderr),
  };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function errorOf({ exit_code, timed_out, stderr }: Json): Failure | undefined {
  if (timed_out === true) return { code: 'TIMEOUT', message: 'The command exceeded its time limit.' };
  if (exit_code === 0) return undefined;
  const message = String(stderr).trim() || `The command ended with exit code ${exit_code}.`;
  return { code: 'EXECUTION_FAILED', message, details: { exit_code } };
}

export function pluginTools(): readonly WireTool[] {
  const toCore: WireTool['toCore'] = (args) => coreArguments(args, normalizedPaths);
  const lsp = makeLspTools({ first: 1, path: 'path', isExtension: true, toCore });
  return [readFile, writeFile, listDirectory, executeCommand, ...lsp];
}
