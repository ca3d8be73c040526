// A command of a session while it runs: what it has printed, and ending it alone. The turn it belongs to goes on.
import { processRoutes } from '@codelab/api';
import { ToolError } from '@codelab/protocol';
import type { RunningCommand } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import type { Gateway, Peer } from '../../sessions/gateway.ts';
import { route } from '../route.ts';
import { runningCommands } from '../work/running-commands.ts';

export function serveRunningCalls(app: FastifyInstance, gateway: Gateway): void {
  async function find(id: string, call: string, by: Peer): Promise<RunningCommand> {
    const session = await gateway.session(id, by, { mustExist: true });
    const found = runningCommands(gateway.host, new Set([session.id])).find((one) => one.call.id === call);
    if (found !== undefined) return found;
    throw new ToolError(
      'FILE_NOT_FOUND',
      `No command ${JSON.stringify(call.slice(0, 200))} runs in this session. GET ${processRoutes.list.path} lists those that do.`,
    );
  }

  route(app, processRoutes.commandOutput, async ({ peer, params, query }) => {
    const { call, read } = await find(params.id, params.call, peer);
    return { call_id: call.id, status: 'running' as const, ...read(query.cursor) };
  });

  route(app, processRoutes.stopCommand, async ({ peer, params }) => {
    const { call, stop } = await find(params.id, params.call, peer);
    stop();
    return { call_id: call.id };
  });
}
