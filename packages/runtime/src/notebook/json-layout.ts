// Writes JSON as the text around it is laid out: same indentation, same line ends.

import { splitAtLineFeeds } from '../patch/unified-diff.ts';
import { type JsonMember, type JsonObject, readJsonArray } from './json-spans.ts';

/** How an object or array is laid out, so that what is added looks like what was there. */

/** Blanks before the first and every other item and before the closing bracket; `colon` stands between key and value. */
export type JsonLayout = { first: string; next: string; close: string; colon: string };

export function layoutOf(source: string, { open, close, members }: JsonObject): JsonLayout {
  const [one, two] = members;
  if (one === undefined) return { first: '', next: '', close: '', colon: ': ' };
  const first = source.slice(open + 1, one.keyStart);
  const next = two === undefined ? spacing(first) : source.slice(two.lead, two.keyStart);
  const lastEnd = members.at(-1)?.valueEnd ?? close;
  const colon = source.slice(one.keyEnd, one.valueStart);
  return { first, next, close: source.slice(lastEnd, close), colon };
}

/** What comes before the second item, when there is only one to look at. */
function spacing(first: string): string {
  return first.includes('\n') ? first : ' ';
}

/** The layout of a container inside one: on lines of its own one step deeper, or all on one line. */
export function nestedLayout({ first, next, close, colon }: JsonLayout): JsonLayout {
  if (!first.includes('\n')) return { first: '', next, close: '', colon };
  const step = first.startsWith(close) ? first.slice(close.length) : '';
  return { first: first + step, next: first + step, close: first, colon };
}

/** Writes a JSON array of items that are JSON already. */
function writeArray(items: readonly string[], { first, next, close }: JsonLayout): string {
  return items.length === 0 ? '[]' : `[${first}${items.join(`,${next}`)}${close}]`;
}

/** Writes the source of a cell in the form its old source has: one string, or an array of lines. */

/** `layout` is that of the cell around it. */
export function writeSource(
  source: string,
  old: JsonMember | undefined,
  layout: JsonLayout,
  text: string,
): string {
  const opener = old === undefined ? '' : source[old.valueStart];
  if (opener === '"') return JSON.stringify(text);
  const lines = splitAtLineFeeds(text).map((line) => JSON.stringify(line));
  const isArray = old !== undefined && opener === '[';
  return writeArray(lines, (isArray ? arrayLayout(source, old, layout) : null) ?? nestedLayout(layout));
}

/** As the array is laid out; null if it is empty. */
function arrayLayout(
  source: string,
  { valueStart }: JsonMember,
  { next, colon }: JsonLayout,
): JsonLayout | null {
  const { open, close, elements } = readJsonArray(source, valueStart);
  const [one, two] = elements;
  if (one === undefined) return null;
  const first = source.slice(open + 1, one.start);
  const spacing = first.includes('\n') ? first : next;
  return {
    first,
    next: two === undefined ? spacing : source.slice(two.lead, two.start),
    close: source.slice(elements.at(-1)?.end, close),
    colon,
  };
}
