/** One cell of a notebook: its members, and what it says of itself. */
import { memberOf } from './member-of.ts';
import type { Notebook } from './open-notebook.ts';
import { type JsonObject, readObject } from './read-object.ts';
import { textOf } from './text-of.ts';

export type CellType = 'code' | 'markdown' | 'raw';

/** `type` is undefined when the cell names none that nbformat 4 knows. */
export type Cell = JsonObject & { type: CellType | undefined; id: string | undefined };

/** Null when there is no cell of that number or it is not an object. */
export function readCell({ source, cells }: Notebook, index: number): Cell | null {
  const element = cells.elements[index];
  if (element === undefined || source[element.start] !== '{') return null;
  const object = readObject(source, element.start);
  const type = textOf(source, memberOf(object, 'cell_type'));
  const isKnown = type === 'code' || type === 'markdown' || type === 'raw';
  return { ...object, type: isKnown ? type : undefined, id: textOf(source, memberOf(object, 'id')) };
}
