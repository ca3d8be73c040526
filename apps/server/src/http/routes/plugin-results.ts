// How a call ended that the client carried out, in seed 002's form or the server's older one; the first word counts.
import { pluginRoutes, type RouteAnswer } from '@codelab/api';
import { findDialect, type Json } from '@codelab/dialects';
import { ToolError } from '@codelab/protocol';
import type { FastifyInstance } from 'fastify';
import type { Job, JobEnd } from '../../executors/job.ts';
import type { Gateway, Peer } from '../../sessions/gateway.ts';
import { coreData } from '../plugin/core-data.ts';
import { route } from '../route.ts';

export function servePluginResults(scope: FastifyInstance, gateway: Gateway): void {
  route(scope, pluginRoutes.result, ({ params, body, peer }) => receive(gateway, params.tid, body, peer));
  route(scope, pluginRoutes.resultOf, ({ body: { tool_id, ...said }, peer }) =>
    receive(gateway, tool_id, said, peer),
  );
}

async function receive(
  gateway: Gateway,
  id: string,
  said: Json,
  peer: Peer,
): Promise<RouteAnswer<typeof pluginRoutes.result>> {
  const job = await findJob(gateway, id, said, peer);
  if (job === undefined || !gateway.executors.settle(job, endOf(job, said), { who: peer.subject }))
    throw new ToolError('APPROVAL_NOT_FOUND', 'Nobody waits for a result of this call.', {
      receipt_status: 'rejected',
    });
  return { success: true, tool_id: job.callId, status: 'received', receipt_status: 'received' };
}

async function findJob(
  gateway: Gateway,
  id: string,
  { session_id }: Json,
  peer: Peer,
): Promise<Job | undefined> {
  const mine: Job[] = [];
  for (const job of gateway.executors.find(id))
    if ((session_id ?? job.session) === job.session && (await isFor(gateway, job, peer))) mine.push(job);
  if (mine.length < 2) return mine[0];
  throw new ToolError('INVALID_ARGUMENTS', 'Several chats have a call of this id: say `session_id`.', {
    field: 'session_id',
  });
}

async function isFor(gateway: Gateway, job: Job, peer: Peer): Promise<boolean> {
  return await gateway.session(job.session, peer, { mustExist: true }).then(
    () => true,
    () => false,
  );
}

function endOf(job: Job, { status, result, ...rest }: Json): JobEnd {
  const words: Record<string, string> = { completed: 'success', failed: 'error' };
  const said: Json = { ...rest, status: words[String(status)] ?? status };
  if (said.output === undefined && result !== undefined) said.output = result;
  const code = said.exitCode ?? said.exit_code;
  // A program that ended badly has ended all the same, and so has one that was stopped.
  if (said.status === 'success' || typeof code === 'number') return coreData(job, said);
  const message = findDialect('plugin').decode({ ...said, type: 'tool.result', tool_id: job.callId });
  if (message.type !== 'result' || message.outcome.status === 'completed') return coreData(job, said);
  const { error } = message.outcome;
  return new ToolError(error.code, error.message, error.details);
}
