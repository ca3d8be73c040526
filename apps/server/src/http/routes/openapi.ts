// `/openapi.json`: the API table as OpenAPI, as far as this gateway serves it.
import { describeApi, gatewayRoutes, routeTable } from '@codelab/api';
import type { FastifyInstance } from 'fastify';
import { isServed, route } from '../route.ts';

export function serveDescription(app: FastifyInstance): void {
  let text: string | undefined;
  route(app, gatewayRoutes.describe, ({ reply }) => {
    text ??= JSON.stringify(describeApi(routeTable, { version: '1', isServed: (one) => isServed(app, one) }));
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
