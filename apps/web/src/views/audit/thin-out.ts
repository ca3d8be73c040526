// Bars that nobody could tell apart: of many short ones at the same pixel, one is drawn.
type Drawn = { from: number; to: number };

const many = 400;

/** In the order of `from`. Long ones stay, and what `isKept` says. */
export function thinOut<Bar extends Drawn>(
  bars: readonly Bar[],
  shortest: number,
  isKept: (bar: Bar) => boolean,
): Bar[] {
  if (bars.length <= many) return [...bars];
  let last = -Infinity;
  return bars.filter((bar) => {
    const isShort = bar.to - bar.from <= shortest;
    if (isShort && bar.from - last < 1 && !isKept(bar)) return false;
    if (isShort) last = bar.from;
    return true;
  });
}
