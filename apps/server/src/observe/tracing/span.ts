// A span before it is written in a format: what took how long, within which parent.
import { hash } from 'node:crypto';

export type SpanAttributes = Record<string, string | number | boolean | string[]>;

/** The identity of a trace: a turn, or a standalone call of a peer. Its ids come from the log, so that they survive a restart. */
export type Trace = { traceId: string; spanId: string };

export type TraceSpan = {
  name: string;
  traceId: string;
  spanId: string;
  /** Missing for the first span of a trace. */
  parentId?: string;
  /** In milliseconds since 1970. */
  start: number;
  end: number;
  attributes: SpanAttributes;
  isError?: boolean;
  /** W3C traceparent of the cause at the sender. */
  cause?: string;
};

export type SpanSink = (span: TraceSpan) => void;

/** The trace that starts with this log entry: its id is the hash of the entry, so either can be found from the other. */
export function traceOf(entryHash: string): Trace {
  return { traceId: entryHash.slice(0, 32), spanId: entryHash.slice(32, 48) };
}

export function childId({ traceId, spanId }: Trace, ...words: (string | number)[]): string {
  return hash('sha256', JSON.stringify([traceId, spanId, ...words])).slice(0, 16);
}
