// Adds up, for each set of labels.
import type { Labels } from './histogram.ts';
import type { Sample } from './metric-text.ts';

export type Counter = { add(labels: Labels, by?: number): void; all(): Sample[] };

export function createCounter(): Counter {
  const series = new Map<string, { labels: Labels; value: number }>();
  return {
    add(labels, by = 1) {
      const key = JSON.stringify(labels);
      const one = series.get(key) ?? { labels, value: 0 };
      one.value += by;
      series.set(key, one);
    },
    all: () => [...series.values()],
  };
}
