/** Places where a string stands in a text; its `\n` stands for any line ending, unless it speaks of `\r` itself. */
import { findOccurrences } from './find-occurrences.ts';

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
