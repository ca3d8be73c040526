// Logs who connects, what they request, and on whose behalf the gateway acts.

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { ToolError } from '@codelab/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Auth } from '../edge/auth/create-auth.ts';
import { createRateLimit } from '../edge/rate-limit.ts';
import type { Gateway, Peer, SharedSession } from '../sessions/gateway.ts';
import type { LogLines } from './log-lines.ts';
import type { LiveMetrics } from './metrics/metric.ts';

/** Logs to whom a session was refused and who deleted one, and makes messages traceable to their peer. */
export function watchGateway(gateway: Gateway, lines: LogLines): Gateway {
  return {
    ...gateway,
    async session(id, by, options) {
      const session = await because(causeOf(by), () => gateway.session(id, by, options)).catch(refused);
      return speaking(session);
      function refused(error: unknown): never {
        if (error instanceof ToolError && error.code === 'PERMISSION_DENIED')
          lines.info({ session: id, code: error.code, ...causeOf(by) }, 'session refused');
        throw error;
      }
    },
    async opened(id) {
      const session = await gateway.opened(id);
      return session && speaking(session);
    },
    fork: async (id, by, options) =>
      speaking(await because(causeOf(by), () => gateway.fork(id, by, options))),
    async deleteSession(id, by) {
      await gateway.deleteSession(id, by);
      lines.info({ session: id, ...causeOf(by) }, 'session deleted');
    },
  };
}

const decorated = new WeakMap<SharedSession, SharedSession>();

/** Returns the same wrapper for the same session, so that a holder can find it again. */
function speaking(session: SharedSession): SharedSession {
  const found = decorated.get(session);
  if (found !== undefined) return found;
  const watched = Object.create(session, {
    say: {
      value: (...args: Parameters<SharedSession['say']>) =>
        because(causeOf(args[1]), () => session.say(...args)),
    },
    send: {
      value: (...sent: Parameters<SharedSession['send']>) =>
        because(causeOf(sent[1]), () => session.send(...sent)),
    },
  }) as SharedSession;
  decorated.set(session, watched);
  return watched;
}

function causeOf({ subject, via }: Peer): { who: string; via: string } {
  return { who: subject, via };
}

/** The origin of a refused request. Its credentials are not logged. */
type From = { via?: string; address?: string };

// A flood of refused requests must not flood the log; the counter has all of them.
const lineRate = { perSecond: 2, burst: 50 };

export function watchAuth(auth: Auth, report: { lines: LogLines; refused(why: string): void }): Auth {
  const rate = createRateLimit(lineRate);
  let untold = 0;
  function note(error: unknown, from: From): void {
    const code = error instanceof ToolError ? error.code : 'INTERNAL';
    const toolReason = error instanceof ToolError ? error.details?.reason : undefined;
    const reason = typeof toolReason === 'string' ? toolReason : code;
    report.refused(reason);
    if (!rate.take('')) untold++;
    else {
      report.lines.info({ code, reason, ...from, ...(untold > 0 && { untold }) }, 'door refused');
      untold = 0;
    }
  }
  return {
    ...auth,
    checkOrigin(headers) {
      try {
        auth.checkOrigin(headers);
      } catch (error) {
        note(error, {});
        throw error;
      }
    },
    async checkProcess(connection) {
      try {
        await auth.checkProcess?.(connection);
      } catch (error) {
        const { remoteAddress: address } = connection;
        note(error, address === undefined ? {} : { address });
        throw error;
      }
    },
    async admit(asking, via) {
      try {
        return await auth.admit(asking, via);
      } catch (error) {
        note(error, { via, address: asking.address });
        throw error;
      }
    },
  };
}

/** Counts and logs every request by its route, never by its address: addresses may contain tokens. Each request has an id, which is sent back. */
export type RequestWatch = { lines: LogLines; live: LiveMetrics };

/** The ids of one gateway share a prefix, which changes with its next start. */
export function requestIds(): () => string {
  const prefix = randomBytes(4).toString('hex');
  let count = 0;
  return () => `${prefix}-${(++count).toString(36)}`;
}

/** Must be called before other hooks and routes, so that refused requests are counted as well. */
export function watchRequests(app: FastifyInstance, { lines, live }: RequestWatch): void {
  app.addHook('onRequest', (request, reply, done) => {
    live.requestsUnderWay++;
    void reply.header('x-request-id', request.id);
    reply.raw.once('close', () => {
      live.requestsUnderWay--;
      note(request, reply, { lines, live });
    });
    done();
  });
  // Not earlier: reading the body depends on events of the connection, which have no link to the request.
  app.addHook('preHandler', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const link = typeof traceparent === 'string' ? { traceparent } : {};
    because({ request: request.id, ...link }, done);
  });
}

function note(request: FastifyRequest, reply: FastifyReply, { lines, live }: RequestWatch): void {
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

/** The person or peer on whose behalf work is done, carried along with the work, so that observers of log entries know it. */
export type Cause = {
  request?: string;
  who?: string;
  via?: string;
  /** W3C traceparent of the request at its sender. */
  traceparent?: string;
};

const causes = new AsyncLocalStorage<Cause>();

/** Adds to the known cause. */
function because<T>(cause: Cause, work: () => T): T {
  return causes.run({ ...causes.getStore(), ...cause }, work);
}

export function currentCause(): Cause {
  return causes.getStore() ?? {};
}
