// Writes JSON in the layout of the text around it: same indentation, same line endings.

import { splitAtLineFeeds } from '../patch/unified-diff.ts';
import { type JsonMember, type JsonObject, readJsonArray } from './json-spans.ts';

/** The layout of an object or array, so that an added item looks like its neighbours. */

/** Blanks before the first item, before every other item and before the closing bracket; `colon` separates key and value. */
export type JsonLayout = { first: string; next: string; close: string; colon: string };

export function layoutOf(source: string, { open, close, members }: JsonObject): JsonLayout {
  const [firstMember, secondMember] = members;
  if (firstMember === undefined) return { first: '', next: '', close: '', colon: ': ' };
  const first = source.slice(open + 1, firstMember.keyStart);
  const next =
    secondMember === undefined ? spacing(first) : source.slice(secondMember.lead, secondMember.keyStart);
  const lastEnd = members.at(-1)?.valueEnd ?? close;
  const colon = source.slice(firstMember.keyEnd, firstMember.valueStart);
  return { first, next, close: source.slice(lastEnd, close), colon };
}

/** The blanks before a second item, derived from those before the only one. */
function spacing(first: string): string {
  return first.includes('\n') ? first : ' ';
}

/** The layout of a container inside this one: one indentation step deeper, or all on one line. */
export function nestedLayout({ first, next, close, colon }: JsonLayout): JsonLayout {
  if (!first.includes('\n')) return { first: '', next, close: '', colon };
  const step = first.startsWith(close) ? first.slice(close.length) : '';
  return { first: first + step, next: first + step, close: first, colon };
}

/** Writes a JSON array of items that are already JSON. */
function writeArray(items: readonly string[], { first, next, close }: JsonLayout): string {
  return items.length === 0 ? '[]' : `[${first}${items.join(`,${next}`)}${close}]`;
}

/** Writes the source of a cell in the form of its old source: one string, or an array of lines. */

/** `layout` is that of the cell. */
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

/** The array's own layout; null when it is empty. */
function arrayLayout(
  source: string,
  { valueStart }: JsonMember,
  { next, colon }: JsonLayout,
): JsonLayout | null {
  const { open, close, elements } = readJsonArray(source, valueStart);
  const [firstElement, secondElement] = elements;
  if (firstElement === undefined) return null;
  const first = source.slice(open + 1, firstElement.start);
  const spacing = first.includes('\n') ? first : next;
  return {
    first,
    next: secondElement === undefined ? spacing : source.slice(secondElement.lead, secondElement.start),
    close: source.slice(elements.at(-1)?.end, close),
    colon,
  };
}
