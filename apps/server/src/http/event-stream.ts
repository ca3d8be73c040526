// Server-sent events: sending them, ending them with a token, keeping them alive, and joining several into one.
import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { longestTimerMs } from '@codelab/protocol';
import type { FastifyReply } from 'fastify';
import { cutSlowReader } from '../edge/cut-slow-reader.ts';
import type { Peer } from '../sessions/gateway.ts';

// Sends server-sent events to one peer, no faster than it reads; comments keep an idle connection open.
export type ServerSentEvent = { id?: number; event?: string; data: unknown };

const heartbeatMs = 15_000;

/** Returns when the events have ended, the peer is gone or one of `ends` aborts; then the signal passed to `open` aborts. */
export async function sendEvents(
  reply: FastifyReply,
  open: (signal: AbortSignal) => AsyncIterable<ServerSentEvent>,
  ends: readonly AbortSignal[] = [],
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  const disconnected = new AbortController();
  raw.on('close', () => disconnected.abort());
  raw.on('error', () => disconnected.abort());
  const signal = AbortSignal.any([disconnected.signal, ...ends]);
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  cutSlowReader(raw);
  raw.write(': open\n\n');
  const beat = setInterval(() => {
    if (raw.writableLength === 0) raw.write(': beat\n\n');
  }, heartbeatMs);
  try {
    for await (const event of open(signal)) {
      if (signal.aborted) break;
      if (!raw.write(textOf(event))) await drained(raw, signal);
    }
    raw.end();
  } catch {
    // The peer does not read, or the log can't be read: the peer reconnects and continues from its last id.
    raw.destroy();
  } finally {
    clearInterval(beat);
    disconnected.abort();
  }
}

async function drained(raw: ServerResponse, signal: AbortSignal): Promise<void> {
  if (!signal.aborted && raw.writableNeedDrain) await once(raw, 'drain', { signal });
}

// JSON has no line feeds of its own, so nothing in the data can begin a field.
function textOf({ id, event, data }: ServerSentEvent): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    `data: ${JSON.stringify(data)}`,
  ];
  return `${lines.join('\n')}\n\n`;
}

// Aborts when the peer's token expires or its browser signs out; empty where neither can happen.
export function expirySignal({ until, page }: Peer): AbortSignal[] {
  const expiry =
    until === undefined
      ? []
      : [AbortSignal.timeout(Math.min(longestTimerMs, Math.max(0, until - Date.now())))];
  return page === undefined ? expiry : [...expiry, page.ended];
}

// A stream that is never silent for long: when nothing came, a beat is sent, so that both ends know the line is there.

export async function* withHeartbeat<T>(
  source: AsyncIterable<T>,
  everyMs: number,
  beat: () => T,
): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const { promise: silence, resolve } = Promise.withResolvers<'silence'>();
      const timer = setTimeout(resolve, everyMs, 'silence');
      const first = await Promise.race([next, silence]).finally(() => clearTimeout(timer));
      if (first === 'silence') {
        yield beat();
        continue;
      }
      if (first.done === true) return;
      yield first.value;
      next = iterator.next();
    }
  } finally {
    next.catch(() => undefined);
    // The call is not awaited: the iterator may end only with its next item.
    void iterator.return?.().catch(() => undefined);
  }
}

// Two streams as one, in the order things come; it ends with whichever ends first.

export async function* mergeStreams<T>(first: AsyncIterable<T>, second: AsyncIterable<T>): AsyncGenerator<T> {
  const sources = [first, second].map((source) => source[Symbol.asyncIterator]());
  const pull = async (at: number): Promise<{ at: number; item: IteratorResult<T> }> => {
    const item = (await sources[at]?.next()) ?? { done: true as const, value: undefined };
    return { at, item };
  };
  const pending = sources.map((_source, at) => pull(at));
  try {
    for (;;) {
      const { at, item } = await Promise.race(pending);
      if (item.done === true) return;
      yield item.value;
      pending[at] = pull(at);
    }
  } finally {
    for (const promise of pending) promise.catch(() => undefined);
    // The calls are not awaited: the sources may end only with their next items.
    for (const source of sources) void source.return?.(undefined).catch(() => undefined);
  }
}
