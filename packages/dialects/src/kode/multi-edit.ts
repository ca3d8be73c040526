// Several replacements in one file, all of them or none. A failure names the edit, counted from 1.
import type { Failure } from '@codelab/protocol';
import * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { pieceInput } from '../rows/piece-input.ts';
import { hasRun } from './has-run.ts';

type Piece = { old_string: string; new_string: string };

const shownChars = 100;
const missedChars = 50;

export function multiEdit(paths: PathSpelling): WireTool {
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
      filePath: file_path,
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
  const wanted = (edits as Piece[] | undefined)?.[details.edit - 1]?.old_string ?? '';
  const why =
    details.reason === 'not_found' ? `String not found: ${wanted.slice(0, missedChars)}...` : message;
  return `Error in edit ${details.edit}: ${why}`;
}
