/** Turns line changes into hunks with context, in the shape of a structured patch; costs what the changes cost. */

import type { LineChange } from '@codelab/protocol';
import { type ChangeGroup, groupChanges } from './group-changes.ts';

/** Starts are 1-based; of an empty range, the line before it. `lines` carry ' ', '-' or '+' and no `\n`. */
export type Hunk = {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
};

/** Only the final `\n` is taken off a line, so a change of `\r\n` to `\n` stays visible. */
export function hunksFrom(
  oldLines: readonly string[],
  newLines: readonly string[],
  changes: readonly LineChange[],
  context = 3,
): Hunk[] {
  return groupChanges(changes, context).map((group) => toHunk(oldLines, newLines, group, context));
}

function toHunk(
  oldLines: readonly string[],
  newLines: readonly string[],
  group: ChangeGroup,
  context: number,
): Hunk {
  const first = group[0];
  const last = group.at(-1) ?? first;
  const before = Math.min(context, first.oldStart);
  const after = Math.min(context, oldLines.length - last.oldEnd);
  const oldStart = first.oldStart - before;
  const newStart = first.newStart - before;
  const oldCount = last.oldEnd + after - oldStart;
  const newCount = last.newEnd + after - newStart;

  const lines: string[] = [];
  let unchangedFrom = oldStart;
  for (const change of group) {
    pushLines(lines, ' ', oldLines, unchangedFrom, change.oldStart);
    pushLines(lines, '-', oldLines, change.oldStart, change.oldEnd);
    pushLines(lines, '+', newLines, change.newStart, change.newEnd);
    unchangedFrom = change.oldEnd;
  }
  pushLines(lines, ' ', oldLines, unchangedFrom, last.oldEnd + after);
  return {
    oldStart: oldCount === 0 ? oldStart : oldStart + 1,
    oldLines: oldCount,
    newStart: newCount === 0 ? newStart : newStart + 1,
    newLines: newCount,
    lines,
  };
}

function pushLines(out: string[], sign: string, lines: readonly string[], start: number, end: number): void {
  for (const line of lines.slice(start, end))
    out.push(sign + (line.endsWith('\n') ? line.slice(0, -1) : line));
  const isAtEndOfFile = start < end && end === lines.length;
  if (isAtEndOfFile && !lines[end - 1]?.endsWith('\n')) out.push('\\ No newline at end of file');
}
