// Counts how often a value stayed below each of some bounds, for each set of labels.

export type Labels = Record<string, string>;
type Distribution = { labels: Labels; counts: readonly number[]; sum: number; count: number };

export type Histogram = {
  observe(value: number, labels?: Labels): void;
  readonly bounds: readonly number[];
  all(): Distribution[];
};

/** For what a machine does, in seconds. */
export const quickBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** For what models and people do, in seconds. */
export const slowBounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];

export function createHistogram(bounds: readonly number[]): Histogram {
  const series = new Map<string, Distribution & { counts: number[] }>();
  return {
    bounds,
    observe(value, labels = {}) {
      const key = JSON.stringify(labels);
      const one = series.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
      series.set(key, one);
      one.sum += value;
      one.count++;
      const at = bounds.findIndex((bound) => value <= bound);
      if (at >= 0) one.counts[at] = (one.counts[at] ?? 0) + 1;
    },
    all: () => [...series.values()],
  };
}
