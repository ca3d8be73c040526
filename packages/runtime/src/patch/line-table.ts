/** A text cut into numbered lines, built once to look up where lines start and where a run of lines occurs. */
import { patchFailure } from './file-patch.ts';
import { splitAtLineFeeds } from './unified-diff.ts';

/** Lines are numbered from 0. */
export type LineTable = {
  /** Offset of a line's start; the end of the text counts as a line start. Null beyond the end. */
  startOf(line: number): number | null;
  /** The match nearest to `near` and not before `from`; of two equally near, the later one, as in git. -1 when there is none. */
  nearest(pattern: readonly string[], from: number, near: number): number;
};

export function lineTable(text: string): LineTable {
  const lines = splitAtLineFeeds(text);
  const idOf = new Map<string, number>();
  const ids = Int32Array.from(lines, (line) => {
    const id = idOf.get(line) ?? idOf.size;
    idOf.set(line, id);
    return id;
  });
  const starts = startsOf(lines);
  let budget = MAX_STEPS;

  const nearest: LineTable['nearest'] = (pattern, from, near) => {
    const patternIds = Int32Array.from(pattern, (line) => idOf.get(line) ?? -1);
    const last = lines.length - patternIds.length;
    if (patternIds.includes(-1) || from > last) return -1;
    const fallback = fallbacks(patternIds);
    const middle = Math.min(Math.max(near, from), last);
    // The window widens step by step, so the cost follows the distance and not the length of the text.
    for (let radius = Math.max(64, patternIds.length); ; radius *= 4) {
      const window = { from: Math.max(from, middle - radius), to: Math.min(last, middle + radius) };
      budget -= window.to - window.from + patternIds.length;
      if (budget < 0) throw patchFailure('Too many hunks are far from the line numbers in the patch.');
      const line = nearestIn(ids, patternIds, fallback, window, middle);
      if (line !== -1 || (window.from === from && window.to === last)) return line;
    }
  };
  return { startOf: (line) => starts[line] ?? null, nearest };
}

/** About 0.2 s of work. A patch needs more only when thousands of its hunks are far from their lines. */
const MAX_STEPS = 50_000_000;

function startsOf(lines: readonly string[]): Float64Array {
  const starts = new Float64Array(lines.length + 1);
  let offset = 0;
  for (const [index, line] of lines.entries()) {
    offset += line.length;
    starts[index + 1] = offset;
  }
  return starts;
}

/** Knuth, Morris, Pratt: how much of the pattern still matches after a mismatch, so repeated lines stay linear. */
function fallbacks(pattern: Int32Array): Int32Array {
  const fallback = new Int32Array(pattern.length);
  let length = 0;
  for (let at = 1; at < pattern.length; at++) {
    while (length > 0 && pattern[at] !== pattern[length]) length = fallback[length - 1] ?? 0;
    if (pattern[at] === pattern[length]) length++;
    fallback[at] = length;
  }
  return fallback;
}

function nearestIn(
  ids: Int32Array,
  pattern: Int32Array,
  fallback: Int32Array,
  window: { from: number; to: number },
  middle: number,
): number {
  let nearest = -1;
  let length = 0;
  const end = window.to + pattern.length;
  for (let at = window.from; at < end; at++) {
    while (length > 0 && ids[at] !== pattern[length]) length = fallback[length - 1] ?? 0;
    if (ids[at] === pattern[length]) length++;
    if (length < pattern.length) continue;
    const start = at + 1 - length;
    if (nearest === -1 || Math.abs(start - middle) <= Math.abs(nearest - middle)) nearest = start;
    if (start >= middle) break;
    length = fallback[length - 1] ?? 0;
  }
  return nearest;
}
