/**
 * Finds a string whose lines differ from the file only in trailing blanks, line endings or typographic
 * characters. Both sides are folded line by line, searched, and the places led back to the file.
 */
import { splitLines } from '../patch/lines.ts';
import { findOccurrences } from './find-occurrences.ts';
import { foldTypography } from './fold-typography.ts';
import { cutLine } from './name-differences.ts';

/** All places, so that the caller can demand that there is one. */
export function tolerantMatch(text: string, wanted: string): Range[] {
  const folded = foldLines(text);
  const needle = foldLines(wanted);
  if (needle.text.trim() === '') return [];
  // Blanks at the very end were taken off the needle: they may only stand for the blanks at the end of a line.
  const endsLine = /[ \t\u00a0]$/.test(wanted);
  const ranges = findOccurrences(folded.text, needle.text, true).map((start) =>
    rangeIn(folded, start, start + needle.text.length, endsLine),
  );
  return ranges.filter((range) => range !== null);
}

/** `starts` and `places` say where each line begins in the folded text and in the text itself, `ends` where its content ends. */
type Folded = { text: string; starts: number[]; places: number[]; ends: number[] };

function foldLines(text: string): Folded {
  const folded: Folded = { text: '', starts: [], places: [], ends: [] };
  let place = 0;
  for (const line of splitLines(text)) {
    const { content, ending } = cutLine(line);
    folded.starts.push(folded.text.length);
    folded.places.push(place);
    folded.ends.push(place + content.length);
    folded.text += trimBlanks(foldTypography(content)) + (ending === '' ? '' : '\n');
    place += line.length;
  }
  if (!folded.text.endsWith('\n')) return folded;
  folded.starts.push(folded.text.length);
  folded.places.push(place);
  folded.ends.push(place);
  return folded;
}

function rangeIn(folded: Folded, start: number, end: number, endsLine: boolean): Range | null {
  const first = lineAt(folded.starts, start);
  const last = lineAt(folded.starts, end);
  const isLineEnd = folded.text[end] === '\n' || end === folded.text.length;
  if (endsLine && !isLineEnd) return null;
  const isAtLineEnd = folded.text[start] === '\n';
  return {
    // Blanks before a line ending that the match begins with are not part of it.
    start: isAtLineEnd ? at(folded.ends, first) : at(folded.places, first) + start - at(folded.starts, first),
    end: endsLine ? at(folded.ends, last) : at(folded.places, last) + end - at(folded.starts, last),
  };
}

/** The last line that starts at or before a place. */
function lineAt(starts: number[], place: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (at(starts, middle) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

function at(list: number[], index: number): number {
  return list[index] ?? 0;
}

/** A line without the blanks and tabs at its end; a loop, since a pattern takes quadratic time on long runs. */
export function trimBlanks(content: string): string {
  let end = content.length;
  while (end > 0 && (content[end - 1] === ' ' || content[end - 1] === '\t')) end--;
  return content.slice(0, end);
}

/** Places where a string stands in a text; its `\n` stands for any line ending, unless it speaks of `\r` itself. */
export type Range = { start: number; end: number };

export function findByContent(text: string, wanted: string, overlapping: boolean): Range[] {
  const isAboutLines = wanted.includes('\n') && !wanted.includes('\r') && text.includes('\r');
  if (!isAboutLines) {
    return findOccurrences(text, wanted, overlapping).map((start) => ({ start, end: start + wanted.length }));
  }
  const plain = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const starts = placesBefore(text);
  const ends = placesBefore(text);
  return findOccurrences(plain, wanted, overlapping).map((start) => ({
    start: starts(start),
    end: ends(start + wanted.length),
  }));
}

/** Leads from rising places in the plain text back to places in the text; only `\r\n` is longer there. */
function placesBefore(text: string): (place: number) => number {
  let shift = 0;
  let pair = text.indexOf('\r\n');
  return (place) => {
    while (pair !== -1 && pair - shift < place) {
      shift++;
      pair = text.indexOf('\r\n', pair + 2);
    }
    return place + shift;
  };
}
