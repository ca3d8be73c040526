// Counters, histograms and values read when asked, and the text that Prometheus reads.
import type { IntervalHistogram } from 'node:perf_hooks';

/** Adds up, for each set of labels. */
export type Counter = { add(labels: Labels, by?: number): void; all(): Sample[] };

export function createCounter(): Counter {
  const series = new Map<string, { labels: Labels; value: number }>();
  return {
    add(labels, by = 1) {
      const key = JSON.stringify(labels);
      const sample = series.get(key) ?? { labels, value: 0 };
      sample.value += by;
      series.set(key, sample);
    },
    all: () => [...series.values()],
  };
}

/** Counts how often a value stayed below each of some bounds, for each set of labels. */
type Labels = Record<string, string>;
type Distribution = { labels: Labels; counts: readonly number[]; sum: number; count: number };

export type Histogram = {
  observe(value: number, labels?: Labels): void;
  readonly bounds: readonly number[];
  all(): Distribution[];
};

/** Histogram bounds for machine times, in seconds. */
export const quickBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Histogram bounds for times of models and people, in seconds. */
export const slowBounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];

export function createHistogram(bounds: readonly number[]): Histogram {
  const series = new Map<string, Distribution & { counts: number[] }>();
  return {
    bounds,
    observe(value, labels = {}) {
      const key = JSON.stringify(labels);
      const sample = series.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
      series.set(key, sample);
      sample.sum += value;
      sample.count++;
      const at = bounds.findIndex((bound) => value <= bound);
      if (at >= 0) sample.counts[at] = (sample.counts[at] ?? 0) + 1;
    },
    all: () => [...series.values()],
  };
}

/** Bounds the number of names that outsiders can choose: the first ones are kept, all later ones share one name. */
const otherName = 'other';

export function createFewNames(most = 50): (name: string) => string {
  const names = new Set<string>();
  return (name) => {
    if (names.has(name)) return name;
    if (names.size >= most || name.length > 100) return otherName;
    names.add(name);
    return name;
  };
}

/** One metric in Prometheus' text form: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export type Sample = { labels?: Labels; value: number };

export function metricText(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: readonly Sample[],
): string {
  return headText(name, type, help) + samples.map((sample) => sampleText(name, sample)).join('');
}

export function gauge(name: string, help: string, value: number): string {
  return metricText(name, 'gauge', help, [{ value }]);
}

export function histogramText(name: string, help: string, { bounds, all }: Histogram): string {
  const lines = all().flatMap(({ labels, counts, sum, count }) => {
    let below = 0;
    const buckets = bounds.map((bound, i) => {
      below += counts[i] ?? 0;
      return sampleText(`${name}_bucket`, { labels: { ...labels, le: String(bound) }, value: below });
    });
    return [
      ...buckets,
      sampleText(`${name}_bucket`, { labels: { ...labels, le: '+Inf' }, value: count }),
      sampleText(`${name}_sum`, { labels, value: sum }),
      sampleText(`${name}_count`, { labels, value: count }),
    ];
  });
  return headText(name, 'histogram', help) + lines.join('');
}

function headText(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function sampleText(name: string, { labels = {}, value }: Sample): string {
  return `${name}${labelText(labels)} ${value}\n`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/** Metrics of the process itself, under the usual names of Prometheus libraries where they exist. */
export function processMetrics(delay: IntervalHistogram): string {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const cpu = [{ value: (user + system) / 1e6 }];
  return [
    metricText('codelab_event_loop_delay_seconds', 'gauge', 'Since the last scrape', [
      { labels: { quantile: '0.5' }, value: seconds(delay.percentile(50)) },
      { labels: { quantile: '0.99' }, value: seconds(delay.percentile(99)) },
      { labels: { quantile: '1' }, value: seconds(delay.max) },
    ]),
    gauge('process_resident_memory_bytes', 'Resident memory', rss),
    gauge('nodejs_heap_size_used_bytes', 'Memory that objects use', heapUsed),
    gauge('nodejs_heap_size_total_bytes', 'Memory set aside for objects', heapTotal),
    gauge('nodejs_external_memory_bytes', 'Memory of buffers and the like', external),
    metricText('process_cpu_seconds_total', 'counter', 'Processor time used', cpu),
    gauge('process_start_time_seconds', 'When it started, since 1970', performance.timeOrigin / 1000),
  ].join('');
}

function seconds(ns: number): number {
  return Number.isFinite(ns) ? ns / 1e9 : 0;
}

/** Counters of events that no log has: requests, refused peers, log write times, sockets, spans. */
export type LiveMetrics = {
  /** The start of the gateway; earlier entries of the log are not counted. */
  startedAt: number;
  requests: Counter;
  requestSeconds: Histogram;
  requestsUnderWay: number;
  refused: Counter;
  appendSeconds: Histogram;
  entries: Counter;
  spans: Counter;
  sockets(): number;
};

export function createLiveMetrics(): LiveMetrics {
  return {
    startedAt: Date.now(),
    requests: createCounter(),
    requestSeconds: createHistogram(quickBounds),
    requestsUnderWay: 0,
    refused: createCounter(),
    appendSeconds: createHistogram(quickBounds),
    entries: createCounter(),
    spans: createCounter(),
    sockets: () => 0,
  };
}
