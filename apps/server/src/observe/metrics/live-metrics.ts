// What is counted while it happens, because no log holds it: requests, who was turned away, how long the log takes, sockets, spans.
import { type Counter, createCounter } from './counter.ts';
import { createHistogram, type Histogram, quickBounds } from './histogram.ts';

export type LiveMetrics = {
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
