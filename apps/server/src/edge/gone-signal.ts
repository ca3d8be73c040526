// Aborts when the connection is finished, complete or not: there is nobody left to answer.
import type { FastifyReply } from 'fastify';

export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  raw.once('close', () => disconnected.abort());
  if (raw.destroyed) disconnected.abort();
  return disconnected.signal;
}
