/** Finds where one edit applies: exactly first; if that finds nothing and tolerance is allowed, tolerantly. */
import { splitIntoLines } from '../patch/lines.ts';
import { foldTypography } from './align-lines.ts';
import { cutLine } from './name-differences.ts';

export type StringEdit = { old_string: string; new_string: string; replace_all?: boolean | undefined };

export type EditMatch = { ranges: TextRange[]; isTolerant: boolean };

/** Without `replace_all`, overlapping matches count too: every place the string could mean. */
export function matchEdit(text: string, edit: StringEdit, allowsTolerant: boolean): EditMatch {
  const ranges = findByContent(text, edit.old_string, !edit.replace_all);
  if (ranges.length > 0 || !allowsTolerant) return { ranges, isTolerant: false };
  return { ranges: tolerantMatch(text, edit.old_string), isTolerant: true };
}

/**
 * Finds a string whose lines differ from the file only in trailing blanks, line endings or typographic characters. Both sides are folded
 * line by line and searched; the matches are mapped back to the file.
 */
/** Returns all matches, so that the caller can require exactly one. */
function tolerantMatch(text: string, oldText: string): TextRange[] {
  const folded = foldLines(text);
  const needle = foldLines(oldText);
  if (needle.text.trim() === '') return [];
  // Trailing blanks were removed from the searched string: they may only match blanks at the end of a line.
  const endsLine = /[ \t\u00a0]$/.test(oldText);
  const ranges = findOccurrences(folded.text, needle.text, true).map((start) =>
    rangeIn(folded, start, start + needle.text.length, endsLine),
  );
  return ranges.filter((range) => range !== null);
}

/** `starts` and `places` are the start of each line in the folded and in the original text; `ends` is where its content ends. */
type FoldedText = { text: string; starts: number[]; places: number[]; ends: number[] };

function foldLines(text: string): FoldedText {
  const folded: FoldedText = { text: '', starts: [], places: [], ends: [] };
  let place = 0;
  for (const line of splitIntoLines(text)) {
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

function rangeIn(folded: FoldedText, start: number, end: number, endsLine: boolean): TextRange | null {
  const first = lineAt(folded.starts, start);
  const last = lineAt(folded.starts, end);
  const isLineEnd = folded.text[end] === '\n' || end === folded.text.length;
  if (endsLine && !isLineEnd) return null;
  const isAtLineEnd = folded.text[start] === '\n';
  return {
    // Blanks before a line ending with which the match begins are not part of the match.
    start: isAtLineEnd ? at(folded.ends, first) : at(folded.places, first) + start - at(folded.starts, first),
    end: endsLine ? at(folded.ends, last) : at(folded.places, last) + end - at(folded.starts, last),
  };
}

/** The last line that starts at or before an offset. */
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

/** Removes trailing blanks and tabs; a loop, because a regular expression takes quadratic time on long runs. */
export function trimBlanks(content: string): string {
  let end = content.length;
  while (end > 0 && (content[end - 1] === ' ' || content[end - 1] === '\t')) end--;
  return content.slice(0, end);
}

/** Finds a string in a text; `\n` in the string matches any line ending, unless the string contains `\r`. */
export type TextRange = { start: number; end: number };

function findByContent(text: string, oldText: string, overlapping: boolean): TextRange[] {
  const isAboutLines = oldText.includes('\n') && !oldText.includes('\r') && text.includes('\r');
  if (!isAboutLines) {
    return findOccurrences(text, oldText, overlapping).map((start) => ({
      start,
      end: start + oldText.length,
    }));
  }
  const withLineFeeds = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const starts = placesBefore(text);
  const ends = placesBefore(text);
  return findOccurrences(withLineFeeds, oldText, overlapping).map((start) => ({
    start: starts(start),
    end: ends(start + oldText.length),
  }));
}

/** Maps rising offsets of the LF text back to the original text; only `\r\n` is longer there. */
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

/**
 * Finds all literal occurrences of a string. The engine's own search is fast but can take minutes on long repetitive strings, so past a
 * budget of comparisons Knuth, Morris and Pratt finish the search in linear time.
 */
const PROBE = 250;

/** `overlapping` counts `aa` twice in `aaa`; otherwise the search continues after each hit. */
export function findOccurrences(text: string, pattern: string, overlapping: boolean): number[] {
  // V8 keeps full shift tables for up to 250 characters, so only the beginning of the string is given to its search.
  const probe = pattern.slice(0, PROBE);
  const places: number[] = [];
  let comparisons = 4 * text.length;
  let at = text.indexOf(probe);
  while (at !== -1) {
    const isHit = pattern.length === probe.length || text.slice(at, at + pattern.length) === pattern;
    if (isHit) places.push(at);
    comparisons -= pattern.length - probe.length;
    if (comparisons < 0) return findInLinearTime(text, pattern, overlapping);
    at = text.indexOf(probe, isHit && !overlapping ? at + pattern.length : at + 1);
  }
  return places;
}

function findInLinearTime(text: string, pattern: string, overlapping: boolean): number[] {
  const borders = bordersOf(pattern);
  const places: number[] = [];
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && pattern.charCodeAt(matched) !== unit) matched = borders[matched - 1] as number;
    if (pattern.charCodeAt(matched) === unit) matched++;
    if (matched < pattern.length) continue;
    places.push(at + 1 - pattern.length);
    matched = overlapping ? (borders[matched - 1] as number) : 0;
  }
  return places;
}

/** For each prefix, the length of its longest proper prefix that is also its suffix. */
function bordersOf(pattern: string): Int32Array {
  const borders = new Int32Array(pattern.length);
  let length = 0;
  for (let at = 1; at < pattern.length; at++) {
    const unit = pattern.charCodeAt(at);
    while (length > 0 && pattern.charCodeAt(length) !== unit) length = borders[length - 1] as number;
    if (pattern.charCodeAt(length) === unit) length++;
    borders[at] = length;
  }
  return borders;
}
