/** How an object or array is laid out, so that what is added looks like what was there. */
import type { JsonObject } from './read-object.ts';

/** Blanks before the first and every other item and before the closing bracket; `colon` stands between key and value. */
export type Layout = { first: string; next: string; close: string; colon: string };

export function layoutOf(source: string, { open, close, members }: JsonObject): Layout {
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
