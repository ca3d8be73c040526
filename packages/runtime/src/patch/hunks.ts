// Hunks of a diff: made from changes, and their two sides.
import type { LineChange } from '@codelab/protocol';

// Turns line changes into hunks with context, in the shape of a structured patch; costs what the changes cost.

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

/** The text a hunk takes away and the text it puts there, with what says where it may stand. */
export type HunkTexts = {
  oldText: string;
  newText: string;
  /** Each with its `\n`, but for a last one without. */
  oldLines: string[];
  /** Context after the last change; null when there is no context at all. */
  trailing: number | null;
  /** One of the sides ends without `\n`, so nothing can follow it. */
  isLast: boolean;
};

export function hunkTexts({ lines }: Pick<Hunk, 'lines'>): HunkTexts {
  const oldLines: string[] = [];
  const newLines: string[] = [];
  let trailing = 0;
  let hasContext = false;
  let isLast = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const sign = line[0];
    const isOpen = lines[index + 1]?.[0] === '\\';
    if (sign === '\\') continue;
    const text = isOpen ? line.slice(1) : `${line.slice(1)}\n`;
    if (sign !== '+') oldLines.push(text);
    if (sign !== '-') newLines.push(text);
    trailing = sign === ' ' ? trailing + 1 : 0;
    hasContext ||= sign === ' ';
    isLast ||= isOpen;
  }
  return {
    oldText: oldLines.join(''),
    newText: newLines.join(''),
    oldLines,
    trailing: hasContext ? trailing : null,
    isLast,
  };
}

/** Which changes share a hunk: those so near each other that their context would touch. */
type ChangeGroup = [LineChange, ...LineChange[]];

function groupChanges(changes: readonly LineChange[], context: number): ChangeGroup[] {
  const groups: ChangeGroup[] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && change.oldStart - last.oldEnd <= 2 * context) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** Counts the lines that changes add and delete. */
export function countChanges(changes: readonly LineChange[]): { additions: number; deletions: number } {
  let additions = 0;
  let deletions = 0;
  for (const change of changes) {
    additions += change.newEnd - change.newStart;
    deletions += change.oldEnd - change.oldStart;
  }
  return { additions, deletions };
}
