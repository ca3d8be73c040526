// Whether the gateway lives and can work. Open to all; tells nothing of sessions or paths.
import { gatewayRoutes } from '@codelab/api';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../sessions/gateway.ts';
import { route } from '../route.ts';

export function serveHealth(app: FastifyInstance, { host }: Gateway): void {
  route(app, gatewayRoutes.live, () => ({ status: 'ok' as const }));
  route(app, gatewayRoutes.health, async ({ reply }) => {
    const log = await isAnswering(() => host.log.read('health', { limit: 1 }));
    const isHealthy = log && !host.closing.aborted;
    return reply.code(isHealthy ? 200 : 503).send({
      status: isHealthy ? 'ok' : 'unhealthy',
      service: 'codelab-gateway',
      uptime: Math.round(process.uptime()),
      timestamp: new Date().toISOString(),
      checks: { log: log ? 'ok' : 'failing' },
    });
  });
}

async function isAnswering(ask: () => Promise<unknown>): Promise<boolean> {
  return await ask().then(
    () => true,
    () => false,
  );
}
