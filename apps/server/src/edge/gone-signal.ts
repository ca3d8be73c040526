// Aborts when the connection is done with, complete or not: nobody is there to answer any more.
import type { FastifyReply } from 'fastify';

export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  raw.once('close', () => disconnected.abort());
  if (raw.destroyed) disconnected.abort();
  return disconnected.signal;
}
