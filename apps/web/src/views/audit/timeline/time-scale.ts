// The part of time that the timeline shows: its scale, zooming and moving it, by mouse and by keyboard.
import type { TimeSpan } from '../audit-rows.ts';

// Time as the picture lays it out: where something happened it runs evenly, long pauses in between are shortened.
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

export function timeScale(spans: readonly TimeSpan[]): TimeScale {
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

/** Spans that lie close together are merged; a single moment still has some width. */
function merge(spans: readonly TimeSpan[]): TimeSpan[] {
  const merged: TimeSpan[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from - last.to <= longestGapMs) last.to = Math.max(last.to, to);
    else merged.push({ from, to: Math.max(to, from + 1) });
  }
  return merged;
}

function convert(pieces: readonly Piece[], value: number, unit: 'time' | 'place'): number {
  const piece = pieces.findLast(({ from, place }) => value >= (unit === 'time' ? from : place)) ?? pieces[0];
  if (piece === undefined) return 0;
  const { from, to, place, length } = piece;
  const [start, long, target, targetLong] =
    unit === 'time' ? [from, to - from, place, length] : [place, length, from, to - from];
  const share = long === 0 ? 0 : Math.min(1, Math.max(0, (value - start) / long));
  return target + share * targetLong;
}

// Which part of the picture is shown, as shares of the whole.
export type TimeWindow = { from: number; to: number };

export const wholeWindow: TimeWindow = { from: 0, to: 1 };
const narrowest = 0.0005;

/** Kept inside the whole, and never narrower than can be seen. */
export function fitWindow({ from, to }: TimeWindow): TimeWindow {
  const width = Math.min(1, Math.max(narrowest, Math.abs(to - from)));
  const start = Math.min(1 - width, Math.max(0, Math.min(from, to)));
  return { from: start, to: start + width };
}

/** A factor below 1 comes closer; `around` stays where it is. */
export function zoomWindow({ from, to }: TimeWindow, factor: number, around = (from + to) / 2): TimeWindow {
  return fitWindow({ from: around - (around - from) * factor, to: around + (to - around) * factor });
}

/** The same width, moved as little as needed to show that place. */
export function windowWith(shown: TimeWindow, place: number): TimeWindow {
  if (place >= shown.from && place <= shown.to) return shown;
  const width = shown.to - shown.from;
  return fitWindow({ from: place - width / 2, to: place + width / 2 });
}

// The effect of a key in the timeline: go to another call, or show another period.
type Move = { goTo: number } | { show: TimeWindow };

export const zoomFactor = 0.5;

/** `at` is the call the keyboard is on, `last` the last one; `place` is where that call is, as a share of the whole. */
export function timelineMove(
  key: string,
  { at, last, shown, place }: { at: number; last: number; shown: TimeWindow; place: number },
): Move | undefined {
  const step = (shown.to - shown.from) / 4;
  switch (key) {
    case 'ArrowRight':
      return { goTo: Math.min(last, at + 1) };
    case 'ArrowLeft':
      return { goTo: Math.max(0, at - 1) };
    case 'Home':
      return { goTo: 0 };
    case 'End':
      return { goTo: last };
    case '+':
    case '=':
      return { show: windowWith(zoomWindow(shown, zoomFactor), place) };
    case '-':
      return { show: zoomWindow(shown, 1 / zoomFactor) };
    case '0':
      return { show: wholeWindow };
    case 'PageDown':
      return { show: fitWindow({ from: shown.from + step, to: shown.to + step }) };
    case 'PageUp':
      return { show: fitWindow({ from: shown.from - step, to: shown.to - step }) };
    default:
      return undefined;
  }
}
