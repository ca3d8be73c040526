// Reports the outcome of a call that the client ran, in seed 002's form or the server's older one; the first word counts.
import { isDeepStrictEqual } from 'node:util';
import { pluginRoutes, type RouteAnswer } from '@codelab/api';
import {
  findDialect,
  type Json,
  type Receipt,
  readClientFailure,
  readClientResult,
  readPluginResult,
  receiptOf,
} from '@codelab/dialects';
import { type Outcome, ToolError } from '@codelab/protocol';
import type { FastifyInstance } from 'fastify';
import type { CallJob, JobEnd } from '../../../../executors/job-queue.ts';
import type { Gateway, Peer } from '../../../../sessions/gateway.ts';
import type { CallFinder } from '../../../plugin/find-call.ts';
import type { Receipts } from '../../../plugin/receipts.ts';
import { serveRoute } from '../../../route.ts';

type Receiving = { gateway: Gateway; calls: CallFinder; receipts: Receipts };
type ReceiptAnswer = RouteAnswer<typeof pluginRoutes.result>;

export function servePluginResults(scope: FastifyInstance, receiving: Receiving): void {
  serveRoute(scope, pluginRoutes.result, ({ params, body, peer }) =>
    receive(receiving, params.tid, body, peer),
  );
  serveRoute(scope, pluginRoutes.resultOf, ({ body: { tool_id, ...result }, peer }) =>
    receive(receiving, tool_id, result, peer),
  );
}

async function receive(receiving: Receiving, id: string, body: Json, peer: Peer): Promise<ReceiptAnswer> {
  const { gateway, receipts } = receiving;
  const job = await findJob(gateway, id, body, peer);
  if (job === undefined) return await repeatReceipt(receiving, id, body, peer);
  const end = endOf(gateway, job, body);
  const receipt = end instanceof ToolError ? receiptOf(failedWith(job, end)) : undefined;
  const isTaken = gateway.executors.mayReport(job, { who: peer.subject });
  // Recorded before the call continues, so that the stream sends the receipt before the end.
  if (isTaken && receipt?.status !== 'rejected') receipts.received(job.session, job.callId);
  if (!gateway.executors.settle(job, end, { who: peer.subject })) throw notWanted();
  return receipt?.status === 'rejected'
    ? answer(job.callId, receipt)
    : answer(job.callId, { status: 'received' });
}

/** A client that repeats a result may have missed its receipt: it is sent the stored one. */
async function repeatReceipt(
  { gateway, calls }: Receiving,
  id: string,
  body: Json,
  peer: Peer,
): Promise<ReceiptAnswer> {
  const { session, entry } = await calls
    .find(id, peer, body.session_id as string | undefined)
    .catch((error: unknown) => {
      throw error instanceof ToolError && error.code === 'APPROVAL_NOT_FOUND' ? notWanted() : error;
    });
  const { state } = entry;
  if (session.client === undefined || state.call.id !== id || !('outcome' in state)) throw notWanted();
  const { call, outcome } = state;
  const args = (outcome.status === 'completed' && outcome.changedBy?.args) || call.args;
  if (!isEndOf(endOf(gateway, { callId: id, tool: call.tool, args }, body), outcome)) throw notWanted();
  return answer(id, receiptOf(outcome));
}

/** Whether the call ended with exactly this result: a different one, or one for an abandoned call, gets no receipt. */
function isEndOf(end: JobEnd, outcome: Outcome): boolean {
  if (outcome.status === 'completed') return isDeepStrictEqual(end, outcome.data);
  return end instanceof ToolError && end.code === outcome.error.code && end.message === outcome.error.message;
}

function failedWith({ callId, tool }: CallJob, { code, message, details }: ToolError): Outcome {
  const error = { code, message, ...(details && { details }) };
  return { callId, tool, startedAt: 0, durationMs: 0, effects: [], status: 'failed', error };
}

function answer(tool_id: string, { status, message }: Receipt): ReceiptAnswer {
  return {
    success: status !== 'rejected',
    tool_id,
    status: 'received',
    receipt_status: status,
    ...(message !== undefined && { message }),
  };
}

function notWanted(): ToolError {
  return new ToolError('APPROVAL_NOT_FOUND', 'This call is not waiting for a result.', {
    receipt_status: 'rejected',
  });
}

async function findJob(
  gateway: Gateway,
  id: string,
  { session_id }: Json,
  peer: Peer,
): Promise<CallJob | undefined> {
  const matchingJobs: CallJob[] = [];
  for (const job of gateway.executors.find(id))
    if ((session_id ?? job.session) === job.session && (await isFor(gateway, job, peer)))
      matchingJobs.push(job);
  if (matchingJobs.length < 2) return matchingJobs[0];
  throw new ToolError('INVALID_ARGUMENTS', 'Several chats have a call of this id: say `session_id`.', {
    field: 'session_id',
  });
}

async function isFor(gateway: Gateway, job: CallJob, peer: Peer): Promise<boolean> {
  return await gateway.session(job.session, peer, { mustExist: true }).then(
    () => true,
    () => false,
  );
}

function endOf(
  { host }: Gateway,
  { callId, tool: name, args }: Pick<CallJob, 'callId' | 'tool' | 'args'>,
  wire: Json,
): JobEnd {
  const read = readPluginResult(callId, wire);
  if ('error' in read) return readClientFailure(read.error);
  const tool = host.tools.get(name);
  if (tool === undefined) return new ToolError('EXECUTION_FAILED', `A result of ${name} can’t be read here.`);
  return readClientResult(
    findDialect('plugin'),
    { tool: name, args, output: tool.output() },
    read.wireResult,
  );
}
