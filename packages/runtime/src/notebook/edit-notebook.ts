/** Replaces, inserts or deletes one cell of an nbformat 4 notebook; every byte outside that cell stays as it is. */

import { createHash } from 'node:crypto';
import { ToolError } from '@codelab/protocol';
import { applySpans, type ReplacedSpan } from '../edit/spans.ts';
import { type JsonLayout, layoutOf, nestedLayout, writeSource } from './json-layout.ts';
import { type JsonArray, memberOf } from './json-spans.ts';
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

/**
 * Replaces a cell's source and perhaps its type. A code cell loses its outputs and execution count, because they belong to the old
 * source. Members that the new type does not allow are removed, required ones are added; all other text stays.
 */
function replaceCell(source: string, cell: Cell, type: CellType, text: string): string {
  const layout = layoutOf(source, cell);
  const write = (list: Entry[], key: string, value: string, place: number) =>
    withEntry(list, newEntry(key, value, layout), place);
  const allowed = entriesOf(source, cell).filter(({ key }) => !FORBIDDEN[type].has(key));
  const isTyped = cell.type === type ? allowed : write(allowed, 'cell_type', JSON.stringify(type), 0);
  const isWritten = write(
    isTyped,
    'source',
    writeSource(source, memberOf(cell, 'source'), layout, text),
    isTyped.length,
  );
  if (type !== 'code') return writeEntries(isWritten, layout);
  const isCounted = write(isWritten, 'execution_count', 'null', placeOf(isWritten, 'cell_type') + 1);
  return writeEntries(write(isCounted, 'outputs', '[]', placeOf(isCounted, 'source')), layout);
}

const FORBIDDEN: Record<CellType, ReadonlySet<string>> = {
  code: new Set(['attachments']),
  markdown: new Set(['outputs', 'execution_count']),
  raw: new Set(['outputs', 'execution_count']),
};

/** A member as text: blanks, key and colon before the value, and the blanks after the value. */
type Entry = { key: string; lead: string; name: string; value: string; tail: string };

function entriesOf(source: string, { members }: Cell): Entry[] {
  return members.map(({ key, lead, keyStart, valueStart, valueEnd }, index) => {
    const next = members[index + 1];
    return {
      key,
      lead: source.slice(lead, keyStart),
      name: source.slice(keyStart, valueStart),
      value: source.slice(valueStart, valueEnd),
      // The blanks after the last value belong to the closing brace and stay there.
      tail: next === undefined ? '' : source.slice(valueEnd, next.lead - 1),
    };
  });
}

function newEntry(key: string, value: string, { next, colon }: JsonLayout): Entry {
  return { key, lead: next, name: `${JSON.stringify(key)}${colon}`, value, tail: '' };
}

function placeOf(entries: Entry[], key: string): number {
  return entries.findLastIndex((entry) => entry.key === key);
}

/** Sets the value of the key that readers see, or adds the key at `place`. */
function withEntry(entries: Entry[], entry: Entry, place: number): Entry[] {
  const at = placeOf(entries, entry.key);
  const old = entries[at];
  return old === undefined
    ? entries.toSpliced(place, 0, entry)
    : entries.with(at, { ...old, value: entry.value });
}

function writeEntries(entries: Entry[], { first, next, close }: JsonLayout): string {
  const written = entries.map(({ lead, name, value, tail }, index) => {
    const isMoved = index > 0 && lead === first && first !== next;
    return (index === 0 ? first : isMoved ? next : lead) + name + value + tail;
  });
  return `{${written.join(',')}${close}}`;
}

/** Inserts a cell in the layout of its neighbour, with the members its type requires. */
type InsertedCell = { span: ReplacedSpan; id: string | undefined };

function insertCell(notebook: Notebook, index: number, type: CellType, text: string): InsertedCell {
  const { source, top, cells } = notebook;
  const { elements, open, close } = cells;
  const id = notebook.hasCellIds ? freeId(notebook, `${index} ${type} ${text}`) : undefined;
  const neighbour = readCell(notebook, Math.max(0, index - 1));
  const outerLayout = nestedLayout(layoutOf(source, top));
  const layout = neighbour === null ? nestedLayout(outerLayout) : layoutOf(source, neighbour);
  const oldSource = neighbour === null ? undefined : memberOf(neighbour, 'source');
  const cell = writeCell(type, id, writeSource(source, oldSource, layout, text), layout);

  const [first, second] = elements;
  if (first === undefined) {
    return {
      span: { start: open + 1, end: close, replacement: outerLayout.first + cell + outerLayout.close },
      id,
    };
  }
  const before = elements[index - 1];
  const lead = source.slice(first.lead, first.start);
  const example = index > 1 ? before : second;
  const spacing =
    example !== undefined
      ? source.slice(example.lead, example.start)
      : lead.includes('\n')
        ? lead
        : outerLayout.next;
  const span =
    before === undefined
      ? { start: first.start, end: first.start, replacement: `${cell},${spacing}` }
      : { start: before.end, end: before.end, replacement: `,${spacing}${cell}` };
  return { span, id };
}

function writeCell(type: CellType, id: string | undefined, source: string, layout: JsonLayout): string {
  const isCode = type === 'code';
  // The order in which Jupyter writes members.
  const members = [
    ['cell_type', JSON.stringify(type)],
    ...(isCode ? [['execution_count', 'null']] : []),
    ...(id === undefined ? [] : [['id', JSON.stringify(id)]]),
    ['metadata', '{}'],
    ...(isCode ? [['outputs', '[]']] : []),
    ['source', source],
  ];
  const written = members.map(([key, value]) => `"${key}"${layout.colon}${value}`);
  return `{${layout.first}${written.join(`,${layout.next}`)}${layout.close}}`;
}

/** The id is derived from the notebook and the new cell, so that planning an edit and making it give the same bytes. */
function freeId(notebook: Notebook, seed: string): string {
  const usedIds = new Set(notebook.cells.elements.map((_, index) => readCell(notebook, index)?.id));
  for (let attempt = 0; ; attempt++) {
    const hash = createHash('sha256').update(`${attempt} ${seed} `).update(notebook.source);
    const id = hash.digest('hex').slice(0, 8);
    if (!usedIds.has(id)) return id;
  }
}

/** Removes a cell with its comma; the blanks around the other cells stay. */
function deleteCell({ open, close, elements }: JsonArray, index: number): ReplacedSpan {
  const [before, cell, after] = [elements[index - 1], elements[index], elements[index + 1]];
  if (cell !== undefined && before !== undefined) {
    return { start: before.end, end: cell.end, replacement: '' };
  }
  if (cell !== undefined && after !== undefined) {
    return { start: cell.start, end: after.start, replacement: '' };
  }
  return { start: open + 1, end: close, replacement: '' };
}
