// Puts bars into as few lanes as possible, so that none covers another; when there are too many at once, the last lane takes the rest.
type Bar<Item> = { item: Item; from: number; to: number; lane: number };

const gap = 2;

/** `from` and `to` in pixels, in the order of `from`. */
export function packLanes<Item>(
  bars: readonly Omit<Bar<Item>, 'lane'>[],
  mostLanes: number,
): { bars: Bar<Item>[]; lanes: number } {
  const ends: number[] = [];
  const packed = bars.map((bar): Bar<Item> => {
    const free = ends.findIndex((end) => end + gap <= bar.from);
    const lane = free === -1 ? Math.min(ends.length, mostLanes - 1) : free;
    ends[lane] = Math.max(ends[lane] ?? 0, bar.to);
    return { ...bar, lane };
  });
  return { bars: packed, lanes: ends.length };
}
