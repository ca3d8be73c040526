// W3C's `traceparent` header: https://www.w3.org/TR/trace-context/#traceparent-header

export type RemoteSpan = { traceId: string; spanId: string; isSampled: boolean };

export function readTraceparent(text: string): RemoteSpan | undefined {
  const match =
    /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text);
  if (match === null) return undefined;
  const [, version, traceId = '', spanId = '', flags = '00', extra] = match;
  // Only unknown versions may have more fields.
  if (version === '00' && extra !== undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
