/** Tells a caller what stands in the file instead of the string that was not found, in at most 20 lines. */
import type { NearestCandidate } from './nearest-candidate.ts';

const MAX_SHOWN_LINES = 11;
const MAX_DIFFERENCES = 6;
const MAX_LINE_CHARS = 120;
const MAX_CHARS = 1_900;

export function describeMiss(nearest: NearestCandidate | null): string {
  if (nearest === null) return 'Nothing in the file is similar to it.';
  const { startLine, endLine, text, differences } = nearest;
  const place = startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`;
  const lines = text.split(/\r\n?|\n/).slice(0, endLine - startLine + 1);
  const shown = lines
    .slice(0, MAX_SHOWN_LINES)
    .map((line, index) => bounded(`${startLine + index} | ${line}`, MAX_LINE_CHARS));
  if (endLine - startLine + 1 > shown.length) shown.push('…');
  const named = differences
    .slice(0, MAX_DIFFERENCES)
    .map(
      ({ line, column, expected, found }) =>
        `Line ${line}, column ${column}: expected ${expected}, found ${found}`,
    );
  return bounded([`The nearest text is in ${place}:`, ...shown, ...named].join('\n'), MAX_CHARS);
}

function bounded(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
