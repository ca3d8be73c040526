/** Compares two lists of lines: trims what both share at the ends, interns the rest, matches it, reports the gaps. */
import type { LineChange } from './line-change.ts';
import { matchLines } from './match-lines.ts';
import { type SharedLines, sharedLines } from './shared-lines.ts';

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
