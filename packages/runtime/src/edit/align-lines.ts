/** Aligns the lines of two blocks: equal lines first, the lines between them row by row. */
import { diffLines } from '@codelab/protocol';

/** Indices of two aligned lines; null where one side has no line. */
type LinePair = { found: number | null; expected: number | null };

export type Alignment = { pairs: LinePair[]; similarity: number };

/** `similarity` is 1 when the lines differ only in blanks and typography, 0 when they share nothing. */
export function alignLines(found: readonly string[], expected: readonly string[]): Alignment {
  const [foundKeys, expectedKeys] = [found.map(keyOf), expected.map(keyOf)];
  const pairs = pairLines(foundKeys, expectedKeys);
  let shared = 0;
  let total = 0;
  for (const pair of pairs) {
    const foundKey = pair.found === null ? '' : (foundKeys[pair.found] ?? '');
    const expectedKey = pair.expected === null ? '' : (expectedKeys[pair.expected] ?? '');
    // The first and the last wanted line may be only parts of lines.
    const isPart = pair.expected === 0 || pair.expected === expected.length - 1;
    total += expectedKey.length || foundKey.length / 4;
    shared += expectedKey.length * likeness(foundKey, expectedKey, isPart);
  }
  return { pairs, similarity: total === 0 ? 0 : shared / total };
}

function keyOf(line: string): string {
  return foldTypography(line).trim();
}

function pairLines(found: string[], expected: string[]): LinePair[] {
  const pairs: LinePair[] = [];
  let [foundAt, expectedAt] = [0, 0];
  const pairUntil = (foundEnd: number, expectedEnd: number) => {
    while (foundAt < foundEnd || expectedAt < expectedEnd) {
      pairs.push({
        found: foundAt < foundEnd ? foundAt++ : null,
        expected: expectedAt < expectedEnd ? expectedAt++ : null,
      });
    }
  };
  for (const { oldStart, oldEnd, newStart, newEnd } of diffLines(found, expected)) {
    pairUntil(oldStart, newStart);
    pairUntil(oldEnd, newEnd);
  }
  pairUntil(found.length, expected.length);
  return pairs;
}

function likeness(found: string, expected: string, isPart: boolean): number {
  if (found === expected) return 1;
  if (found === '' || expected === '') return 0;
  // A line that differs must score lower than an equal one.
  if (!isPart) return 0.9 * sharedPairs(found, expected);
  const { changes, compared } = fitWithin(found, expected);
  return 0.95 * Math.max(0, 1 - changes / compared);
}

const MAX_COMPARED = 500;

/** The share of neighbouring character pairs that two lines have in common. */
function sharedPairs(found: string, expected: string): number {
  const charPairs = new Set<number>();
  const [foundLength, expectedLength] = [found.length, expected.length].map((n) =>
    Math.min(n, MAX_COMPARED),
  ) as [number, number];
  for (let at = 0; at < foundLength; at++) charPairs.add(pairAt(found, at));
  let shared = 0;
  for (let at = 0; at < expectedLength; at++) if (charPairs.has(pairAt(expected, at))) shared++;
  return shared / Math.max(expectedLength, (expectedLength + foundLength) / 2);
}

function pairAt(line: string, at: number): number {
  return (line.charCodeAt(at) << 16) | (at + 1 < line.length ? line.charCodeAt(at + 1) : 0);
}

/** Where a shorter piece fits into a line with the fewest changes (Sellers 1980); of equal fits, the one that begins first. */

const MAX_FOUND = 800;
const MAX_EXPECTED = 250;
const STRIDE = 8;

/** `changes` is how many of the `compared` characters differ. */
export type Fit = { start: number; end: number; changes: number; compared: number };

export function fitWithin(line: string, piece: string): Fit {
  const isShort = piece.length <= MAX_EXPECTED;
  const exactAt = isShort ? line.indexOf(piece) : -1;
  if (exactAt !== -1) {
    return { start: exactAt, end: exactAt + piece.length, changes: 0, compared: piece.length };
  }
  const from = line.length > MAX_FOUND ? likelyStart(line, piece) : 0;
  const stretch = line.slice(from, from + MAX_FOUND);
  const compared = Math.min(piece.length, MAX_EXPECTED);
  const fit = fewestChanges(stretch, piece.slice(0, compared));
  // Only the beginning of a long piece was compared, so the end of the fit is unknown.
  const end = isShort ? from + fit.end : line.length;
  return { start: from + fit.start, end, changes: fit.changes, compared };
}

/** In a very long line: near the first part of the piece that occurs literally. */
function likelyStart(line: string, piece: string): number {
  for (let at = 0; at + STRIDE <= piece.length && at < MAX_EXPECTED; at += STRIDE) {
    const place = line.indexOf(piece.slice(at, at + STRIDE));
    if (place !== -1) return Math.max(0, place - at - MAX_EXPECTED / 2);
  }
  return 0;
}

/** Row by row over the piece; `costs[i]` is the lowest cost of fits that end before character i, `starts[i]` is their start. */
function fewestChanges(line: string, piece: string) {
  let costs = new Int32Array(line.length + 1);
  let starts = Int32Array.from({ length: line.length + 1 }, (_, at) => at);
  let nextCosts = new Int32Array(line.length + 1);
  let nextStarts = new Int32Array(line.length + 1);
  for (let row = 1; row <= piece.length; row++) {
    nextCosts[0] = row;
    nextStarts[0] = 0;
    for (let at = 1; at <= line.length; at++) {
      const isSame = line.charCodeAt(at - 1) === piece.charCodeAt(row - 1);
      const replaced = (costs[at - 1] as number) + (isSame ? 0 : 1);
      const missing = (costs[at] as number) + 1;
      const surplus = (nextCosts[at - 1] as number) + 1;
      const cost = Math.min(replaced, missing, surplus);
      nextCosts[at] = cost;
      nextStarts[at] = Math.min(
        cost === replaced ? (starts[at - 1] as number) : at,
        cost === missing ? (starts[at] as number) : at,
        cost === surplus ? (nextStarts[at - 1] as number) : at,
      );
    }
    [costs, nextCosts] = [nextCosts, costs];
    [starts, nextStarts] = [nextStarts, starts];
  }
  let end = 0;
  for (let at = 1; at <= line.length; at++) if ((costs[at] as number) < (costs[end] as number)) end = at;
  return { start: starts[end] as number, end, changes: costs[end] as number };
}

/** Replaces typographic quotes, dashes and no-break spaces by their ASCII equivalents, one character for one. */
export function foldTypography(text: string): string {
  return TYPOGRAPHIC.test(text)
    ? text.replace(QUOTES, "'").replace(DOUBLE_QUOTES, '"').replace(DASHES, '-').replace(SPACES, ' ')
    : text;
}

const TYPOGRAPHIC = /[\u00a0\u2007\u202f\u2010-\u2015\u2212\u2018-\u201f]/;
const QUOTES = /[\u2018-\u201b]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f]/g;
const DASHES = /[\u2010-\u2015\u2212]/g;
const SPACES = /[\u00a0\u2007\u202f]/g;
