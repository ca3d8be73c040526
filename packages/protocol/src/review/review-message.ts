// Comments on lines of a review as one message to the agent: the place, the line, and the comment.
import { readDiff } from '../diff/unified-diff.ts';

/** `line` counts from 1, in the file before (`old`) or now (`new`). */
export type LineComment = { path: string; line: number; side: 'old' | 'new'; text: string };

/** `files` are the diffs that were commented on. A line that they no longer show is named without its text. */
export function reviewMessage(
  comments: readonly LineComment[],
  files: readonly { path: string; diff: string }[],
): string {
  const diffs = new Map(files.map(({ path, diff }) => [path, diff]));
  const inOrder = comments.toSorted((a, b) => compare(a.path, b.path) || a.line - b.line);
  const parts = inOrder.map((comment) => {
    const { path, line, side, text } = comment;
    const quote = lineIn(diffs.get(path) ?? '', comment);
    const position = `${path}:${line}${side === 'old' ? ' (removed)' : ''}`;
    return [position, ...(quote === undefined ? [] : [`> ${quote}`]), text.trim()].join('\n');
  });
  const count = comments.length === 1 ? 'a comment' : `${comments.length} comments`;
  return [
    `I reviewed your changes and have ${count}. Please address ${comments.length === 1 ? 'it' : 'each of them'}.`,
    ...parts,
  ].join('\n\n');
}

function lineIn(diff: string, { line, side }: LineComment): string | undefined {
  for (const { oldStart, newStart, lines } of readDiff(diff).flatMap(({ hunks }) => hunks)) {
    const at = { old: oldStart, new: newStart };
    for (const text of lines) {
      const sign = text.charAt(0);
      if (sign === '\\') continue;
      const isHere = sign === ' ' || sign === (side === 'old' ? '-' : '+');
      if (isHere && at[side] === line) return text.slice(1).trimEnd();
      if (sign !== '+') at.old++;
      if (sign !== '-') at.new++;
    }
  }
  return undefined;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
