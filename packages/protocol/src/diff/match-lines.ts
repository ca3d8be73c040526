/**
 * Pairs equal lines in order: trim the block; split it at the middle of a shortest edit script and repeat;
 * too many edits for that: split at lines unique on both sides; none of those: leave the block unmatched.
 */

/** A run of old lines and the run of new lines that replaces it; 0-based, half-open. Either may be empty. */
export type LineChange = { oldStart: number; oldEnd: number; newStart: number; newEnd: number };

/** Steps one call may spend on shortest edit scripts: some 0.1 s; 2,000 edits in 20,000 lines take a third. */
const MAX_STEPS = 6_000_000;
/** Lines can become unique again inside a gap, level after level; deeper levels are not worth their time. */
const MAX_ANCHOR_DEPTH = 8;

type Point = { oldAt: number; newAt: number };

type Matching = { search: EditSearch; partners: Int32Array };

/** For each old line the index of its new counterpart, or -1. Indexes only grow. */
export function matchLines(oldIds: Int32Array, newIds: Int32Array, maxEdits: number): Int32Array {
  const bound = Math.min(maxEdits, oldIds.length + newIds.length);
  const centre = Math.ceil(bound / 2) + 1;
  const search: EditSearch = {
    oldIds,
    newIds,
    maxEdits: bound,
    stepsLeft: MAX_STEPS,
    centre,
    forward: new Int32Array(2 * centre + 1),
    backward: new Int32Array(2 * centre + 1),
  };
  const partners = new Int32Array(oldIds.length).fill(-1);
  const allLines = { oldStart: 0, oldEnd: oldIds.length, newStart: 0, newEnd: newIds.length };
  matchBlock({ search, partners }, allLines, 0);
  return partners;
}

function matchBlock(matching: Matching, block: LineChange, depth: number): void {
  const rest = matchEnds(matching, block);
  if (rest.oldStart === rest.oldEnd || rest.newStart === rest.newEnd) return;
  const middle = findMiddle(matching.search, rest);
  if (middle) {
    matchBlock(matching, { ...rest, oldEnd: middle.oldAt, newEnd: middle.newAt }, depth);
    matchBlock(matching, { ...rest, oldStart: middle.oldAt, newStart: middle.newAt }, depth);
  } else if (depth < MAX_ANCHOR_DEPTH) {
    matchAtAnchors(matching, rest, depth);
  }
}

function matchEnds({ search, partners }: Matching, block: LineChange): LineChange {
  const { oldIds, newIds } = search;
  let { oldStart, oldEnd, newStart, newEnd } = block;
  while (oldStart < oldEnd && newStart < newEnd && oldIds[oldStart] === newIds[newStart]) {
    partners[oldStart++] = newStart++;
  }
  while (oldEnd > oldStart && newEnd > newStart && oldIds[oldEnd - 1] === newIds[newEnd - 1]) {
    partners[--oldEnd] = --newEnd;
  }
  return { oldStart, oldEnd, newStart, newEnd };
}

function matchAtAnchors(matching: Matching, block: LineChange, depth: number): void {
  const anchors = findAnchors(matching.search.oldIds, matching.search.newIds, block);
  if (anchors.length === 0) return;
  let { oldStart, newStart } = block;
  for (const { oldAt, newAt } of anchors) {
    // Each gap ends with its anchor, which the trimming of that gap then pairs.
    matchBlock(matching, { oldStart, oldEnd: oldAt + 1, newStart, newEnd: newAt + 1 }, depth + 1);
    oldStart = oldAt + 1;
    newStart = newAt + 1;
  }
  matchBlock(matching, { ...block, oldStart, newStart }, depth + 1);
}

/** `forward[centre + k]` is how far in old lines diagonal k (old minus new) was reached, -1 if it was not. */
type EditSearch = {
  oldIds: Int32Array;
  newIds: Int32Array;
  maxEdits: number;
  /** Shared by all blocks of one diff and counted down, so that many blocks cannot add up to a long wait. */
  stepsLeft: number;
  centre: number;
  forward: Int32Array;
  backward: Int32Array;
};

/**
 * Halves a shortest edit script (Myers 1986, section 4b, linear space): one search grows from the start of the block, one from its end,
 * alternating one edit at a time until they meet. The block must be trimmed and have lines on both sides. Null when the bound on edits or
 * steps is reached.
 */
function findMiddle(search: EditSearch, block: LineChange): Point | null {
  const surplus = block.oldEnd - block.oldStart - (block.newEnd - block.newStart);
  if (Math.abs(surplus) > search.maxEdits) return null;
  search.forward[search.centre] = 0;
  search.backward[search.centre] = 0;
  for (let edits = 1; edits <= search.maxEdits && search.stepsLeft > 0; edits++) {
    const point = edits % 2 === 1 ? growForward(search, block, edits) : growBackward(search, block, edits);
    if (point) return point;
  }
  return null;
}

