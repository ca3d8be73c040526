/** A new cell at a place among the others, laid out as its neighbour is, and valid for its type. */
import { createHash } from 'node:crypto';
import type { Span } from '../edit/span.ts';
import { type Layout, layoutOf } from './layout-of.ts';
import { memberOf } from './member-of.ts';
import { nestedLayout } from './nested-layout.ts';
import type { Notebook } from './open-notebook.ts';
import { type CellType, readCell } from './read-cell.ts';
import { writeSource } from './write-source.ts';

export type InsertedCell = { span: Span; id: string | undefined };

export function insertCell(notebook: Notebook, index: number, type: CellType, text: string): InsertedCell {
  const { source, top, cells } = notebook;
  const { elements, open, close } = cells;
  const id = notebook.hasCellIds ? freeId(notebook, `${index} ${type} ${text}`) : undefined;
  const neighbour = readCell(notebook, Math.max(0, index - 1));
  const around = nestedLayout(layoutOf(source, top));
  const layout = neighbour === null ? nestedLayout(around) : layoutOf(source, neighbour);
  const oldSource = neighbour === null ? undefined : memberOf(neighbour, 'source');
  const cell = writeCell(type, id, writeSource(source, oldSource, layout, text), layout);

  const [first, second] = elements;
  if (first === undefined) {
    return { span: { start: open + 1, end: close, replacement: around.first + cell + around.close }, id };
  }
  const before = elements[index - 1];
  const lead = source.slice(first.lead, first.start);
  const example = index > 1 ? before : second;
  const spacing =
    example !== undefined
      ? source.slice(example.lead, example.start)
      : lead.includes('\n')
        ? lead
        : around.next;
  const span =
    before === undefined
      ? { start: first.start, end: first.start, replacement: `${cell},${spacing}` }
      : { start: before.end, end: before.end, replacement: `,${spacing}${cell}` };
  return { span, id };
}

function writeCell(type: CellType, id: string | undefined, source: string, layout: Layout): string {
  const isCode = type === 'code';
  // In the order in which Jupyter writes them.
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

/** Made from the notebook and the new cell, so that planning an edit and making it give the same bytes. */
function freeId(notebook: Notebook, seed: string): string {
  const taken = new Set(notebook.cells.elements.map((_, index) => readCell(notebook, index)?.id));
  for (let attempt = 0; ; attempt++) {
    const hash = createHash('sha256').update(`${attempt} ${seed} `).update(notebook.source);
    const id = hash.digest('hex').slice(0, 8);
    if (!taken.has(id)) return id;
  }
}
