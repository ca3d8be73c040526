/**
 * Applies the hunks of an envelope to a text, each where its old lines are. Lines are compared exactly; if they are not found, without
 * trailing whitespace; then with look-alike punctuation made equal. A hunk that matches at two places is refused.
 */
import type { ToolError } from '@codelab/protocol';
import { patchFailure, type Tolerance } from '../file-patch.ts';
import { type LineTable, lineTable } from '../line-table.ts';
import { splitAtLineFeeds } from '../unified-diff.ts';
import type { EnvelopeHunk } from './read-envelope.ts';

/**
 * A text without a final newline stays without one, unless its last line is deleted and the line above, which has one, becomes the last.
 */
export function placeEnvelopeHunks(
  before: string,
  hunks: readonly EnvelopeHunk[],
  path: string,
): { text: string; tolerant: Tolerance[] } {
  const isOpen = before !== '' && !before.endsWith('\n');
  const lines = splitAtLineFeeds(isOpen ? `${before}\n` : before);
  const searched: SearchedText = { lines, tables: new Map() };
  const tolerant = new Set<Tolerance>();
  const parts: string[] = [];
  let from = 0;
  for (const [index, hunk] of hunks.entries()) {
    const place = { path, hunk: index + 1, patchLine: hunk.patchLine };
    const position = findHunk(searched, hunk, from, place);
    if (position.tolerance !== undefined) tolerant.add(position.tolerance);
    parts.push(lines.slice(from, position.start).join(''));
    from = position.start;
    for (const line of position.hunkLines) {
      if (line[0] === '+') parts.push(`${line.slice(1)}\n`);
      // Context keeps the file's spelling, also where it was compared tolerantly.
      else if (line[0] === ' ') parts.push(lines[from++] ?? '');
      else from++;
    }
  }
  parts.push(lines.slice(from).join(''));
  const text = parts.join('');
  const losesLast = from === lines.length && dropsLastLine(hunks.at(-1));
  return { text: isOpen && !losesLast ? text.slice(0, -1) : text, tolerant: [...tolerant] };
}

type Place = { path: string; hunk: number; patchLine: number };

/** How lines are made comparable. A table of the whole text is built only for the comparisons that are needed. */
const comparisons = {
  exactly: (line: string) => line,
  'trailing whitespace': withoutTrailing,
  'look-alike punctuation': (line: string) => plainPunctuation(withoutTrailing(line)),
  'whitespace around': (line: string) => line.trim(),
};
type Comparison = keyof typeof comparisons;
type SearchedText = { lines: readonly string[]; tables: Map<Comparison, LineTable> };

const hunkComparisons = ['exactly', 'trailing whitespace', 'look-alike punctuation'] as const;

type PlacedHunk = { start: number; hunkLines: readonly string[]; tolerance: Tolerance | undefined };

function findHunk(searched: SearchedText, hunk: EnvelopeHunk, from: number, place: Place): PlacedHunk {
  const starts = afterAnchors(searched, hunk.anchors, from, place);
  const old = oldLines(hunk.lines);
  const nowhere = { hunkLines: hunk.lines, tolerance: undefined };
  // The hunk is only "@@" lines: the hunks after it belong below those lines.
  if (hunk.lines.length === 0) return { ...nowhere, start: starts[0] ?? from };
  if (old.length === 0) {
    if (hunk.anchors.length === 0) return { ...nowhere, start: searched.lines.length };
    throw patchFailure(
      'The hunk only adds lines. Add the line above or below them as context (a line that begins with a space).',
      place,
    );
  }
  // A blank line at the end of a hunk is often only a separator before the next section.
  const shorter = old.length > 1 && hunk.lines.at(-1)?.trim() === '' ? hunk.lines.slice(0, -1) : undefined;
  for (const hunkLines of shorter === undefined ? [hunk.lines] : [hunk.lines, shorter]) {
    for (const comparison of hunkComparisons) {
      const start = onlyPlace(searched, comparison, { ...hunk, lines: [...hunkLines] }, starts, place);
      if (start !== undefined)
        return { start, hunkLines, tolerance: comparison === 'exactly' ? undefined : comparison };
    }
  }
  throw missing(searched, old, starts[0] ?? from, place);
}

/** The only place of the old lines under this comparison; undefined when there is none. */
function onlyPlace(
  searched: SearchedText,
  comparison: Comparison,
  { anchors, lines, isAtEnd }: EnvelopeHunk,
  starts: readonly number[],
  place: Place,
): number | undefined {
  const old = oldLines(lines).map((line) => `${comparisons[comparison](line)}\n`);
  const table = tableFor(searched, comparison);
  if (isAtEnd) {
    const last = searched.lines.length - old.length;
    const isThere = last >= (starts[0] ?? 0) && table.nearest(old, last, last) === last;
    return isThere ? last : undefined;
  }
  const places = [...new Set(starts.map((start) => table.nearest(old, start, start)))].filter(
    (at) => at !== -1,
  );
  const [first] = places;
  if (first === undefined) return undefined;
  // Below an anchor the first match counts; without an anchor two matches are ambiguous.
  const second = anchors.length > 0 ? (places[1] ?? -1) : table.nearest(old, first + 1, first + 1);
  if (second === -1) return first;
  const positions = `at line ${first + 1} and again at line ${second + 1}`;
  throw patchFailure(`The old lines occur ${positions}: add context lines or an "@@" line above.`, place, {
    candidates: [first + 1, second + 1],
  });
}

