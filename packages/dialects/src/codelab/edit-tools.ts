// The tools of seed 000 that change text by its content: edits, patches, cells of a notebook.
import { recountDiff } from '@codelab/protocol';
import * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import { corePath, sameArguments } from '../shared/spelling.ts';
import { listOf, objectOf, present } from '../shared/values.ts';

type Piece = {
  old_string: z.ZodMiniString;
  new_string: z.ZodMiniString;
  replace_all: z.ZodMiniOptional<z.ZodMiniBoolean>;
};

/** The old text, the new text, and whether to replace every occurrence. */
export function pieceInput(): Piece {
  return { old_string: z.string(), new_string: z.string(), replace_all: z.optional(z.boolean()) };
}

export const editTools: readonly WireTool[] = [
  {
    name: 'edit_file',
    tool: 'edit_file',
    input: () => z.strictObject({ path: z.string(), ...pieceInput(), tolerant: z.optional(z.boolean()) }),
    toCore: sameArguments,
    toWire: editResult,
    fromWire: editFromWire,
  },
  {
    name: 'multi_edit',
    tool: 'multi_edit',
    input: () =>
      z.strictObject({
        path: z.string(),
        edits: z.array(z.strictObject(pieceInput())).check(z.minLength(1)),
        tolerant: z.optional(z.boolean()),
      }),
    toCore: sameArguments,
    toWire: editResult,
    fromWire: editFromWire,
  },
];

// How an edit was matched is reported only when the match was not exact.
function editResult(data: Json, wireArgs: Json): Json {
  const { replacements, diff, structured_patch } = data;
  const tolerant = data.tolerant as string[];
  return present({
    path: wireArgs.path,
    replacements,
    diff,
    structured_patch,
    tolerant: tolerant.length > 0 ? tolerant : undefined,
  });
}

const nothingChanged = { additions: 0, deletions: 0, diff: '', structured_patch: [] };

function editFromWire(wireResult: Json): Json {
  const lines = listOf(wireResult.structured_patch).flatMap((hunk) =>
    listOf(objectOf(hunk).lines).map(String),
  );
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  const lineCounts = { additions: count('+'), deletions: count('-') };
  const edit = { operation: 'updated', replacements: 1, occurrences: [], tolerant: [] };
  return { ...edit, ...nothingChanged, ...lineCounts, ...wireResult };
}

type PatchedFile = { path: string; operation: string; from?: string };

export const applyPatchRow: WireTool = {
  name: 'apply_patch',
  tool: 'apply_patch',
  input: () => z.strictObject({ diff: z.string(), strict: z.optional(z.boolean()) }),
  toCore(args, { isLenient }) {
    const diff = withoutFence(String(args.diff));
    const recounted = isLenient && !diff.includes('*** Begin Patch') ? recountDiff(diff) : undefined;
    return recounted === undefined ? { ...args, diff } : { ...args, diff: recounted, recounted: true };
  },
  toWire: ({ files }) => ({
    success: true,
    files_modified: (files as PatchedFile[]).flatMap(({ path, operation, from }) =>
      operation === 'rename' && from !== undefined ? [path, from] : [path],
    ),
  }),
  fromWire: (wireResult, { dry_run }) => ({
    files: wireResult.files ?? listOf(wireResult.files_modified).map(patchedFile),
    applied: dry_run !== true && wireResult.success !== false,
  }),
};

/** A diff inside a code fence, as models write it in prose. */
function withoutFence(diff: string): string {
  const [, inside] = /^\s*```[\w-]*\n([\s\S]*?\n)```\s*$/.exec(diff) ?? [];
  return inside ?? diff;
}

function patchedFile(path: unknown): Json {
  const counts = { additions: 0, deletions: 0, offsets: [], tolerant: [], bytes: 0 };
  return { path: corePath(path), operation: 'update', ...counts };
}

/** Shows a diff to a human, who chooses some of its chunks; nothing is written. */
export const applyPatchReviewRow: WireTool = {
  name: 'apply_patch_review',
  tool: 'apply_patch_review',
  input: () => z.strictObject({ diff: z.string(), message: z.optional(z.string()) }),
  toCore: (args) => args,
  toWire: ({ filtered_diff, action, chunks_selected, chunks_total }) =>
    present({ filtered_diff, action, chunks_selected, chunks_total }),
};

type Cell = {
  cell_number: z.ZodMiniNumberFormat;
  new_source: z.ZodMiniString;
  cell_type: z.ZodMiniOptional<z.ZodMiniString>;
  edit_mode: z.ZodMiniOptional<z.ZodMiniString>;
};

/** The cell of a notebook, counted from 0, and its change. */
export function cellInput(): Cell {
  return {
    cell_number: z.int(),
    new_source: z.string(),
    cell_type: z.optional(z.string()),
    edit_mode: z.optional(z.string()),
  };
}

export const notebookEditRow: WireTool = {
  name: 'notebook_edit',
  tool: 'notebook_edit',
  input: () => z.strictObject({ path: z.string(), ...cellInput() }),
  toCore: sameArguments,
  toWire: ({ cell_number, cell_type, language, edit_mode, diff, structured_patch }, { path }) => ({
    path,
    cell_number,
    cell_type,
    language,
    edit_mode,
    diff,
    structured_patch,
  }),
  fromWire: (wireResult) => ({ ...nothingChanged, ...wireResult }),
};
