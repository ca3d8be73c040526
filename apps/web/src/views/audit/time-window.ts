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
