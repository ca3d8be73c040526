// Seed 002's API under `/my/projects/{pid}`: chats, their events, tools and approvals, with the errors its clients expect.
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../../../sessions/gateway.ts';
import { createCallFinder } from '../../../plugin/find-call.ts';
import { setPluginErrors } from '../../../plugin/plugin-scope.ts';
import { createReceipts } from '../../../plugin/receipts.ts';
import { servePluginApprovals } from './approvals.ts';
import { servePluginChats } from './chats.ts';
import { servePluginEvents } from './events.ts';
import { servePluginResults } from './results.ts';
import { servePluginTools } from './tools.ts';

export function servePlugin(app: FastifyInstance, gateway: Gateway): void {
  void app.register(async (scope) => {
    setPluginErrors(scope);
    const calls = createCallFinder(gateway);
    servePluginChats(scope, gateway);
    const receipts = createReceipts();
    servePluginEvents(scope, gateway, receipts);
    servePluginTools(scope, gateway, calls);
    servePluginApprovals(scope, calls);
    servePluginResults(scope, { gateway, calls, receipts });
  });
}
