/**
 * The places where a block of lines may have been meant, best first. One pass over the text scores every place by
 * the lines it has in common with the block and by the three-letter pieces they share; blanks do not count.
 */
import { foldTypography } from './fold-typography.ts';

const MAX_PLACES = 6;
const MAX_SAME_LINES = 8;
const PIECES = 0x8000;

export function rankWindows(lines: readonly string[], wanted: readonly string[]): number[] {
  const block = describeBlock(wanted);
  const { hits, seen, votes } = scoreLines(lines, block);
  const places: Place[] = [];
  const size = wanted.length;
  let shared = 0;
  let total = 0;
  for (let start = 1 - size; start < lines.length; start++) {
    shared += (hits[start + size - 1] ?? 0) - (hits[start - 1] ?? 0);
    total += (seen[start + size - 1] ?? 0) - (seen[start - 1] ?? 0);
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

/** Which pieces and lines a block has, the lines by their row. */
type Block = { known: Uint8Array; pieces: number; length: number; rows: Map<string, number[]> };

function describeBlock(wanted: readonly string[]): Block {
  const known = new Uint8Array(PIECES);
  const rows = new Map<string, number[]>();
  let pieces = 0;
  let length = 0;
  for (const [row, line] of wanted.entries()) {
    pieces += eachPiece(line, known, true);
    const key = foldTypography(line.trim());
    length += key.length;
    const same = rows.get(key);
    if (same === undefined) rows.set(key, [row]);
    else if (same.length < MAX_SAME_LINES) same.push(row);
  }
  return { known, pieces, length, rows };
}

/** Per line, its pieces that the block has and all of them; per place, the characters of lines that stand right. */
function scoreLines(lines: readonly string[], { known, rows }: Block) {
  const hits = new Int32Array(lines.length);
  const seen = new Int32Array(lines.length);
  const votes = new Int32Array(lines.length);
  for (let index = 0; index < lines.length; index++) {
    const key = (lines[index] as string).trim();
    if (key === '') continue;
    hits[index] = eachPiece(key, known, false);
    seen[index] = key.length;
    // A line of the block has all its pieces in the block.
    if ((hits[index] as number) === 0) continue;
    for (const row of rows.get(foldTypography(key)) ?? []) {
      if (index >= row) votes[index - row] = (votes[index - row] as number) + key.length;
    }
  }
  return { hits, seen, votes };
}

/** Counts the known pieces of a line, or makes all of them known. A piece is three characters in fifteen bits. */
function eachPiece(line: string, known: Uint8Array, learns: boolean): number {
  let piece = 0;
  let letters = 0;
  let count = 0;
  for (let at = 0; at < line.length; at++) {
    const unit = line.charCodeAt(at);
    if (unit <= 32 || unit === 0xa0) continue;
    // Older characters are shifted out.
    piece = ((piece << 5) ^ unit) & (PIECES - 1);
    if (++letters < 3) continue;
    if (learns) known[piece] = 1;
    count += known[piece] as number;
  }
  return count;
}
