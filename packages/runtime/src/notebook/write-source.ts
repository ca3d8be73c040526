/** Writes the source of a cell in the form its old source has: one string, or an array of lines. */
import { splitAtLineFeeds } from '../patch/split-at-line-feeds.ts';
import type { Layout } from './layout-of.ts';
import { nestedLayout } from './nested-layout.ts';
import { readArray } from './read-array.ts';
import type { Member } from './read-object.ts';
import { writeArray } from './write-array.ts';

/** `layout` is that of the cell around it. */
export function writeSource(source: string, old: Member | undefined, layout: Layout, text: string): string {
  const opener = old === undefined ? '' : source[old.valueStart];
  if (opener === '"') return JSON.stringify(text);
  const lines = splitAtLineFeeds(text).map((line) => JSON.stringify(line));
  const isArray = old !== undefined && opener === '[';
  return writeArray(lines, (isArray ? arrayLayout(source, old, layout) : null) ?? nestedLayout(layout));
}

/** As the array is laid out; null if it is empty. */
function arrayLayout(source: string, { valueStart }: Member, { next, colon }: Layout): Layout | null {
  const { open, close, elements } = readArray(source, valueStart);
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
