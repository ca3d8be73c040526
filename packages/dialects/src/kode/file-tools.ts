// The tools of seed 001 that read and change files.

import type { ErrorCode, Failure } from '@codelab/protocol';
import * as z from 'zod/mini';
import { cellInput, pieceInput } from '../codelab/edit-tools.ts';
import type { Json, PathSpelling, WireTool } from '../dialect.ts';
import { positive, present } from '../shared/values.ts';

/** Results of seed 001 have absolute paths, however the caller spelled them; an absolute path keeps its spelling. */
function absolutePath(paths: PathSpelling, { path }: Json, requested: unknown): unknown {
  if (typeof requested !== 'string' || requested.startsWith('/')) return requested;
  const place = paths.like(String(path ?? paths.toCore(requested)), '/');
  return place.startsWith('/') ? place : requested;
}

/** Reads a text file, whole or a page of its lines. */
export function viewRow(paths: PathSpelling): WireTool {
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
      file: present({
        filePath: absolutePath(paths, data, file_path),
        content: data.content,
        ...linesOf(data),
      }),
    }),
    failed: failureText,
  };
}

// The number of lines is known only when the last one was read.
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

/** Writes a whole file. */
export function replaceRow(paths: PathSpelling): WireTool {
  return {
    name: 'Replace',
    tool: 'write_file',
    input: () => z.strictObject({ file_path: z.string(), content: z.string() }),
    names: { file_path: 'path' },
    toCore: ({ file_path, content }, { isLasting }) => ({
      path: paths.toCore(file_path as string),
      content,
      ...(isLasting ? { must_have_read: true } : {}),
    }),
    toWire: (data, { file_path, content }) => {
      const isNew = data.operation === 'created';
      return {
        type: isNew ? 'create' : 'update',
        filePath: absolutePath(paths, data, file_path),
        content,
        structuredPatch: isNew ? [] : data.structured_patch,
      };
    },
    failed: failureText,
  };
}

/** Replaces the only occurrence of a string; a replacement by nothing also removes the line ending. */
export function editRow(paths: PathSpelling): WireTool {
  return {
    name: 'Edit',
    tool: 'edit_file',
    input: () => z.strictObject({ file_path: z.string(), ...pieceInput() }),
    names: { file_path: 'path' },
    toCore: ({ file_path, ...strings }, { isLasting }) => ({
      path: paths.toCore(file_path as string),
      ...strings,
      eat_newline: true,
      include_original: true,
      ...(isLasting ? { must_have_read: true } : {}),
    }),
    toWire: (data, { file_path, old_string, new_string }) => ({
      filePath: absolutePath(paths, data, file_path),
      oldString: old_string,
      newString: new_string,
      originalFile: data.original,
      structuredPatch: data.structured_patch,
    }),
    failed: failureText,
  };
}

type Piece = { old_string: string; new_string: string };

const shownChars = 100;
const missedChars = 50;

/** Several replacements in one file, all of them or none. A failure names the edit, counted from 1. */
export function multiEditRow(paths: PathSpelling): WireTool {
  return {
    name: 'MultiEdit',
    tool: 'multi_edit',
    input: () =>
      z.strictObject({
        file_path: z.string(),
        edits: z.array(z.strictObject(pieceInput())).check(z.minLength(1)),
      }),
    names: { file_path: 'path' },
    toCore: ({ file_path, edits }, { isLasting }) => ({
      path: paths.toCore(file_path as string),
      edits,
      ...(isLasting ? { must_have_read: true } : {}),
    }),
    toWire: (data, { file_path, edits }) => ({
      filePath: absolutePath(paths, data, file_path),
      wasNewFile: data.operation === 'created',
      editsApplied: applied(edits as Piece[], data.occurrences as number[]),
      totalEdits: (edits as Piece[]).length,
      summary: `Successfully applied ${(edits as Piece[]).length} edits to ${data.path}`,
      structuredPatch: data.structured_patch,
    }),
    failed: multiEditFailure,
  };
}

function applied(edits: readonly Piece[], occurrences: readonly number[]): Json[] {
  return edits.map(({ old_string, new_string }, index) => ({
    editIndex: index + 1,
    success: true,
    old_string: old_string.slice(0, shownChars),
    new_string: new_string.slice(0, shownChars),
    occurrences: occurrences[index] ?? 0,
  }));
}

function multiEditFailure(error: Failure, { edits }: Json): string | undefined {
  const { message, details } = error;
  if (typeof details?.edit !== 'number')
    return hasRun(error) ? `Error applying multi-edit: ${message}` : undefined;
  const oldText = (edits as Piece[] | undefined)?.[details.edit - 1]?.old_string ?? '';
  const problem =
    details.reason === 'not_found' ? `String not found: ${oldText.slice(0, missedChars)}...` : message;
  return `Error in edit ${details.edit}: ${problem}`;
}

/** Changes one cell of a notebook, counted from 0. A change that the notebook does not allow is reported in `error`, beside the arguments. */
export function notebookEditCellRow(paths: PathSpelling): WireTool {
  return {
    name: 'NotebookEditCell',
    tool: 'notebook_edit',
    input: () => z.strictObject({ notebook_path: z.string(), ...cellInput() }),
    names: { notebook_path: 'path' },
    toCore: ({ notebook_path, ...cell }, { isLasting }) => ({
      path: paths.toCore(notebook_path as string),
      ...cell,
      ...(isLasting ? { must_have_read: true } : {}),
    }),
    toWire: ({ cell_number, cell_type, language, edit_mode }, { new_source }) => ({
      cell_number,
      new_source,
      cell_type,
      language,
      edit_mode,
    }),
    failed: (error, wireArgs) => (isAnswer(error) ? failedCell(error, wireArgs) : undefined),
  };
}

// Invalid arguments name their field; arguments that only do not match this notebook do not.
function isAnswer(error: Failure): boolean {
  const { code, details } = error;
  return (
    hasRun(error) ||
    code === 'FILE_NOT_FOUND' ||
    (code === 'INVALID_ARGUMENTS' && details?.field === undefined && details?.reason !== 'not_read')
  );
}

// Kode's defaults replace the unknown fields of a cell that was not found.
function failedCell({ message }: Failure, wireArgs: Json): Json {
  const { cell_number, new_source, cell_type = 'code', edit_mode = 'replace' } = wireArgs;
  return present({ cell_number, new_source, cell_type, language: 'python', edit_mode, error: message });
}

const atWork: readonly ErrorCode[] = [
  'EXECUTION_FAILED',
  'NO_SPACE',
  'IO_ERROR',
  'RESOURCE_LIMIT',
  'TIMEOUT',
  'OUTCOME_UNKNOWN',
  'INTERNAL',
];

/** Whether the tool had started when it failed; a call refused before that has no answer of the tool. */
function hasRun({ code }: Failure): boolean {
  return atWork.includes(code);
}

/** The answer of a tool that failed while running. */
export function failureText(error: Failure): string | undefined {
  return hasRun(error) ? error.message : undefined;
}