function growForward(search: EditSearch, block: LineChange, edits: number): Point | null {
  const { oldStart, newStart } = block;
  const front: Front = {
    reach: search.forward,
    facing: search.backward,
    oldBase: oldStart,
    newBase: newStart,
    step: 1,
  };
  const meeting = grow(search, block, front, edits);
  return meeting && { oldAt: oldStart + meeting.oldAt, newAt: newStart + meeting.newAt };
}

function growBackward(search: EditSearch, block: LineChange, edits: number): Point | null {
  const { oldEnd, newEnd } = block;
  const front: Front = {
    reach: search.backward,
    facing: search.forward,
    oldBase: oldEnd - 1,
    newBase: newEnd - 1,
    step: -1,
  };
  const meeting = grow(search, block, front, edits);
  return meeting && { oldAt: oldEnd - meeting.oldAt, newAt: newEnd - meeting.newAt };
}

type Front = { reach: Int32Array; facing: Int32Array; oldBase: number; newBase: number; step: 1 | -1 };

/** Spends one more edit on every diagonal of this front; the answer counts lines from the front's own corner. */
function grow(search: EditSearch, block: LineChange, front: Front, edits: number): Point | null {
  const { oldIds, newIds, centre } = search;
  const { reach, facing, oldBase, newBase, step } = front;
  const oldCount = block.oldEnd - block.oldStart;
  const newCount = block.newEnd - block.newStart;
  const surplus = oldCount - newCount;
  const spent = Math.ceil(edits / 2);
  const spentFacing = edits - spent;
  const canMeet = (edits - surplus) % 2 === 0;
  reach[centre - spent - 1] = -1;
  reach[centre + spent + 1] = -1;
  // Beyond these diagonals the script would delete or insert more lines than there are.
  const last = Math.min(spent, 2 * oldCount - spent);
  for (let k = Math.max(-spent, spent - 2 * newCount); k <= last && search.stepsLeft > 0; k += 2) {
    let oldAt = furthestStart(reach, centre + k, oldCount, newCount + k);
    if (oldAt === -1) {
      reach[centre + k] = -1;
      continue;
    }
    const from = oldAt;
    const limit = Math.min(oldCount, newCount + k);
    while (oldAt < limit && oldIds[oldBase + step * oldAt] === newIds[newBase + step * (oldAt - k)]) oldAt++;
    reach[centre + k] = oldAt;
    search.stepsLeft -= 1 + oldAt - from;
    const opposite = surplus - k;
    if (!canMeet || Math.abs(opposite) > spentFacing) continue;
    if (oldAt + (facing[centre + opposite] as number) >= oldCount) return { oldAt, newAt: oldAt - k };
  }
  return null;
}

/** One deletion from the diagonal below or one insertion from the one above, whichever gets further and stays inside. */
function furthestStart(reach: Int32Array, at: number, oldCount: number, oldLimit: number): number {
  const below = reach[at - 1] as number;
  const above = reach[at + 1] as number;
  const byDeletion = below >= 0 && below < oldCount ? below + 1 : -1;
  return above > byDeletion && above <= oldLimit ? above : byDeletion;
}

/** Finds lines that occur exactly once on both sides of a block, and of them the longest run in common order. */
function findAnchors(oldIds: Int32Array, newIds: Int32Array, block: LineChange): Point[] {
  const oldPlaces = uniquePlaces(oldIds, block.oldStart, block.oldEnd);
  const newPlaces = uniquePlaces(newIds, block.newStart, block.newEnd);
  const anchors: Point[] = [];
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
function longestRising(anchors: Point[]): Point[] {
  const tails: number[] = [];
  const previous = new Int32Array(anchors.length);
  for (const [index, { newAt }] of anchors.entries()) {
    const length = firstTailAbove(anchors, tails, newAt);
    previous[index] = length === 0 ? -1 : (tails[length - 1] as number);
    tails[length] = index;
  }
  const run: Point[] = [];
  for (let at = tails.at(-1) ?? -1; at !== -1; at = previous[at] as number) run.push(anchors[at] as Point);
  return run.reverse();
}

function firstTailAbove(anchors: Point[], tails: number[], newAt: number): number {
  let low = 0;
  let high = tails.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const tail = anchors[tails[middle] as number] as Point;
    if (tail.newAt < newAt) low = middle + 1;
    else high = middle;
  }
  return low;
}
