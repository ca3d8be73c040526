/** Explains why an edit was refused: the sentence of the Kode wire first, then where to look. */
import { ToolError } from '@codelab/protocol';
import { splitIntoLines } from '../patch/lines.ts';
import { type NearestCandidate, nearestCandidate } from './nearest-candidate.ts';
import type { TextRange } from './tolerant-match.ts';

export type FailedEdit = {
  reason: 'same' | 'empty' | 'not_found' | 'not_unique';
  /** The text after the edits before this one. */
  text: string;
  oldText: string;
  /** Number of the edit, from 1. */
  number: number;
  count: number;
  places: readonly TextRange[];
};

export function editFailure(failed: FailedEdit): ToolError {
  const { reason, number, places } = failed;
  const { sentence, details } = explain(failed);
  const position = failed.count > 1 ? ` (Edit ${number} of ${failed.count}; none of them was made.)` : '';
  const [first, ...rest] = sentence.split('\n');
  const message = [`${first}${position}`, ...rest].join('\n');
  return new ToolError('INVALID_ARGUMENTS', message, {
    edit: number,
    matches: places.length,
    reason,
    ...details,
  });
}

function explain(failed: FailedEdit): { sentence: string; details?: Record<string, unknown> } {
  switch (failed.reason) {
    case 'same':
      return { sentence: 'No changes to make: old_string and new_string are exactly the same.' };
    case 'empty':
      return { sentence: 'Cannot create new file - file already exists.' };
    case 'not_unique':
      return explainMany(failed);
    case 'not_found': {
      const nearest = nearestCandidate(failed.text, failed.oldText);
      const numbered = hasLineNumbers(failed.oldText)
        ? '\nIts lines start with line numbers, which are not part of the file: omit them.'
        : '';
      const sentence = `String to replace not found in file.${numbered}\n${describeMiss(nearest, failed.text)}`;
      return { sentence, details: { nearest } };
    }
  }
}

/** Whether the string was copied with the line numbers that read_file and `cat -n` print. */
function hasLineNumbers(oldText: string): boolean {
  const lines = oldText.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 0 && lines.every((line) => /^\s*\d+(\t|→|: |\s?\|)/.test(line));
}

const MAX_PLACES = 10;

function explainMany({ text, places }: FailedEdit) {
  const lines: number[] = [];
  let line = 1;
  let from = 0;
  for (const { start } of places.slice(0, MAX_PLACES)) {
    for (let feed = text.indexOf('\n', from); feed !== -1 && feed < start; feed = text.indexOf('\n', from)) {
      line++;
      from = feed + 1;
    }
    lines.push(line);
  }
  const ellipsis = places.length > MAX_PLACES ? ', …' : '';
  const sentence = [
    `Found ${places.length} matches of the string to replace. Add surrounding lines to old_string until it matches one place only, or set replace_all to change them all.`,
    `The matches start in lines ${lines.join(', ')}${ellipsis}.`,
  ].join('\n');
  return { sentence, details: { lines } };
}

/** Shows what the file has instead of the string that was not found, in at most 20 lines. */
const MAX_SHOWN_LINES = 11;
const LINES_BEFORE = 3;
const MAX_DIFFERENCES = 6;
const MAX_LINE_CHARS = 120;
const MAX_CHARS = 1_900;

/** `text` is the whole file. Of a long block, only the lines around its first difference are shown. */
export function describeMiss(nearest: NearestCandidate | null, text: string): string {
  if (nearest === null)
    return 'Nothing in the file is similar to it. Read the file, and copy the text to replace from it.';
  const { startLine, endLine, differences } = nearest;
  const place = startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`;
  const differenceTexts = differences
    .slice(0, MAX_DIFFERENCES)
    .map(
      ({ line, column, expected, found }) =>
        `Line ${line}, column ${column}: expected ${expected}, found ${found}`,
    );
  const parts = [
    `The nearest text is in ${place}:`,
    ...shownLines(nearest, splitIntoLines(text)),
    ...differenceTexts,
  ];
  return `${bounded(parts.join('\n'), MAX_CHARS)}\nCopy old_string exactly as the file has it.`;
}

function shownLines(
  { startLine, endLine, differences }: NearestCandidate,
  lines: readonly string[],
): string[] {
  const isLong = endLine - startLine + 1 > MAX_SHOWN_LINES;
  const firstDiffering = (differences[0]?.line ?? startLine) - LINES_BEFORE;
  const first = isLong
    ? Math.max(startLine, Math.min(firstDiffering, endLine - MAX_SHOWN_LINES + 1))
    : startLine;
  const last = Math.min(endLine, first + MAX_SHOWN_LINES - 1);
  const columns = new Map(differences.toReversed().map(({ line, column }) => [line, column]));
  const numbered = lines
    .slice(first - 1, last)
    .map((line, i) =>
      bounded(`${first + i} | ${aroundColumn(line, columns.get(first + i) ?? 1)}`, MAX_LINE_CHARS),
    );
  return [...(first > startLine ? ['…'] : []), ...numbered, ...(last < endLine ? ['…'] : [])];
}

/** The part of a long line that holds the difference. */
function aroundColumn(line: string, column: number): string {
  const text = line.replace(/[\r\n]+$/, '');
  const from = Math.max(0, column - MAX_LINE_CHARS / 2);
  return text.length <= MAX_LINE_CHARS || from === 0 ? text : `…${text.slice(from)}`;
}

function bounded(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
