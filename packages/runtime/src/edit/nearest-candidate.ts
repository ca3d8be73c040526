/**
 * Finds the block of lines most similar to a string that was not found: ranks all places by what they share with the string, aligns
 * the best few line by line, and describes how the best one differs.
 */
import { splitIntoLines } from '../patch/lines.ts';
import { alignLines, foldTypography } from './align-lines.ts';
import { nameDifferences, type TextDifference } from './name-differences.ts';
import type { ReplacedSpan } from './spans.ts';

/** Lines and columns count from 1. In a block over 2,000 characters, long lines are cut around their first difference. */
export type NearestCandidate = {
  startLine: number;
  endLine: number;
  text: string;
  differences: TextDifference[];
};

const MAX_EXPECTED_LINES = 200;
const MAX_LATER_LINES = 50;
const MAX_TEXT_CHARS = 2_000;
const CUT_CHARS = 100;
const ENOUGH = 0.6;
/** Short strings are easily similar, so they need a higher score. */
const ENOUGH_FOR_SHORT = 0.75;
const SHORT = 12;

/** Null when nothing in the text is similar. */
export function nearestCandidate(text: string, oldText: string): NearestCandidate | null {
  const lines = splitIntoLines(text);
  const expectedLines = splitIntoLines(oldText).slice(0, MAX_EXPECTED_LINES);
  const best = bestWindow(lines, expectedLines);
  if (best === null || best.score < (oldText.trim().length < SHORT ? ENOUGH_FOR_SHORT : ENOUGH)) return null;
  const { start } = best;
  const oldLines = splitIntoLines(oldText);
  const end =
    oldLines.length > MAX_EXPECTED_LINES ? Math.min(start + oldLines.length, lines.length) : best.end;
  const block = lines.slice(start, best.end);
  const blockDifferences = nameDifferences(lines, start, expectedLines, alignLines(block, expectedLines));
  const differences =
    blockDifferences.length === 0 ? laterDifferences(lines, start, oldLines) : blockDifferences;
  return { startLine: start + 1, endLine: end, text: excerpt(block, start + 1, differences), differences };
}

/** The differences of a long block whose beginning is right, from its first wrong line. */
function laterDifferences(lines: string[], start: number, expected: string[]): TextDifference[] {
  const at = expected.findIndex((line, i) => line.trimEnd() !== lines[start + i]?.trimEnd());
  if (at < 0) return [];
  const block = lines.slice(start + at, start + at + MAX_LATER_LINES);
  const rest = expected.slice(at, at + MAX_LATER_LINES);
  return nameDifferences(lines, start + at, rest, alignLines(block, rest));
}

function excerpt(block: string[], startLine: number, differences: TextDifference[]): string {
  const text = block.join('');
  if (text.length <= MAX_TEXT_CHARS) return text;
  const columns = new Map(differences.toReversed().map(({ line, column }) => [line, column]));
  const cut = block.map((line, index) => {
    const from = Math.max(0, (columns.get(startLine + index) ?? 1) - 1 - CUT_CHARS / 2);
    const part = line.slice(from, from + CUT_CHARS);
    return `${from > 0 ? '…' : ''}${part}${from + part.length < line.length ? '…\n' : ''}`;
  });
  return cut.join('').slice(0, MAX_TEXT_CHARS);
}

type Window = { start: number; end: number; score: number };

function bestWindow(lines: string[], expected: string[]): Window | null {
  let best: Window | null = null;
  const consider = (start: number, end: number) => {
    if (start < 0 || end > lines.length || start >= end) return;
    const { similarity } = alignLines(lines.slice(start, end), expected);
    const score = similarity - 0.02 * Math.abs(end - start - expected.length);
    if (best === null || score > best.score) best = { start, end, score };
  };
  for (const start of rankWindows(lines, expected)) {
    consider(start, Math.min(start + expected.length, lines.length));
  }
  const first = best as Window | null;
  if (first === null) return null;
  for (const startsOff of [0, -1, 1]) {
    for (const endsOff of [0, -1, 1]) consider(first.start + startsOff, first.end + endsOff);
  }
  return best;
}

/**
 * Ranks the places where a block of lines may have been meant, best first. One pass over the text scores every place by the lines it has
 * in common with the block and by the three-letter pieces they share; blanks do not count.
 */
const MAX_PLACES = 6;
const MAX_SAME_LINES = 8;
const PIECES = 0x8000;

function rankWindows(lines: readonly string[], expected: readonly string[]): number[] {
  const block = describeBlock(expected);
  const { hits, lengths, votes } = scoreLines(lines, block);
  const places: Place[] = [];
  const size = expected.length;
  let shared = 0;
  let total = 0;
  for (let start = 1 - size; start < lines.length; start++) {
    shared += (hits[start + size - 1] ?? 0) - (hits[start - 1] ?? 0);
    total += (lengths[start + size - 1] ?? 0) - (lengths[start - 1] ?? 0);
    if (start < 0 || shared === 0) continue;
    const surplus = Math.max(0, total - block.pieces) / 16;
    const likeness = Math.min(shared, block.pieces) / (block.pieces + surplus);
    keepBest(places, { start, score: likeness + (votes[start] as number) / block.length });
  }
  return places.map(({ start }) => start);
}

