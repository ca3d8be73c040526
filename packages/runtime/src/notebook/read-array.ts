/** The elements of a JSON array by their places in the text. */
import { invalidJson } from './invalid-json.ts';
import { skipBlanks } from './skip-blanks.ts';
import { skipValue } from './skip-value.ts';

/** `lead` is the place behind the bracket or comma in front. */
type Element = { lead: number; start: number; end: number };

/** `open` and `close` are the places of the brackets. */
export type JsonArray = { open: number; close: number; elements: Element[] };

export function readArray(source: string, open: number): JsonArray {
  const elements: Element[] = [];
  let lead = open + 1;
  let at = skipBlanks(source, lead);
  if (source[at] === ']') return { open, close: at, elements };
  for (;;) {
    const start = skipBlanks(source, lead);
    const end = skipValue(source, start);
    elements.push({ lead, start, end });
    at = skipBlanks(source, end);
    if (source[at] === ']') return { open, close: at, elements };
    if (source[at] !== ',') throw invalidJson(source, at);
    lead = at + 1;
  }
}
