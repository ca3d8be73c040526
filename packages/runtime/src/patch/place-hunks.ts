// Finds where the hunks of a unified diff belong in a text and applies them.

import type { ToolError } from '@codelab/protocol';
import { patchFailure, type Tolerance } from './file-patch.ts';
import { type LineTable, lineTable } from './line-table.ts';
import { type Hunk, type HunkTexts, hunkTexts, splitAtLineFeeds } from './unified-diff.ts';

// Hunks apply exactly, or else once more with the line endings of a CRLF file; never by similarity.

/** Deviations that were accepted so that the patch applies; the approval must show them. */

export type AppliedHunks = {
  text: string;
  /** Per hunk, by how many lines its place is after (or, when negative, before) its stated line. */
  offsets: number[];
  tolerant: Tolerance[];
};

/** `hasContext`: some hunk of the patch, maybe in another file, has context lines, so this file was diffed with context too. */
type Where = { path: string; hasContext?: boolean };

export function applyPatchHunks(
  before: string,
  hunks: readonly Hunk[],
  { path, hasContext = hunks.some(isWithContext) }: Where,
): AppliedHunks {
  const exact = placeHunks(before, hunks, hasContext);
  if (exact.isPlaced) return { text: exact.text, offsets: exact.offsets, tolerant: [] };
  if (before.includes('\r\n') && hunks.every(hasNoCarriageReturns)) {
    const adapted = placeHunks(before, hunks.map(withCarriageReturns), hasContext);
    if (adapted.isPlaced) return { text: adapted.text, offsets: adapted.offsets, tolerant: ['line endings'] };
  }
  throw missedHunk(before, exact.miss, { path, hunks: hunks.length });
}

function isWithContext({ lines }: Hunk): boolean {
  return lines.some((line) => line.startsWith(' '));
}

function hasNoCarriageReturns({ lines }: Hunk): boolean {
  return !lines.some((line) => line.endsWith('\r'));
}

export function withCarriageReturns<H extends Hunk>(hunk: H): H {
  const lines = hunk.lines.map((line, index) => {
    const isOpen = line.startsWith('\\') || hunk.lines[index + 1]?.startsWith('\\');
    return isOpen ? line : `${line}\r`;
  });
  return { ...hunk, lines };
}

/** Every old line must match exactly: at the stated line, or else at the nearest place. */
type PlacedHunks = { isPlaced: true; text: string; offsets: number[] } | { isPlaced: false; miss: HunkMiss };

/** `hunk` and `line` count from 0. `offset` is the expected place of the hunk; null when that place is not in the text. */
type HunkMiss = {
  hunk: number;
  line: number;
  offset: number | null;
  oldLines: string[];
  why: 'differs' | 'not at the start' | 'not at the end' | 'two places';
};

type Position = { line: number; offset: number };

/**
 * In a diff made with context, a hunk without context must be at the end of the text. Such a hunk is never searched for, because only its
 * line number gives its place.
 */
function placeHunks(before: string, hunks: readonly Hunk[], hasContext: boolean): PlacedHunks {
  const parts: string[] = [];
  const offsets: number[] = [];
  const text: Text = { before, hasContext, table: null };
  let end: Position = { line: 0, offset: 0 };
  let drift = 0;
  let growth = 0;
  for (const [index, hunk] of hunks.entries()) {
    const sides = hunkTexts(hunk);
    const stated = sides.oldCount === 0 ? hunk.oldStart : hunk.oldStart - 1;
    const expected = positionOf(text, end, stated + drift);
    const isCounted = hunk.newStart === stated + growth + 1;
    const place = placeOf(text, { sides, stated, drift, expected, end, isCounted });
    if (typeof place === 'string') {
      const at = { hunk: index, line: stated + drift, offset: expected?.offset ?? null };
      return { isPlaced: false, miss: { ...at, oldLines: splitAtLineFeeds(sides.oldText), why: place } };
    }
    parts.push(before.slice(end.offset, place.offset), sides.newText);
    end = { line: place.line + sides.oldCount, offset: place.offset + sides.oldText.length };
    drift = place.line - stated;
    growth += hunk.newLines - hunk.oldLines;
    offsets.push(drift);
  }
  parts.push(before.slice(end.offset));
  return { isPlaced: true, text: parts.join(''), offsets };
}

/** The line table is built when the first hunk is missed: few texts need it, and building it takes a pass over all lines. */
type Text = { readonly before: string; readonly hasContext: boolean; table: LineTable | null };

type Candidate = {
  sides: HunkTexts;
  stated: number;
  drift: number;
  expected: Position | null;
  /** The end of the previous hunk. */
  end: Position;
  /** The new line number agrees with the old one and the hunks before. */
  isCounted: boolean;
};

