// What a human made of a hunk in their editor, or what is wrong with it. Undefined when they emptied it.

import { type DiffHunk, hunkSides, visibleLine } from '@codelab/protocol';

export function readEditedHunk(text: string, hunk: DiffHunk): DiffHunk | string | undefined {
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .filter((line) => !line.startsWith('#') && !line.startsWith('@@'))
    // Some editors take the blank away that stands for an empty line of context.
    .map((line) => (line === '' || line === '\r' ? ` ${line}` : line));
  if (lines.every((line) => line.trim() === '')) return undefined;
  return faultOf(lines, hunk) ?? { ...hunk, lines };
}

function faultOf(lines: readonly string[], hunk: DiffHunk): string | undefined {
  const strange = lines.find((line) => !/^[-+ \\]/.test(line));
  if (strange !== undefined)
    return `A line must begin with a blank, "-", "+" or "#": ${visibleLine(strange)}`;
  if (lines.every((line) => !/^[-+]/.test(line))) return 'It changes nothing. To leave the hunk, answer n.';
  const { before, after } = hunkSides(lines);
  const expected = hunkSides(hunk.lines).before;
  const missed = expected.findIndex((line, i) => before[i] !== line);
  if (missed >= 0)
    return `It does not apply: line ${missed + hunk.oldStart} of the file must stay in it, with a blank or "-" before it.`;
  if (before.length > expected.length)
    return `It does not apply: the file does not hold ${visibleLine(before[expected.length] ?? '')}`;
  const isOpenInside = [before, after].some((side) => side.slice(0, -1).some((line) => !line.endsWith('\n')));
  const isAtEnd = hunk.lines.some((line) => line.startsWith('\\'));
  const isOpen = lines.some((line) => line.startsWith('\\'));
  if (isOpenInside || (isOpen && !isAtEnd))
    return 'It does not apply: only the last line of a file can lack its newline.';
  return undefined;
}
