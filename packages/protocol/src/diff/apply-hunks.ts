// A text with hunks applied exactly where they say. Undefined when the text does not hold their old lines there.
import type { DiffHunk } from './diff-file.ts';
import { hunkSides } from './hunk-sides.ts';

export function applyHunks(text: string, hunks: readonly DiffHunk[]): string | undefined {
  const lines = text === '' ? [] : text.split(/(?<=\n)/);
  const parts: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const { before, after } = hunkSides(hunk.lines);
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    if (start < at || before.some((line, i) => lines[start + i] !== line)) return undefined;
    parts.push(lines.slice(at, start).join(''), after.join(''));
    at = start + before.length;
  }
  return [...parts, lines.slice(at).join('')].join('');
}
