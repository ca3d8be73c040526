// Splits a hunk at the context between its changes, like `s` in `git add -p`, into hunks that apply one by one.
import type { DiffHunk } from './unified-diff.ts';

type Hunk = Omit<DiffHunk, 'section'>;

/**
 * The context between two changes is divided, the larger half to the hunk above: with no line after its last change a hunk would have to
 * end the file. Unlike git's, the pieces do not overlap.
 */
export function splitHunk<H extends Hunk>(hunk: H): H[] {
  const pieces: H[] = [];
  let oldBefore = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
  let newBefore = hunk.newLines === 0 ? hunk.newStart : hunk.newStart - 1;
  let start = 0;
  for (const end of [...cuts(hunk.lines), hunk.lines.length]) {
    const lines = hunk.lines.slice(start, end);
    const oldLines = count(lines, '-');
    const newLines = count(lines, '+');
    pieces.push({
      ...hunk,
      oldStart: oldLines === 0 ? oldBefore : oldBefore + 1,
      oldLines,
      newStart: newLines === 0 ? newBefore : newBefore + 1,
      newLines,
      lines,
    });
    oldBefore += oldLines;
    newBefore += newLines;
    start = end;
  }
  return pieces;
}

export function canSplit({ lines }: Pick<Hunk, 'lines'>): boolean {
  return cuts(lines).length > 0;
}

/** Indexes of the lines with which a new piece starts. */
function cuts(lines: readonly string[]): number[] {
  const found: number[] = [];
  let lastChange = -1;
  for (const [index, line] of lines.entries()) {
    // The mark of a missing newline belongs to the line above it.
    const isChange = line[0] === '\\' ? lastChange === index - 1 : line[0] !== ' ';
    if (!isChange) continue;
    const context = index - lastChange - 1;
    if (lastChange !== -1 && context > 0) found.push(lastChange + 1 + Math.ceil(context / 2));
    lastChange = index;
  }
  return found;
}

function count(lines: readonly string[], sign: '-' | '+'): number {
  return lines.filter((line) => line[0] === ' ' || line[0] === sign).length;
}
