// Seed 002's API under `/my/projects/{pid}`: chats, their events, tools and approvals, with the errors its clients expect.
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../sessions/gateway.ts';
import { createCallFinder } from '../plugin/find-call.ts';
import { setPluginErrors } from '../plugin/plugin-scope.ts';
import { pluginApprovalRoutes } from './plugin-approvals.ts';
import { pluginEventRoutes } from './plugin-events.ts';
import { pluginResultRoutes } from './plugin-results.ts';
import { pluginSessionRoutes } from './plugin-sessions.ts';
import { pluginToolRoutes } from './plugin-tools.ts';

export function pluginRoutes(app: FastifyInstance, gateway: Gateway): void {
  void app.register(async (scope) => {
    setPluginErrors(scope);
    const calls = createCallFinder(gateway);
    pluginSessionRoutes(scope, gateway);
    pluginEventRoutes(scope, gateway);
    pluginToolRoutes(scope, gateway, calls);
    pluginApprovalRoutes(scope, calls);
    pluginResultRoutes(scope, gateway);
  });
}