type Place = { start: number; score: number };

function keepBest(places: Place[], place: Place): void {
  if (places.length === MAX_PLACES && place.score <= (places.at(-1)?.score ?? 0)) return;
  const at = places.findIndex(({ score }) => score < place.score);
  places.splice(at === -1 ? places.length : at, 0, place);
  places.length = Math.min(places.length, MAX_PLACES);
}

/** The pieces and lines of a block; the lines by their row. */
type Block = { known: Uint8Array; pieces: number; length: number; rows: Map<string, number[]> };

function describeBlock(expected: readonly string[]): Block {
  const knownPieces = new Uint8Array(PIECES);
  const rows = new Map<string, number[]>();
  let pieces = 0;
  let length = 0;
  for (const [row, line] of expected.entries()) {
    pieces += eachPiece(line, knownPieces, true);
    const key = foldTypography(line.trim());
    length += key.length;
    const same = rows.get(key);
    if (same === undefined) rows.set(key, [row]);
    else if (same.length < MAX_SAME_LINES) same.push(row);
  }
  return { known: knownPieces, pieces, length, rows };
}

/**
 * Per line, the number of its pieces that the block has and of all its pieces; per place, the characters of lines that match in position.
 */
function scoreLines(lines: readonly string[], { known, rows }: Block) {
  const hits = new Int32Array(lines.length);
  const lengths = new Int32Array(lines.length);
  const votes = new Int32Array(lines.length);
  for (let index = 0; index < lines.length; index++) {
    const key = (lines[index] as string).trim();
    if (key === '') continue;
    hits[index] = eachPiece(key, known, false);
    lengths[index] = key.length;
    // A line that is equal to a line of the block shares all its pieces, so a line without hits cannot be equal.
    if ((hits[index] as number) === 0) continue;
    for (const row of rows.get(foldTypography(key)) ?? []) {
      if (index >= row) votes[index - row] = (votes[index - row] as number) + key.length;
    }
  }
  return { hits, lengths, votes };
}

/** Counts the known pieces of a line, or marks all of them as known. A piece is three characters in fifteen bits. */
function eachPiece(line: string, known: Uint8Array, learns: boolean): number {
  let piece = 0;
  let letters = 0;
  let count = 0;
  for (let at = 0; at < line.length; at++) {
    const unit = line.charCodeAt(at);
    if (unit <= 32 || unit === 0xa0) continue;
    // Characters older than three are shifted out.
    piece = ((piece << 5) ^ unit) & (PIECES - 1);
    if (++letters < 3) continue;
    if (learns) known[piece] = 1;
    count += known[piece] as number;
  }
  return count;
}

// Widens spans to whole lines: each block is a run of old lines and the text that replaces it.

/** Offsets in the text before; lines end with `\n` only. Blocks do not overlap, but may touch. */
export type LineBlock = { start: number; end: number; text: string };

export function lineBlocks(before: string, spans: readonly ReplacedSpan[]): LineBlock[] {
  const blocks: LineBlock[] = [];
  const feedFrom = nextFeed(before);
  let open: OpenBlock | null = null;
  for (const span of spans) {
    if (open === null || !reaches(before, open, span.start)) {
      if (open !== null) blocks.push(close(before, open));
      // lastIndexOf with a negative start would still match the first character.
      const start = span.start === 0 ? 0 : before.lastIndexOf('\n', span.start - 1) + 1;
      open = { start, end: start, at: start, text: '', isClosed: true };
    }
    extend(before, open, span, feedFrom);
  }
  if (open !== null) blocks.push(close(before, open));
  return blocks;
}

/** `text` covers the text before up to `at`; `isClosed` when it ends with a whole line. */
type OpenBlock = LineBlock & { at: number; isClosed: boolean };

function reaches(before: string, { end, at, isClosed }: OpenBlock, start: number): boolean {
  if (start !== end) return start < end;
  const isInLine = start > 0 && before[start - 1] !== '\n';
  return isInLine || (at === end && !isClosed);
}

function extend(
  before: string,
  block: OpenBlock,
  span: ReplacedSpan,
  feedFrom: (place: number) => number,
): void {
  const { start, end, replacement } = span;
  block.text += before.slice(block.at, start) + replacement;
  if (replacement !== '') block.isClosed = replacement.endsWith('\n');
  else if (start > block.at) block.isClosed = before[start - 1] === '\n';
  block.at = end;
  const isLineStart = end === 0 || before[end - 1] === '\n';
  // A replacement that does not end with a line feed would run into the next line, so the next line joins the block.
  block.end = isLineStart && block.isClosed ? end : feedFrom(end);
}

function close(before: string, { start, end, at, text }: OpenBlock): LineBlock {
  return { start, end, text: text + before.slice(at, end) };
}

/** The end of the line at an offset. Offsets rise, so many spans in one long line cost one search. */
function nextFeed(before: string): (place: number) => number {
  let feed = -1;
  return (place) => {
    if (feed < place) feed = before.indexOf('\n', place);
    if (feed === -1) feed = Number.POSITIVE_INFINITY;
    return Math.min(feed + 1, before.length);
  };
}
