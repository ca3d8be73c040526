// Tells the browser that an allowed page may read the answers. To be called after the origin was checked. Cookies are not allowed: they count only
// for our own page.
import type { FastifyReply, FastifyRequest } from 'fastify';

const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, last-event-id, mcp-protocol-version, mcp-session-id, traceparent, x-api-key',
  'access-control-max-age': '600',
};

/** True for the browser's preflight request, which carries no token; it has then been answered. */
export function allowOrigin({ method, headers }: FastifyRequest, reply: FastifyReply): boolean {
  const { origin } = headers;
  if (origin === undefined) return false;
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'mcp-session-id, retry-after, x-request-id',
    vary: 'Origin',
  });
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
  void reply.code(204).headers(preflightHeaders).send();
  return true;
}
