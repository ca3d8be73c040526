/** Takes a cell out together with its comma; the blanks around the others stay. */
import type { Span } from '../edit/span.ts';
import type { JsonArray } from './read-array.ts';

export function deleteCell({ open, close, elements }: JsonArray, index: number): Span {
  const [before, cell, after] = [elements[index - 1], elements[index], elements[index + 1]];
  if (cell !== undefined && before !== undefined) {
    return { start: before.end, end: cell.end, replacement: '' };
  }
  if (cell !== undefined && after !== undefined) {
    return { start: cell.start, end: after.start, replacement: '' };
  }
  return { start: open + 1, end: close, replacement: '' };
}
