// How the process itself is doing, by the names Prometheus' own libraries use where there is one.
import type { IntervalHistogram } from 'node:perf_hooks';
import { gauge, metricText } from './metric-text.ts';

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
