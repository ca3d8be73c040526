/** Finds lines that occur exactly once on both sides of a block, and of them the longest run in common order. */
import type { LineChange } from './line-change.ts';

type Anchor = { oldAt: number; newAt: number };

export function findAnchors(oldIds: Int32Array, newIds: Int32Array, block: LineChange): Anchor[] {
  const oldPlaces = uniquePlaces(oldIds, block.oldStart, block.oldEnd);
  const newPlaces = uniquePlaces(newIds, block.newStart, block.newEnd);
  const anchors: Anchor[] = [];
  // A Map lists its keys by first occurrence, so the anchors come in the order of the old lines.
  for (const [id, oldAt] of oldPlaces) {
    const newAt = newPlaces.get(id) ?? -1;
    if (oldAt !== -1 && newAt !== -1) anchors.push({ oldAt, newAt });
  }
  return longestRising(anchors);
}

function uniquePlaces(ids: Int32Array, start: number, end: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = start; at < end; at++) {
    const id = ids[at] as number;
    places.set(id, places.has(id) ? -1 : at);
  }
  return places;
}

/** Patience sorting: `tails[n]` ends the run of length n + 1 that ends lowest, `previous` links each run back. */
function longestRising(anchors: Anchor[]): Anchor[] {
  const tails: number[] = [];
  const previous = new Int32Array(anchors.length);
  for (const [index, { newAt }] of anchors.entries()) {
    const length = firstTailAbove(anchors, tails, newAt);
    previous[index] = length === 0 ? -1 : (tails[length - 1] as number);
    tails[length] = index;
  }
  const run: Anchor[] = [];
  for (let at = tails.at(-1) ?? -1; at !== -1; at = previous[at] as number) run.push(anchors[at] as Anchor);
  return run.reverse();
}

function firstTailAbove(anchors: Anchor[], tails: number[], newAt: number): number {
  let low = 0;
  let high = tails.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const tail = anchors[tails[middle] as number] as Anchor;
    if (tail.newAt < newAt) low = middle + 1;
    else high = middle;
  }
  return low;
}
