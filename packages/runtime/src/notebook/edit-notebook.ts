/** Replaces, inserts or deletes one cell of an nbformat 4 notebook; every byte outside that cell stays as it is. */
import { ToolError } from '@codelab/protocol';
import { applySpans, type ReplacedSpan } from '../edit/spans.ts';
import { deleteCell, insertCell, replaceCell } from './change-cell.ts';
import { type Cell, type CellType, type Notebook, openNotebook, readCell } from './open-notebook.ts';
import { notebookFault } from './scan-json.ts';

/** `cell_number` counts from 0; without `cell_type` a replaced cell keeps its type. */
export type NotebookEdit = {
  cell_number: number;
  new_source: string;
  cell_type?: CellType | undefined;
  edit_mode?: 'replace' | 'insert' | 'delete' | undefined;
};

/** `cell_type` and `cell_id` are those of the cell that was changed, inserted or deleted. */
export type EditedNotebook = {
  text: string;
  spans: ReplacedSpan[];
  cell_type: CellType;
  language: string;
  cell_id?: string;
};

export function editNotebook(source: string, edit: NotebookEdit): EditedNotebook {
  checkArguments(edit);
  const notebook = openNotebook(source);
  checkBounds(edit, notebook.cells.elements.length);
  const { span, type, id } = change(notebook, edit);
  return {
    text: applySpans(source, [span]),
    spans: [span],
    cell_type: type,
    language: notebook.language,
    ...(id === undefined ? {} : { cell_id: id }),
  };
}

function checkArguments({ cell_number, cell_type, edit_mode = 'replace' }: NotebookEdit): void {
  if (!(cell_number >= 0)) throw refuse('Cell number must be non-negative.');
  if (!Number.isSafeInteger(cell_number)) throw refuse('Cell number must be a whole number.');
  if (!['replace', 'insert', 'delete'].includes(edit_mode)) {
    throw refuse('Edit mode must be replace, insert, or delete.');
  }
  if (edit_mode === 'insert' && cell_type === undefined) {
    throw refuse('Cell type is required when using edit_mode=insert.');
  }
  if (!['code', 'markdown', 'raw', undefined].includes(cell_type)) {
    throw refuse('Cell type must be code, markdown, or raw.');
  }
}

function checkBounds({ cell_number, edit_mode }: NotebookEdit, count: number): void {
  if (edit_mode === 'insert' && cell_number > count) {
    throw refuse(
      `Cell number is out of bounds. For insert mode, the maximum value is ${count} (to append at the end).`,
      { cells: count },
    );
  }
  if (edit_mode !== 'insert' && cell_number >= count) {
    throw refuse(`Cell number is out of bounds. Notebook has ${count} cells.`, { cells: count });
  }
}

function refuse(message: string, details?: Record<string, unknown>): ToolError {
  return new ToolError('INVALID_ARGUMENTS', message, details);
}

type Change = { span: ReplacedSpan; type: CellType; id: string | undefined };

function change(notebook: Notebook, edit: NotebookEdit): Change {
  const { cell_number: index, new_source: text, cell_type, edit_mode = 'replace' } = edit;
  switch (edit_mode) {
    case 'insert': {
      const type = cell_type ?? 'code';
      return { ...insertCell(notebook, index, type, text), type };
    }
    case 'delete': {
      const cell = readCell(notebook, index);
      return { span: deleteCell(notebook.cells, index), type: cell?.type ?? 'raw', id: cell?.id };
    }
    case 'replace': {
      const cell = readCell(notebook, index);
      const type = cell_type ?? cell?.type;
      if (cell === null || type === undefined) throw unknownCell(index);
      const replacement = replaceCell(notebook.source, cell, type, text);
      return { span: spanOf(cell, replacement), type, id: cell.id };
    }
  }
}

function spanOf({ open, close }: Cell, replacement: string): ReplacedSpan {
  return { start: open, end: close + 1, replacement };
}

function unknownCell(index: number): ToolError {
  return notebookFault(`Notebook is not valid: cell ${index} is not a code, markdown or raw cell.`);
}
