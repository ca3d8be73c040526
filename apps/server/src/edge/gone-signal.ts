// Aborts when the connection is done with, complete or not: nobody is there to answer any more.
import type { FastifyReply } from 'fastify';

export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  if (raw.destroyed) gone.abort();
  return gone.signal;
}
