/** The top-level object of a notebook; the whole text is checked to be JSON on the way. */
import { invalidJson } from './invalid-json.ts';
import { notebookFault } from './notebook-fault.ts';
import { type JsonObject, readObject } from './read-object.ts';
import { skipBlanks } from './skip-blanks.ts';
import { skipValue } from './skip-value.ts';

export function readDocument(source: string): JsonObject {
  const open = skipBlanks(source, 0);
  const isObject = source[open] === '{';
  const top = isObject ? readObject(source, open) : null;
  const end = skipBlanks(source, top === null ? skipValue(source, open) : top.close + 1);
  if (end !== source.length) throw invalidJson(source, end);
  if (top === null) throw notebookFault('Notebook is not valid: its top level is not an object.');
  return top;
}
