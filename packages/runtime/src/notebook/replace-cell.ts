/**
 * A cell with another source and perhaps another type. Code loses its outputs and its count, since they belong to
 * the old source; whatever the new type does not allow goes, what it asks for comes; all else keeps its text.
 */
import { type Layout, layoutOf } from './layout-of.ts';
import { memberOf } from './member-of.ts';
import type { Cell, CellType } from './read-cell.ts';
import { writeSource } from './write-source.ts';

export function replaceCell(source: string, cell: Cell, type: CellType, text: string): string {
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

/** A member as text: blanks, key and colon in front of the value, and the blanks behind it. */
type Entry = { key: string; lead: string; name: string; value: string; tail: string };

function entriesOf(source: string, { members }: Cell): Entry[] {
  return members.map(({ key, lead, keyStart, valueStart, valueEnd }, index) => {
    const next = members[index + 1];
    return {
      key,
      lead: source.slice(lead, keyStart),
      name: source.slice(keyStart, valueStart),
      value: source.slice(valueStart, valueEnd),
      // Behind the last value come the blanks of the closing brace, which stay there.
      tail: next === undefined ? '' : source.slice(valueEnd, next.lead - 1),
    };
  });
}

function newEntry(key: string, value: string, { next, colon }: Layout): Entry {
  return { key, lead: next, name: `${JSON.stringify(key)}${colon}`, value, tail: '' };
}

function placeOf(entries: Entry[], key: string): number {
  return entries.findLastIndex((entry) => entry.key === key);
}

/** Sets the value of the key that readers see, or adds it at a place. */
function withEntry(entries: Entry[], entry: Entry, place: number): Entry[] {
  const at = placeOf(entries, entry.key);
  const old = entries[at];
  return old === undefined
    ? entries.toSpliced(place, 0, entry)
    : entries.with(at, { ...old, value: entry.value });
}

function writeEntries(entries: Entry[], { first, next, close }: Layout): string {
  const written = entries.map(({ lead, name, value, tail }, index) => {
    const isMoved = index > 0 && lead === first && first !== next;
    return (index === 0 ? first : isMoved ? next : lead) + name + value + tail;
  });
  return `{${written.join(',')}${close}}`;
}
