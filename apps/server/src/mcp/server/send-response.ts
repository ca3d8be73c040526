// Sends a web response through fastify. A stream goes out no faster than its peer reads, and ends on both sides when either does.
import { once } from 'node:events';
import type { FastifyReply } from 'fastify';
import { cutSlowReader } from '../../edge/cut-slow-reader.ts';
import { goneSignal } from '../../edge/gone-signal.ts';

export async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const headers = Object.fromEntries(response.headers);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (response.body === null || !isStream)
    return reply
      .code(response.status)
      .headers(headers)
      .send(await response.text());
  reply.hijack();
  const { raw } = reply;
  raw.on('error', () => raw.destroy());
  raw.writeHead(response.status, { ...earlierHeaders(reply), ...headers });
  raw.flushHeaders();
  cutSlowReader(raw);
  const reader = response.body.getReader();
  const disconnected = goneSignal(reply);
  const leave = (): void => void reader.cancel().catch(() => undefined);
  if (disconnected.aborted) leave();
  else disconnected.addEventListener('abort', leave, { once: true });
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read())
      if (!raw.write(read.value)) await once(raw, 'drain', { signal: disconnected });
    raw.end();
  } catch {
    raw.destroy();
  }
  return reply;
}

/** The headers that were set before: hijacking drops them. */
function earlierHeaders(reply: FastifyReply): Record<string, string> {
  const headers = Object.entries(reply.getHeaders());
  return Object.fromEntries(
    headers.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
