/** Sets the lines of a block against those of another: equal ones first, what lies between them row by row. */
import { diffLines } from '@codelab/protocol';
import { fitWithin } from './fit-within.ts';
import { foldTypography } from './fold-typography.ts';

/** Indices of lines that stand against each other; null where one side has none. */
type LinePair = { found: number | null; wanted: number | null };

export type Alignment = { pairs: LinePair[]; similarity: number };

/** `similarity` is 1 when the lines are the same but for blanks and typography, 0 when they share nothing. */
export function alignLines(found: readonly string[], wanted: readonly string[]): Alignment {
  const [foundKeys, wantedKeys] = [found.map(keyOf), wanted.map(keyOf)];
  const pairs = pairLines(foundKeys, wantedKeys);
  let shared = 0;
  let total = 0;
  for (const pair of pairs) {
    const foundKey = pair.found === null ? '' : (foundKeys[pair.found] ?? '');
    const wantedKey = pair.wanted === null ? '' : (wantedKeys[pair.wanted] ?? '');
    // The first and the last wanted line may be parts of lines.
    const isPart = pair.wanted === 0 || pair.wanted === wanted.length - 1;
    total += wantedKey.length || foundKey.length / 4;
    shared += wantedKey.length * likeness(foundKey, wantedKey, isPart);
  }
  return { pairs, similarity: total === 0 ? 0 : shared / total };
}

function keyOf(line: string): string {
  return foldTypography(line).trim();
}

function pairLines(found: string[], wanted: string[]): LinePair[] {
  const pairs: LinePair[] = [];
  let [foundAt, wantedAt] = [0, 0];
  const pairUntil = (foundEnd: number, wantedEnd: number) => {
    while (foundAt < foundEnd || wantedAt < wantedEnd) {
      pairs.push({
        found: foundAt < foundEnd ? foundAt++ : null,
        wanted: wantedAt < wantedEnd ? wantedAt++ : null,
      });
    }
  };
  for (const { oldStart, oldEnd, newStart, newEnd } of diffLines(found, wanted)) {
    pairUntil(oldStart, newStart);
    pairUntil(oldEnd, newEnd);
  }
  pairUntil(found.length, wanted.length);
  return pairs;
}

function likeness(found: string, wanted: string, isPart: boolean): number {
  if (found === wanted) return 1;
  if (found === '' || wanted === '') return 0;
  // A line that differs never counts as one that does not.
  if (!isPart) return 0.9 * sharedPairs(found, wanted);
  const { changes, compared } = fitWithin(found, wanted);
  return 0.95 * Math.max(0, 1 - changes / compared);
}

const MAX_COMPARED = 500;

/** How many of the pairs of neighbouring characters two lines share. */
function sharedPairs(found: string, wanted: string): number {
  const known = new Set<number>();
  const [foundLength, wantedLength] = [found.length, wanted.length].map((n) => Math.min(n, MAX_COMPARED)) as [
    number,
    number,
  ];
  for (let at = 0; at < foundLength; at++) known.add(pairAt(found, at));
  let shared = 0;
  for (let at = 0; at < wantedLength; at++) if (known.has(pairAt(wanted, at))) shared++;
  return shared / Math.max(wantedLength, (wantedLength + foundLength) / 2);
}

function pairAt(line: string, at: number): number {
  return (line.charCodeAt(at) << 16) | (at + 1 < line.length ? line.charCodeAt(at + 1) : 0);
}
