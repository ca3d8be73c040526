// A command of a session while it runs: what it has printed, and ending it alone. The turn it belongs to goes on.
import { ToolError } from '@codelab/protocol';
import type { RunningCommand } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { readInput } from '../../edge/read-input.ts';
import type { Gateway, Peer } from '../../sessions/gateway.ts';
import { runningCommands } from '../work/running-commands.ts';

type ByCall = { Params: { id: string; call: string } };

const base = '/api/v1/sessions/:id/calls/:call';
const Cursor = () =>
  z.object({
    cursor: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(Number.MAX_SAFE_INTEGER)), 0),
  });

export function runningCallRoutes(app: FastifyInstance, gateway: Gateway): void {
  async function find(id: string, call: string, by: Peer): Promise<RunningCommand> {
    const session = await gateway.session(id, by, { mustExist: true });
    const found = runningCommands(gateway.host, new Set([session.id])).find((one) => one.call.id === call);
    if (found !== undefined) return found;
    throw new ToolError(
      'FILE_NOT_FOUND',
      `No command ${JSON.stringify(call.slice(0, 200))} runs in this session. GET /api/v1/processes lists those that do.`,
    );
  }

  const reading = { summary: 'What a running command has printed since a cursor', query: Cursor };
  app.get<ByCall>(`${base}/output`, { config: { about: reading } }, async ({ peer, params, query }) => {
    const { cursor } = readInput(Cursor(), query);
    const { call, read } = await find(params.id, params.call, peer);
    return { call_id: call.id, status: 'running', ...read(cursor) };
  });

  const stopping = { summary: 'Ends one running command' };
  app.post<ByCall>(`${base}/stop`, { config: { about: stopping } }, async ({ peer, params }, reply) => {
    const { call, stop } = await find(params.id, params.call, peer);
    stop();
    return await reply.code(202).send({ call_id: call.id });
  });
}
