// Tells the browser of an allowed page that it may read the answers. To be asked after the door has looked at the origin. Cookies are
// left out: they count for our own page alone.
import type { FastifyReply, FastifyRequest } from 'fastify';

const asked = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, last-event-id, mcp-protocol-version, mcp-session-id, traceparent, x-api-key',
  'access-control-max-age': '600',
};

/** True when it was only the browser's question beforehand, which carries no token; it is answered by then. */
export function allowOrigin({ method, headers }: FastifyRequest, reply: FastifyReply): boolean {
  const { origin } = headers;
  if (origin === undefined) return false;
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'mcp-session-id, retry-after, x-request-id',
    vary: 'Origin',
  });
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
  void reply.code(204).headers(asked).send();
  return true;
}
