// One metric in Prometheus' text form: https://prometheus.io/docs/instrumenting/exposition_formats/
import type { Histogram, Labels } from './histogram.ts';

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
