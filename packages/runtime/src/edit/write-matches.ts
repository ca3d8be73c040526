/** Writes the replacement of an edit at its matches, with the line endings of the file, and names the differences that were ignored. */
import { diffLines, type LineChange } from '@codelab/protocol';
import { splitIntoLines } from '../patch/lines.ts';
import { foldTypography } from './align-lines.ts';
import { cutLine } from './name-differences.ts';
import type { ReplacedSpan } from './spans.ts';
import { type EditMatch, type StringEdit, trimBlanks } from './tolerant-match.ts';

type WrittenMatches = { spans: ReplacedSpan[]; tolerant: string[] };

export function writeMatches(
  text: string,
  edit: StringEdit,
  { ranges, isTolerant }: EditMatch,
): WrittenMatches {
  const write = isTolerant ? lineWriter(text, edit) : contentWriter(text, edit);
  const names = new Set<string>();
  const spans = ranges.map(({ start, end }) => {
    const matched = text.slice(start, end);
    const replacement = write(matched, end);
    if (isTolerant) for (const name of nameTolerances(matched, edit.old_string)) names.add(name);
    else if (matched !== edit.old_string || replacement !== edit.new_string) names.add('line endings');
    return { start, end, replacement };
  });
  return { spans, tolerant: [...names] };
}

type Writer = (matched: string, end: number) => string;

/** A string that contains `\r` is taken literally. */
function contentWriter(text: string, edit: StringEdit): Writer {
  const { old_string: oldText, new_string: next } = edit;
  if (oldText.includes('\r') || next.includes('\r') || !text.includes('\r')) return () => next;
  if (oldText.includes('\n')) {
    const write = lineWriter(text, edit);
    return (matched, end) => (matched === oldText ? next : write(matched, end));
  }
  const endingAt = endingsOf(text);
  return (_, end) => next.replaceAll('\n', endingAt(end));
}

function lineWriter(text: string, { old_string: oldText, new_string: next }: StringEdit): Writer {
  const endingAt = endingsOf(text);
  const rewrite = rewriteMatch(oldText, next);
  return (matched, end) => rewrite(matched, endingAt(end));
}

/**
 * Rewrites a matched piece of a file: lines that the edit leaves unchanged keep the file's spelling, new lines take the line ending of
 * the line above.
 */

/** The matched text has as many lines as `wanted`. `ending` is used when the matched text has no line ending. */
type Rewrite = (matched: string, ending: string) => string;

function rewriteMatch(oldText: string, next: string): Rewrite {
  const oldLines = splitIntoLines(oldText).map(withLineFeed);
  const nextLines = splitIntoLines(next).map(withLineFeed);
  const changes = diffLines(oldLines, nextLines);
  return (matched, ending) => mergeLines(splitIntoLines(matched), nextLines, changes, ending);
}

function withLineFeed(line: string): string {
  const { content, ending } = cutLine(line);
  return ending === '' ? line : `${content}\n`;
}

function mergeLines(matched: string[], next: string[], changes: LineChange[], ending: string): string {
  let result = '';
  let from = 0;
  let above = cutLine(matched[0] ?? '').ending || ending;
  const keepUntil = (end: number) => {
    result += matched.slice(from, end).join('');
    above = cutLine(matched[end - 1] ?? '').ending || above;
  };
  for (const change of changes) {
    keepUntil(change.oldStart);
    for (const line of next.slice(change.newStart, change.newEnd)) {
      result += line.endsWith('\n') ? line.slice(0, -1) + above : line;
    }
    from = change.oldEnd;
  }
  keepUntil(matched.length);
  return result;
}

/** Finds the line ending at an offset: that of its line, or of the line above when it is the last line. */
function endingsOf(text: string): (end: number) => string {
  if (!text.includes('\r')) return () => '\n';
  const terminator = /\r\n?|\n/g;
  // Offsets rise, so the last result is kept and many lookups cost one scan.
  let ending = '\n';
  let endsAt = -1;
  return (end) => {
    if (endsAt >= end) return ending;
    terminator.lastIndex = end;
    const match = terminator.exec(text);
    ending = match?.[0] ?? lastEnding(text);
    endsAt = match?.index ?? Number.POSITIVE_INFINITY;
    return ending;
  };
}

function lastEnding(text: string): string {
  const feed = text.lastIndexOf('\n');
  if (text.lastIndexOf('\r') > feed) return '\r';
  return text[feed - 1] === '\r' ? '\r\n' : '\n';
}

/** Names each difference that a match ignored, for the approval. */
/** `matched` and `wanted` have the same number of lines. */
function nameTolerances(matched: string, oldText: string): string[] {
  const names = new Set<string>();
  const matchedLines = splitIntoLines(matched);
  for (const [index, line] of splitIntoLines(oldText).entries()) {
    const oldLine = cutLine(line);
    const found = cutLine(matchedLines[index] ?? '');
    if (found.ending !== oldLine.ending) names.add('line endings');
    const [foldedFound, foldedOld] = [foldTypography(found.content), foldTypography(oldLine.content)];
    if (foldedFound !== foldedOld) names.add('trailing blanks');
    const length = Math.min(trimBlanks(foldedFound).length, trimBlanks(foldedOld).length);
    for (let at = 0; at < length; at++) {
      if (found.content[at] !== oldLine.content[at]) names.add(KIND[foldedFound[at] ?? ''] ?? KIND['-']);
    }
  }
  return [...names];
}

const KIND: Record<string, string> & { '-': string } = {
  "'": 'typographic quotes',
  '"': 'typographic quotes',
  '-': 'typographic dashes',
  ' ': 'no-break spaces',
};
