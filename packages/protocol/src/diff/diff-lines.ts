/** Compares two lists of lines: trims what both share at the ends, interns the rest, matches it, reports the gaps. */
import { type LineChange, matchLines } from './match-lines.ts';

const DEFAULT_MAX_EDITS = 2_000;

/** Ranges that differ, in order, always with an equal line between two of them. Shortest up to `maxEdits`. */
export function diffLines(
  oldLines: readonly string[],
  newLines: readonly string[],
  options: { maxEdits?: number } = {},
): LineChange[] {
  const block = differingBlock(oldLines, newLines);
  const isOldEmpty = block.oldStart === block.oldEnd;
  const isNewEmpty = block.newStart === block.newEnd;
  if (isOldEmpty && isNewEmpty) return [];
  if (isOldEmpty || isNewEmpty) return [block];
  const shared = sharedLines(oldLines, newLines, block);
  const partners = matchLines(shared.oldIds, shared.newIds, options.maxEdits ?? DEFAULT_MAX_EDITS);
  return gapsBetween(block, shared, partners);
}

/** The lines that two lists have in common, in order, as pairs of indexes. */
export function commonLines(
  oldLines: readonly string[],
  newLines: readonly string[],
): (readonly [oldAt: number, newAt: number])[] {
  const pairs: (readonly [number, number])[] = [];
  let oldAt = 0;
  let newAt = 0;
  const pairUntil = (oldEnd: number): void => {
    while (oldAt < oldEnd) pairs.push([oldAt++, newAt++]);
  };
  for (const change of diffLines(oldLines, newLines)) {
    pairUntil(change.oldStart);
    oldAt = change.oldEnd;
    newAt = change.newEnd;
  }
  pairUntil(oldLines.length);
  return pairs;
}

function differingBlock(oldLines: readonly string[], newLines: readonly string[]): LineChange {
  let oldEnd = oldLines.length;
  let newEnd = newLines.length;
  const shorter = Math.min(oldEnd, newEnd);
  let start = 0;
  while (start < shorter && oldLines[start] === newLines[start]) start++;
  while (oldEnd > start && newEnd > start && oldLines[oldEnd - 1] === newLines[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  return { oldStart: start, oldEnd, newStart: start, newEnd };
}

function gapsBetween(block: LineChange, shared: SharedLines, partners: Int32Array): LineChange[] {
  const gaps: LineChange[] = [];
  let { oldStart, newStart } = block;
  const closeGap = (oldEnd: number, newEnd: number) => {
    if (oldStart < oldEnd || newStart < newEnd) gaps.push({ oldStart, oldEnd, newStart, newEnd });
    oldStart = oldEnd + 1;
    newStart = newEnd + 1;
  };
  for (const [index, partner] of partners.entries()) {
    if (partner !== -1) closeGap(shared.oldAt[index] as number, shared.newAt[partner] as number);
  }
  closeGap(block.oldEnd, block.newEnd);
  return gaps;
}

/** `oldAt[i]` is the place in the file of the line whose number is `oldIds[i]`; likewise for new. */
type SharedLines = {
  oldIds: Int32Array;
  oldAt: Int32Array;
  newIds: Int32Array;
  newAt: Int32Array;
};

/**
 * Interns the lines of a block to integers and keeps only those that occur on both sides.
 * A line without a counterpart cannot match, so leaving it out shortens the search and not its answer.
 */
function sharedLines(
  oldLines: readonly string[],
  newLines: readonly string[],
  block: LineChange,
): SharedLines {
  const idOfLine = new Map<string, number>();
  for (let at = block.newStart; at < block.newEnd; at++) {
    const line = newLines[at] as string;
    if (!idOfLine.has(line)) idOfLine.set(line, idOfLine.size);
  }
  const isInOld = new Uint8Array(idOfLine.size);
  const oldSide = keep(block.oldStart, block.oldEnd, (at) => {
    const id = idOfLine.get(oldLines[at] as string) ?? -1;
    if (id !== -1) isInOld[id] = 1;
    return id;
  });
  const newSide = keep(block.newStart, block.newEnd, (at) => {
    const id = idOfLine.get(newLines[at] as string) as number;
    return isInOld[id] === 1 ? id : -1;
  });
  return { oldIds: oldSide.ids, oldAt: oldSide.at, newIds: newSide.ids, newAt: newSide.at };
}

function keep(start: number, end: number, idAt: (at: number) => number) {
  const ids = new Int32Array(end - start);
  const places = new Int32Array(end - start);
  let count = 0;
  for (let at = start; at < end; at++) {
    const id = idAt(at);
    if (id === -1) continue;
    ids[count] = id;
    places[count] = at;
    count++;
  }
  return { ids: ids.subarray(0, count), at: places.subarray(0, count) };
}
