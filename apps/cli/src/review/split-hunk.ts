// Splits a hunk at the context between its changes into hunks that apply one by one; one that can't be split stays whole.
import type { DiffHunk } from './diff-file.ts';
import { hunkSides } from './hunk-sides.ts';

export function splitHunk(hunk: DiffHunk): DiffHunk[] {
  const pieces: DiffHunk[] = [];
  let oldBefore = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
  let newBefore = hunk.newLines === 0 ? hunk.newStart : hunk.newStart - 1;
  let start = 0;
  for (const end of [...cuts(hunk.lines), hunk.lines.length]) {
    const lines = hunk.lines.slice(start, end);
    const { before, after } = hunkSides(lines);
    pieces.push({
      ...hunk,
      oldStart: before.length === 0 ? oldBefore : oldBefore + 1,
      oldLines: before.length,
      newStart: after.length === 0 ? newBefore : newBefore + 1,
      newLines: after.length,
      lines,
    });
    oldBefore += before.length;
    newBefore += after.length;
    start = end;
  }
  return pieces;
}

/**
 * Where a new piece starts. The context between two changes is shared out, its larger half to the piece above: with no
 * line after its last change a hunk would have to end the file.
 */
function cuts(lines: readonly string[]): number[] {
  const found: number[] = [];
  let lastChange = -1;
  for (const [i, line] of lines.entries()) {
    // The mark of a missing newline belongs to the line above it.
    const isChange = line.startsWith('\\') ? lastChange === i - 1 : !line.startsWith(' ');
    if (!isChange) continue;
    const context = i - lastChange - 1;
    if (lastChange >= 0 && context > 0) found.push(lastChange + 1 + Math.ceil(context / 2));
    lastChange = i;
  }
  return found;
}
