/**
 * Halves a shortest edit script (Myers 1986, section 4b, linear space): one search grows from the start of the
 * block, one from its end, an edit at a time in turn, until they meet.
 */
import type { LineChange } from './line-change.ts';

/** `forward[centre + k]` is how far in old lines diagonal k (old minus new) was reached, -1 if it was not. */
export type EditSearch = {
  oldIds: Int32Array;
  newIds: Int32Array;
  maxEdits: number;
  /** Shared by all blocks of one diff and counted down, so that many blocks cannot add up to a long wait. */
  stepsLeft: number;
  centre: number;
  forward: Int32Array;
  backward: Int32Array;
};

type Point = { oldAt: number; newAt: number };

/** The block must be trimmed and have lines on both sides. Null when the bound on edits or steps is hit. */
export function findMiddle(search: EditSearch, block: LineChange): Point | null {
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
    own: search.forward,
    facing: search.backward,
    oldBase: oldStart,
    newBase: newStart,
    step: 1,
  };
  const met = grow(search, block, front, edits);
  return met && { oldAt: oldStart + met.oldAt, newAt: newStart + met.newAt };
}

function growBackward(search: EditSearch, block: LineChange, edits: number): Point | null {
  const { oldEnd, newEnd } = block;
  const front: Front = {
    own: search.backward,
    facing: search.forward,
    oldBase: oldEnd - 1,
    newBase: newEnd - 1,
    step: -1,
  };
  const met = grow(search, block, front, edits);
  return met && { oldAt: oldEnd - met.oldAt, newAt: newEnd - met.newAt };
}

type Front = { own: Int32Array; facing: Int32Array; oldBase: number; newBase: number; step: 1 | -1 };

/** Spends one more edit on every diagonal of this front; the answer counts lines from the front's own corner. */
function grow(search: EditSearch, block: LineChange, front: Front, edits: number): Point | null {
  const { oldIds, newIds, centre } = search;
  const { own, facing, oldBase, newBase, step } = front;
  const oldCount = block.oldEnd - block.oldStart;
  const newCount = block.newEnd - block.newStart;
  const surplus = oldCount - newCount;
  const spent = Math.ceil(edits / 2);
  const spentFacing = edits - spent;
  const canMeet = (edits - surplus) % 2 === 0;
  own[centre - spent - 1] = -1;
  own[centre + spent + 1] = -1;
  // Beyond these diagonals the script would delete or insert more lines than there are.
  const last = Math.min(spent, 2 * oldCount - spent);
  for (let k = Math.max(-spent, spent - 2 * newCount); k <= last && search.stepsLeft > 0; k += 2) {
    let oldAt = furthestStart(own, centre + k, oldCount, newCount + k);
    if (oldAt === -1) {
      own[centre + k] = -1;
      continue;
    }
    const from = oldAt;
    const limit = Math.min(oldCount, newCount + k);
    while (oldAt < limit && oldIds[oldBase + step * oldAt] === newIds[newBase + step * (oldAt - k)]) oldAt++;
    own[centre + k] = oldAt;
    search.stepsLeft -= 1 + oldAt - from;
    const opposite = surplus - k;
    if (!canMeet || Math.abs(opposite) > spentFacing) continue;
    if (oldAt + (facing[centre + opposite] as number) >= oldCount) return { oldAt, newAt: oldAt - k };
  }
  return null;
}

/** One deletion from the diagonal below or one insertion from the one above, whichever leads further and stays inside. */
function furthestStart(own: Int32Array, at: number, oldCount: number, oldLimit: number): number {
  const below = own[at - 1] as number;
  const above = own[at + 1] as number;
  const byDeletion = below >= 0 && below < oldCount ? below + 1 : -1;
  return above > byDeletion && above <= oldLimit ? above : byDeletion;
}
