// A stream of events over plain HTTP: server-sent events or lines of JSON. The token goes in a header, which `EventSource` cannot send.
import { createParser } from 'eventsource-parser';
import type { Fetch } from '../api/requester.ts';
import { ApiError } from '../api-error.ts';
import {
  type ConnectionEnd,
  type ConnectionEvents,
  connectionLost,
  maxFrame,
  type ReceivedFrame,
  refusalOf,
  silentHeartbeats,
} from './connection.ts';
import { readFrame } from './read-frame.ts';

export type EventStreamOptions = ConnectionEvents & {
  fetch: Fetch;
  url: string;
  headers: Record<string, string>;
  framing: 'sse' | 'ndjson';
  /** Turns an event of the framing into a message. */
  read?: (event: { type: string | undefined; id: string | undefined; data: string }) => ReceivedFrame;
  beatMs: number;
  signal: AbortSignal;
};

export async function eventStreamConnection(options: EventStreamOptions): Promise<ConnectionEnd> {
  const { signal, beatMs } = options;
  const silence = new AbortController();
  let heardAt = Date.now();
  const watch = setInterval(() => {
    if (Date.now() - heardAt > beatMs * silentHeartbeats) silence.abort();
  }, beatMs / 2);
  const ending = AbortSignal.any([signal, silence.signal]);
  try {
    const response = await options.fetch(options.url, { headers: options.headers, signal: ending });
    if (!response.ok) return await refusalOf(response);
    options.onOpen(undefined);
    const take = takerOf(options);
    const decoder = new TextDecoder();
    for (const reader = response.body?.getReader(); reader !== undefined; ) {
      const { done, value } = await reader.read();
      if (done) return connectionLost('The gateway ended the stream.');
      heardAt = Date.now();
      if (!ending.aborted) take(decoder.decode(value, { stream: true }));
    }
    return connectionLost('The gateway sent nothing.');
  } catch (error) {
    if (signal.aborted) return connectionLost('closed here');
    if (silence.signal.aborted) return connectionLost('no more data arrived');
    if (error instanceof TypeError || (error instanceof Error && error.name === 'AbortError'))
      return connectionLost('The gateway can’t be reached.');
    throw error;
  } finally {
    clearInterval(watch);
    // The request must be closed however the stream ended.
    silence.abort();
  }
}

function takerOf({
  framing,
  read,
  onFrame: onTold,
  onUnreadable,
  signal,
}: EventStreamOptions): (text: string) => void {
  const give = (make: () => ReceivedFrame): void => {
    if (signal.aborted) return;
    try {
      onTold(make());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      onUnreadable(error);
    }
  };
  if (framing === 'ndjson') return lineTaker((line) => give(() => plainFrame(line, undefined, undefined)));
  const parser = createParser({
    maxBufferSize: maxFrame.bytes,
    onEvent: ({ event: type, id, data }) =>
      give(() => (read ? read({ type, id, data }) : plainFrame(data, type, id))),
  });
  return (text) => parser.feed(text);
}

function plainFrame(data: string, type: string | undefined, id: string | undefined): ReceivedFrame {
  const frame = readFrame(data, type);
  const seq = id === undefined ? frame.seq : Number(id);
  return { frame, seq: typeof seq === 'number' && Number.isSafeInteger(seq) ? seq : undefined };
}

function lineTaker(onLine: (line: string) => void): (text: string) => void {
  let partialLine = '';
  return (text) => {
    const lines = (partialLine + text).split('\n');
    partialLine = lines.pop() ?? '';
    if (partialLine.length > maxFrame.bytes) throw new TypeError('A line without end.');
    for (const line of lines) if (line.trim() !== '') onLine(line);
  };
}
