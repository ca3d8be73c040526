// A span before it is anybody's format: what took how long, as part of what.
import { hash } from 'node:crypto';

export type SpanAttributes = Record<string, string | number | boolean | string[]>;

/** One thing to follow: a turn, or a call that a peer made by itself. Its ids come from the log, so that they outlive a restart. */
export type Trace = { traceId: string; spanId: string };

export type TraceSpan = {
  name: string;
  traceId: string;
  spanId: string;
  /** Without it, the first of its trace. */
  parentId?: string;
  /** In milliseconds since 1970. */
  start: number;
  end: number;
  attributes: SpanAttributes;
  isError?: boolean;
  /** W3C traceparent of what caused it elsewhere. */
  cause?: string;
};

export type SpanSink = (span: TraceSpan) => void;

/** The hash of the entry it begins with names a trace: whoever has one finds the other. */
export function traceOf(entryHash: string): Trace {
  return { traceId: entryHash.slice(0, 32), spanId: entryHash.slice(32, 48) };
}

export function childId({ traceId, spanId }: Trace, ...words: (string | number)[]): string {
  return hash('sha256', JSON.stringify([traceId, spanId, ...words])).slice(0, 16);
}