/** git's rules: a hunk from line 1 starts the text; a hunk without context after its last change ends the text. */
function placeOf(text: Text, candidate: Candidate): Position | HunkMiss['why'] {
  const { before } = text;
  const { sides, stated, drift, expected, end, isCounted } = candidate;
  const isMatch = (place: Position | null): place is Position =>
    place !== null && isTextAt(before, sides, place);
  if (sides.trailing === null) {
    if (sides.oldText === '' && !isCounted) return 'two places';
    if (!isMatch(expected)) return 'differs';
    const isAtEnd = expected.offset + sides.oldText.length === before.length;
    return isAtEnd || !text.hasContext ? expected : 'not at the end';
  }
  const mustEnd = sides.trailing === 0 || sides.isLast;
  if (stated === 0) {
    const isWhole = !mustEnd || sides.oldText.length === before.length;
    return isMatch(expected) && isWhole ? expected : 'not at the start';
  }
  if (mustEnd) {
    const offset = before.length - sides.oldText.length;
    const place =
      offset < end.offset ? null : { line: end.line + feedsBetween(before, end.offset, offset), offset };
    return isMatch(place) ? place : 'not at the end';
  }
  if (isMatch(expected)) return expected;
  text.table ??= lineTable(before);
  const line = text.table.nearest(splitAtLineFeeds(sides.oldText), end.line, stated + drift);
  const offset = text.table.startOf(line);
  return offset === null ? 'differs' : { line, offset };
}

function isTextAt(before: string, { oldText, isLast }: HunkTexts, { offset }: Position): boolean {
  const isLineStart = offset === 0 || before[offset - 1] === '\n';
  if (!isLineStart || !before.startsWith(oldText, offset)) return false;
  return !isLast || offset + oldText.length === before.length;
}

/** The start of a line at or after a known position; null when there is no such line. */
function positionOf({ before, table }: Text, known: Position, line: number): Position | null {
  if (line < known.line) return null;
  const offset = table === null ? offsetAfter(before, known.offset, line - known.line) : table.startOf(line);
  return offset === null ? null : { line, offset };
}

function offsetAfter(text: string, start: number, lines: number): number | null {
  let at = start;
  for (let remaining = lines; remaining > 0; remaining--) {
    const feed = text.indexOf('\n', at);
    if (feed === -1) return null;
    at = feed + 1;
  }
  return at;
}

function feedsBetween(text: string, from: number, to: number): number {
  let count = 0;
  for (let feed = text.indexOf('\n', from); feed !== -1 && feed < to; feed = text.indexOf('\n', feed + 1))
    count++;
  return count;
}

/** An error names the hunk that does not match, what it expects and what the file has, in few lines. */
const SHOWN_LINES = 3;
const SHOWN_CHARACTERS = 160;

function missedHunk(before: string, miss: HunkMiss, position: { path: string; hunks: number }): ToolError {
  const { oldLines, offset } = miss;
  const present = offset === null ? [] : linesAt(before, offset, oldLines.length + SHOWN_LINES);
  const differing = oldLines.findIndex((line, index) => line !== present[index]);
  const from = differing === -1 ? oldLines.length : differing;
  const expected = oldLines.slice(from, from + SHOWN_LINES).map(quoted);
  const presentLines = present.slice(from, from + SHOWN_LINES).map(quoted);
  const line = miss.line + from + 1;
  const message = [
    `${WHY[miss.why]} (hunk ${miss.hunk + 1} of ${position.hunks}, line ${line} of the file)`,
    `expected: ${expected.join(' ') || (oldLines.length > 0 ? END : 'such a line')}`,
    `found: ${presentLines.join(' ') || END}`,
  ].join('\n');
  return patchFailure(
    message,
    { path: position.path, hunk: miss.hunk + 1 },
    { line, expected, found: presentLines },
  );
}

const END = 'the end of the file';

const WHY: Record<HunkMiss['why'], string> = {
  differs: 'The old lines of the hunk are not in the file',
  'not at the start':
    'The hunk starts at line 1, but the file does not start with its old lines, or more lines follow them: add those that follow as context',
  'not at the end':
    'No context follows its last change, so the hunk must end the file, but the file ends differently: add the lines that follow as context',
  'two places':
    'The hunk only adds lines, and its old and its new line number name different places for them',
};

function linesAt(text: string, offset: number, count: number): string[] {
  const lines: string[] = [];
  let start = offset;
  while (lines.length < count && start < text.length) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed + 1;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/** Quotes the line, so that trailing whitespace and carriage returns are visible. */
function quoted(line: string): string {
  const content = line.endsWith('\n') ? line.slice(0, -1) : line;
  const clipped = content.length <= SHOWN_CHARACTERS ? content : `${content.slice(0, SHOWN_CHARACTERS)}…`;
  return JSON.stringify(clipped) + (line.endsWith('\n') ? '' : ' (no newline)');
}
