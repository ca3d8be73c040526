/** Gives hunks the numbers they have when only they are applied: counts from their lines, new starts from those before. */
import type { PatchHunk } from './file-patch.ts';

export function recount(hunks: readonly PatchHunk[]): PatchHunk[] {
  let growth = 0;
  return hunks.map((hunk) => {
    const { oldLines, newLines } = countSides(hunk.lines);
    const before = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    const oldStart = startOf(before, oldLines);
    const newStart = startOf(before + growth, newLines);
    growth += newLines - oldLines;
    return { ...hunk, oldStart, oldLines, newStart, newLines };
  });
}

/** A range is numbered by its first line; an empty one by the line before it. */
function startOf(linesBefore: number, count: number): number {
  return count === 0 ? linesBefore : linesBefore + 1;
}

function countSides(lines: readonly string[]): { oldLines: number; newLines: number } {
  let oldLines = 0;
  let newLines = 0;
  for (const line of lines) {
    if (line[0] === ' ' || line[0] === '-') oldLines++;
    if (line[0] === ' ' || line[0] === '+') newLines++;
  }
  return { oldLines, newLines };
}
