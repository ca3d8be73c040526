// Whether the gateway lives and can work. Open to all; tells nothing of sessions or paths.
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../sessions/gateway.ts';

export function healthRoutes(app: FastifyInstance, { host }: Gateway): void {
  const config = { isOpen: true };
  app.get('/health/live', { config }, async () => ({ status: 'ok' }));
  for (const path of ['/health', '/health/ready', '/api/v1/health'])
    app.get(path, { config }, async (_request, reply) => {
      const log = await isAnswering(() => host.log.read('health', { limit: 1 }));
      const isHealthy = log && !host.closing.aborted;
      const checks = { log: log ? 'ok' : 'failing' };
      return reply.code(isHealthy ? 200 : 503).send({
        status: isHealthy ? 'ok' : 'unhealthy',
        service: 'codelab-gateway',
        uptime: Math.round(process.uptime()),
        timestamp: new Date().toISOString(),
        checks,
      });
    });
}

async function isAnswering(ask: () => Promise<unknown>): Promise<boolean> {
  return await ask().then(
    () => true,
    () => false,
  );
}