/** The lines to search from: below the anchors, for each line that may be the first anchor. The indentation of anchors may differ. */
function afterAnchors(
  searched: SearchedText,
  anchors: readonly string[],
  from: number,
  place: Place,
): number[] {
  const [first, ...rest] = anchors;
  if (first === undefined) return [from];
  const positions: number[] = [];
  for (let at = findAnchor(searched, first, from); at !== -1 && positions.length < maxAnchors; ) {
    positions.push(at + 1);
    at = findAnchor(searched, first, at + 1);
  }
  if (positions.length === 0) throw noAnchor(first, place);
  const chains = positions.map((start) => followAnchors(searched, rest, start));
  const starts = chains.filter((start) => typeof start === 'number');
  const [missingAnchor] = chains.filter((start) => typeof start === 'string');
  if (starts.length === 0 && missingAnchor !== undefined) throw noAnchor(missingAnchor, place);
  return starts;
}

/** A line that occurs more often than this does not identify a place. */
const maxAnchors = 50;

/** The line after the last anchor, or the anchor that was not found. */
function followAnchors(searched: SearchedText, anchors: readonly string[], start: number): number | string {
  let next = start;
  for (const anchor of anchors) {
    const at = findAnchor(searched, anchor, next);
    if (at === -1) return anchor;
    next = at + 1;
  }
  return next;
}

function findAnchor(searched: SearchedText, anchor: string, from: number): number {
  for (const comparison of ['exactly', 'whitespace around', 'look-alike punctuation'] as const) {
    const at = tableFor(searched, comparison).nearest([`${comparisons[comparison](anchor)}\n`], from, from);
    if (at !== -1) return at;
  }
  return -1;
}

function noAnchor(anchor: string, place: Place): ToolError {
  return patchFailure(
    `The "@@" line ${quoted(anchor)} is not in the file, or not below the hunk before. Copy a whole line of the file, or leave it out.`,
    place,
  );
}

function tableFor({ lines, tables }: SearchedText, comparison: Comparison): LineTable {
  const cached = tables.get(comparison);
  if (cached !== undefined) return cached;
  const compare = comparisons[comparison];
  const text =
    comparison === 'exactly'
      ? lines.join('')
      : lines.map((line) => `${compare(line.slice(0, -1))}\n`).join('');
  const table = lineTable(text);
  tables.set(comparison, table);
  return table;
}

/** Names the first line that differs at the place most similar to the old lines. */
function missing({ lines }: SearchedText, old: readonly string[], from: number, place: Place): ToolError {
  const start = likeliestStart(lines, old, from);
  const differing = old.findIndex((line, index) => `${line}\n` !== lines[start + index]);
  // All old lines were found, but "*** End of File" requires them at the end of the file.
  const at = differing === -1 ? old.length : differing;
  const expected = quoted(old[at]);
  const found = quoted(lines[start + at]);
  const message = `The old lines of the hunk are not in the file\nexpected: ${expected}\nfound: ${found}`;
  return patchFailure(`${message} (line ${start + at + 1})`, place, { expected, found });
}

/** Each old line votes for the start that would put the line where it is; lines that occur often vote for little. */
function likeliestStart(lines: readonly string[], old: readonly string[], from: number): number {
  const indexOf = new Map(old.map((line, index) => [line.trim(), index]));
  const votes = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    const text = line.trim();
    const index = text === '' ? undefined : indexOf.get(text);
    if (index === undefined || at < index) continue;
    votes.set(at - index, (votes.get(at - index) ?? 0) + 1);
  }
  let best = { start: Math.min(from, Math.max(0, lines.length - 1)), count: 0 };
  for (const [start, count] of votes) if (count > best.count) best = { start, count };
  return best.start;
}

function oldLines(lines: readonly string[]): string[] {
  return lines.filter((line) => line[0] !== '+').map((line) => line.slice(1));
}

function dropsLastLine(hunk: EnvelopeHunk | undefined): boolean {
  const lastOld = hunk?.lines.findLast((line) => line[0] !== '+');
  const lastNew = hunk?.lines.findLast((line) => line[0] !== '-');
  return lastOld?.[0] === '-' && lastNew?.[0] !== '+';
}

/** A carriage return is part of the line ending, not trailing whitespace. */
function withoutTrailing(line: string): string {
  return line.replace(/[ \t]+(?=\r?$)/, '');
}

/** Models write plain quotes, dashes and spaces where a file has typographic ones. */
function plainPunctuation(line: string): string {
  return line
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' ');
}

function quoted(line: string | undefined): string {
  if (line === undefined) return 'the end of the file';
  return JSON.stringify(line.replace(/\n$/, '').slice(0, 160));
}
