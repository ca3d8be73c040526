// Whether the gateway is alive and ready, and the API it serves. Needs no token and reveals nothing about sessions or paths.
import { describeApi, gatewayRoutes, routeTable } from '@codelab/api';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../sessions/gateway.ts';
import { isServed, serveRoute } from '../route.ts';

// Whether the gateway is alive and ready. Public; reveals nothing about sessions or paths.
export function serveHealth(app: FastifyInstance, { host }: Gateway): void {
  serveRoute(app, gatewayRoutes.live, () => ({ status: 'ok' as const }));
  serveRoute(app, gatewayRoutes.health, async ({ reply }) => {
    const broker = host.log.servers?.isConnected();
    const log = broker !== false && (await isAnswering(() => host.log.read('health', { limit: 1 })));
    const isHealthy = log && !host.closing.aborted;
    return reply.code(isHealthy ? 200 : 503).send({
      status: isHealthy ? 'ok' : 'unhealthy',
      service: 'codelab-gateway',
      uptime: Math.round(process.uptime()),
      timestamp: new Date().toISOString(),
      checks: { log: verdict(log), ...(broker !== undefined && { broker: verdict(broker) }) },
    });
  });
}

function verdict(isWell: boolean): 'ok' | 'failing' {
  return isWell ? 'ok' : 'failing';
}

/** A log on servers waits long for them; a health check does not. */
const patienceMs = 3000;

async function isAnswering(request: () => Promise<unknown>): Promise<boolean> {
  const { promise: tooLong, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), patienceMs);
  const answer = request().then(
    () => true,
    () => false,
  );
  return await Promise.race([answer, tooLong]).finally(() => clearTimeout(timer));
}

// `/openapi.json`: the API table as OpenAPI, as far as this gateway serves it.
export function serveDescription(app: FastifyInstance): void {
  let text: string | undefined;
  serveRoute(app, gatewayRoutes.describe, ({ reply }) => {
    text ??= JSON.stringify(
      describeApi(routeTable, { version: '1', isServed: (route) => isServed(app, route) }),
    );
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
