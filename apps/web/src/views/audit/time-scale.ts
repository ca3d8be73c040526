// Time as the picture lays it out: where something happened it runs evenly, long pauses in between are shortened.
import type { Span } from './audit-rows.ts';

export type TimeScale = {
  /** The whole length, in milliseconds as they are laid out. */
  total: number;
  placeOf(time: number): number;
  timeAt(place: number): number;
  pauses: readonly { place: number; length: number }[];
};

type Piece = { from: number; to: number; place: number; length: number };

const longestGapMs = 30_000;
const pauseShare = 0.03;

export function timeScale(spans: readonly Span[]): TimeScale {
  const busy = merge(spans);
  const lived = busy.reduce((sum, { from, to }) => sum + to - from, 0);
  const pause = Math.max(1000, lived * pauseShare);
  const pieces: Piece[] = [];
  let place = 0;
  for (const [at, { from, to }] of busy.entries()) {
    const before = busy[at - 1];
    if (before !== undefined) {
      pieces.push({ from: before.to, to: from, place, length: pause });
      place += pause;
    }
    pieces.push({ from, to, place, length: to - from });
    place += to - from;
  }
  return {
    total: place,
    placeOf: (time) => convert(pieces, time, 'time'),
    timeAt: (at) => convert(pieces, at, 'place'),
    pauses: pieces
      .filter((_, at) => at % 2 === 1)
      .map(({ place: start, length, from, to }) => ({ place: start + length / 2, length: to - from })),
  };
}

/** What lies close together is one; a single moment still has some width. */
function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from - last.to <= longestGapMs) last.to = Math.max(last.to, to);
    else merged.push({ from, to: Math.max(to, from + 1) });
  }
  return merged;
}

function convert(pieces: readonly Piece[], value: number, given: 'time' | 'place'): number {
  const piece = pieces.findLast(({ from, place }) => value >= (given === 'time' ? from : place)) ?? pieces[0];
  if (piece === undefined) return 0;
  const { from, to, place, length } = piece;
  const [start, long, target, targetLong] =
    given === 'time' ? [from, to - from, place, length] : [place, length, from, to - from];
  const share = long === 0 ? 0 : Math.min(1, Math.max(0, (value - start) / long));
  return target + share * targetLong;
}
