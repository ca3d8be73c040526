// Counts and tells every request by its route, never by its address: addresses may hold tokens. Each has an id, which is sent back.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { because } from './cause.ts';
import type { LiveMetrics } from './metrics/live-metrics.ts';
import type { LogLines } from './open-log-lines.ts';

export type HttpSeen = { lines: LogLines; live: LiveMetrics };

/** Ids of one gateway begin alike, and differ from those after its next start. */
export function requestIds(): () => string {
  const own = randomBytes(4).toString('hex');
  let count = 0;
  return () => `${own}-${(++count).toString(36)}`;
}

/** To be called before other hooks and routes: what they refuse is counted as well. */
export function watchRequests(app: FastifyInstance, { lines, live }: HttpSeen): void {
  app.addHook('onRequest', (request, reply, done) => {
    live.requestsUnderWay++;
    void reply.header('x-request-id', request.id);
    reply.raw.once('close', () => {
      live.requestsUnderWay--;
      note(request, reply, { lines, live });
    });
    done();
  });
  // Only now: reading the body goes by events of the connection, which know nothing of the request.
  app.addHook('preHandler', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const link = typeof traceparent === 'string' ? { traceparent } : {};
    because({ request: request.id, ...link }, done);
  });
}

function note(request: FastifyRequest, reply: FastifyReply, { lines, live }: HttpSeen): void {
  const { method, routeOptions, peer } = request;
  const route = routeOptions.url ?? 'unmatched';
  // Gone before there was an answer.
  const status = reply.raw.headersSent ? reply.raw.statusCode : 499;
  live.requests.add({ method, route, status: String(status) });
  const ms = reply.elapsedTime;
  if (routeOptions.config.isStream !== true) live.requestSeconds.observe(ms / 1000, { method, route });
  if (!lines.isDebug) return;
  const who = peer === undefined ? {} : { who: peer.subject };
  lines.debug(
    { request: request.id, method, route, status, ms: Math.round(ms * 10) / 10, ...who },
    'request',
  );
}
