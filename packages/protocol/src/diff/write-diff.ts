// Files with their hunks as a unified diff again. The numbers are those that hold when only these hunks are applied.
import type { DiffFile, DiffHunk } from './diff-file.ts';
import { hunkSides } from './hunk-sides.ts';

export function writeDiff(files: readonly DiffFile[]): string {
  const lines = files.flatMap(({ header, hunks }) => [...header, ...recount(hunks).flatMap(hunkLines)]);
  return lines.map((line) => `${line}\n`).join('');
}

export function hunkHeader({ oldStart, oldLines, newStart, newLines, section }: DiffHunk): string {
  return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@${section}`;
}

function recount(hunks: readonly DiffHunk[]): DiffHunk[] {
  let growth = 0;
  return hunks.map((hunk) => {
    const { before, after } = hunkSides(hunk.lines);
    const linesBefore = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    const newStart = startOf(linesBefore + growth, after.length);
    growth += after.length - before.length;
    return {
      ...hunk,
      oldStart: startOf(linesBefore, before.length),
      oldLines: before.length,
      newStart,
      newLines: after.length,
    };
  });
}

/** A range is numbered by its first line; an empty one by the line before it. */
function startOf(linesBefore: number, count: number): number {
  return count === 0 ? linesBefore : linesBefore + 1;
}

function hunkLines(hunk: DiffHunk): string[] {
  return [hunkHeader(hunk), ...hunk.lines];
}

function range(start: number, count: number): string {
  return count === 1 ? `${start}` : `${start},${count}`;
}
