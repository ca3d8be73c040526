// Sends server-sent events to one peer, no faster than it reads; comments keep the line open while there is nothing to say.
import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { cutSlowReader } from '../edge/cut-slow-reader.ts';

export type StreamEvent = { id?: number; event?: string; data: unknown };

const heartbeatMs = 15_000;

/** Returns when the events have ended, the peer is gone or one of `ends` aborts; `open` is told by the signal. */
export async function sendEvents(
  reply: FastifyReply,
  open: (signal: AbortSignal) => AsyncIterable<StreamEvent>,
  ends: readonly AbortSignal[] = [],
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  const gone = new AbortController();
  raw.on('close', () => gone.abort());
  raw.on('error', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, ...ends]);
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
    // A peer that does not read, or a log that can't be read: it comes back and goes on from its last id.
    raw.destroy();
  } finally {
    clearInterval(beat);
    gone.abort();
  }
}

async function drained(raw: ServerResponse, signal: AbortSignal): Promise<void> {
  if (!signal.aborted && raw.writableNeedDrain) await once(raw, 'drain', { signal });
}

// JSON has no line feeds of its own, so that nothing in the data can begin a field.
function textOf({ id, event, data }: StreamEvent): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    `data: ${JSON.stringify(data)}`,
  ];
  return `${lines.join('\n')}\n\n`;
}
