// Changes one cell of a notebook, counted from 0. What the notebook does not allow is said in `error`, beside what was asked.
import type { Failure } from '@codelab/protocol';
import * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { cellInput } from '../rows/cell-input.ts';
import { present } from '../write/present.ts';
import { hasRun } from './has-run.ts';

export function notebookEditCell(paths: PathSpelling): WireTool {
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
    failed: (error, asked) => (isAnswer(error) ? failedCell(error, asked) : undefined),
  };
}

// Arguments that could not even be read name their field; those that do not fit this notebook do not.
function isAnswer(error: Failure): boolean {
  const { code, details } = error;
  return (
    hasRun(error) ||
    code === 'FILE_NOT_FOUND' ||
    (code === 'INVALID_ARGUMENTS' && details?.field === undefined && details?.reason !== 'not_read')
  );
}

// Kode's defaults stand for what is not known of a cell that was not found.
function failedCell({ message }: Failure, asked: Json): Json {
  const { cell_number, new_source, cell_type = 'code', edit_mode = 'replace' } = asked;
  return present({ cell_number, new_source, cell_type, language: 'python', edit_mode, error: message });
}
