/** Tells a caller what stands in the file instead of the string that was not found, in at most 20 lines. */
import { splitLines } from '../patch/lines.ts';
import type { NearestCandidate } from './nearest-candidate.ts';

const MAX_SHOWN_LINES = 11;
const LINES_BEFORE = 3;
const MAX_DIFFERENCES = 6;
const MAX_LINE_CHARS = 120;
const MAX_CHARS = 1_900;

/** `text` is the file; of a long block the lines around its first difference are shown. */
export function describeMiss(nearest: NearestCandidate | null, text: string): string {
  if (nearest === null)
    return 'Nothing in the file is similar to it. Read the file, and copy the text to replace from it.';
  const { startLine, endLine, differences } = nearest;
  const place = startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`;
  const named = differences
    .slice(0, MAX_DIFFERENCES)
    .map(
      ({ line, column, expected, found }) =>
        `Line ${line}, column ${column}: expected ${expected}, found ${found}`,
    );
  const parts = [`The nearest text is in ${place}:`, ...shownLines(nearest, splitLines(text)), ...named];
  return `${bounded(parts.join('\n'), MAX_CHARS)}\nCopy old_string exactly as the file has it.`;
}

function shownLines(
  { startLine, endLine, differences }: NearestCandidate,
  lines: readonly string[],
): string[] {
  const isLong = endLine - startLine + 1 > MAX_SHOWN_LINES;
  const around = (differences[0]?.line ?? startLine) - LINES_BEFORE;
  const first = isLong ? Math.max(startLine, Math.min(around, endLine - MAX_SHOWN_LINES + 1)) : startLine;
  const last = Math.min(endLine, first + MAX_SHOWN_LINES - 1);
  const columns = new Map(differences.toReversed().map(({ line, column }) => [line, column]));
  const shown = lines
    .slice(first - 1, last)
    .map((line, i) =>
      bounded(`${first + i} | ${aroundColumn(line, columns.get(first + i) ?? 1)}`, MAX_LINE_CHARS),
    );
  return [...(first > startLine ? ['…'] : []), ...shown, ...(last < endLine ? ['…'] : [])];
}

/** Of a long line the part with the difference. */
function aroundColumn(line: string, column: number): string {
  const text = line.replace(/[\r\n]+$/, '');
  const from = Math.max(0, column - MAX_LINE_CHARS / 2);
  return text.length <= MAX_LINE_CHARS || from === 0 ? text : `…${text.slice(from)}`;
}

function bounded(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
