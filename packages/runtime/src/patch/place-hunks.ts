/** Puts hunks into a text where every old line matches exactly: at the stated line, or else at the nearest place. */
import { type HunkSides, hunkSides } from './hunk-sides.ts';
import type { Hunk } from './hunks.ts';
import { type LineTable, lineTable } from './line-table.ts';

export type PlacedHunks =
  | { isPlaced: true; text: string; offsets: number[] }
  | { isPlaced: false; miss: HunkMiss };

/** `hunk` and `line` count from 0. `offset` is where the hunk should have stood; null when that is not in the text. */
export type HunkMiss = {
  hunk: number;
  line: number;
  offset: number | null;
  oldLines: string[];
  why: 'differs' | 'not at the start' | 'not at the end' | 'two places';
};

type Position = { line: number; offset: number };

/**
 * An offset says by how many lines a hunk stands after (or, negative, before) its stated line. In a diff made with
 * context, a hunk that has none must end the text; it is never searched for, as nothing but its line number places it.
 */
export function placeHunks(before: string, hunks: readonly Hunk[], hasContext: boolean): PlacedHunks {
  const parts: string[] = [];
  const offsets: number[] = [];
  const text: Text = { before, hasContext, table: null };
  let end: Position = { line: 0, offset: 0 };
  let drift = 0;
  let growth = 0;
  for (const [index, hunk] of hunks.entries()) {
    const sides = hunkSides(hunk);
    const stated = sides.oldLines.length === 0 ? hunk.oldStart : hunk.oldStart - 1;
    const expected = positionOf(text, end, stated + drift);
    const isCounted = hunk.newStart === stated + growth + 1;
    const place = placeOf(text, { sides, stated, drift, expected, end, isCounted });
    if (typeof place === 'string') {
      const at = { hunk: index, line: stated + drift, offset: expected?.offset ?? null };
      return { isPlaced: false, miss: { ...at, oldLines: sides.oldLines, why: place } };
    }
    parts.push(before.slice(end.offset, place.offset), sides.newText);
    end = { line: place.line + sides.oldLines.length, offset: place.offset + sides.oldText.length };
    drift = place.line - stated;
    growth += hunk.newLines - hunk.oldLines;
    offsets.push(drift);
  }
  parts.push(before.slice(end.offset));
  return { isPlaced: true, text: parts.join(''), offsets };
}

/** The table is made when a hunk is first missed: few texts need it, and it costs a pass over all lines. */
type Text = { readonly before: string; readonly hasContext: boolean; table: LineTable | null };

type Candidate = {
  sides: HunkSides;
  stated: number;
  drift: number;
  expected: Position | null;
  /** Where the hunk before ends. */
  end: Position;
  /** The new line number agrees with the old one, given the hunks before. */
  isCounted: boolean;
};

/** git's rules: a hunk from line 1 starts the text; one without context after its last change ends it. */
function placeOf(text: Text, candidate: Candidate): Position | HunkMiss['why'] {
  const { before } = text;
  const { sides, stated, drift, expected, end, isCounted } = candidate;
  const fits = (place: Position | null): place is Position => place !== null && stands(before, sides, place);
  if (sides.trailing === null) {
    if (sides.oldText === '' && !isCounted) return 'two places';
    if (!fits(expected)) return 'differs';
    const isAtEnd = expected.offset + sides.oldText.length === before.length;
    return isAtEnd || !text.hasContext ? expected : 'not at the end';
  }
  const mustEnd = sides.trailing === 0 || sides.isLast;
  if (stated === 0) {
    const isWhole = !mustEnd || sides.oldText.length === before.length;
    return fits(expected) && isWhole ? expected : 'not at the start';
  }
  if (mustEnd) {
    const offset = before.length - sides.oldText.length;
    const place =
      offset < end.offset ? null : { line: end.line + feedsBetween(before, end.offset, offset), offset };
    return fits(place) ? place : 'not at the end';
  }
  if (fits(expected)) return expected;
  text.table ??= lineTable(before);
  const line = text.table.nearest(sides.oldLines, end.line, stated + drift);
  const offset = text.table.startOf(line);
  return offset === null ? 'differs' : { line, offset };
}

function stands(before: string, { oldText, isLast }: HunkSides, { offset }: Position): boolean {
  const isLineStart = offset === 0 || before[offset - 1] === '\n';
  if (!isLineStart || !before.startsWith(oldText, offset)) return false;
  return !isLast || offset + oldText.length === before.length;
}

/** The start of a line at or after a known one; null when there is no such line. */
function positionOf({ before, table }: Text, known: Position, line: number): Position | null {
  if (line < known.line) return null;
  const offset = table === null ? offsetAfter(before, known.offset, line - known.line) : table.startOf(line);
  return offset === null ? null : { line, offset };
}

function offsetAfter(text: string, start: number, lines: number): number | null {
  let at = start;
  for (let left = lines; left > 0; left--) {
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
