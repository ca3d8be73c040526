// An executor's report on a call: progress or outcome. Accepted once, and only for calls of its own session that it may run.
import { type DialectMessage, readClientFailure, readClientResult } from '@codelab/dialects';
import {
  type CallState,
  type Decision,
  type Executor,
  type Outcome,
  type Owner,
  type ToolCall,
  ToolError,
} from '@codelab/protocol';
import type { LiveSession } from '@codelab/runtime';
import type { CallJob, JobEnd } from '../executors/job-queue.ts';
import { recallCall, type SocketConnection } from './connection.ts';
import { answerIn } from './receive-answer.ts';

type Result = Extract<DialectMessage, { type: 'result' }>;
type Progress = Extract<DialectMessage, { type: 'progress' }>;
type Asking = Extract<CallState, { state: 'awaiting_approval' }>;

const maxProgressChars = 64 * 1024;

export async function receiveResult(connection: SocketConnection, { asked, outcome }: Result): Promise<void> {
  const { gateway, session } = connection;
  const live = await session.host.session(session.id);
  await live.catchUp();
  const isAnswer = connection.executor === undefined;
  if (isAnswer && (await receiveAnswer(connection, live.openCalls.get(asked.id), outcome))) return;
  const executor = executorOf(connection);
  const by = { who: executor.who, executor };
  const job = gateway.executors.get(session.id, asked.id);
  if (job !== undefined) {
    if (gateway.executors.settle(job, endOf(connection, job, outcome), by)) return;
    throw notYours(asked.id);
  }
  if (live.finished(asked.id) !== undefined) return await repeatResult(connection, live, asked.id);
  const state = live.openCalls.get(asked.id);
  if (state?.state === 'awaiting_approval') await receiveEarly(connection, state, { executor, outcome });
  else if (state !== undefined && isOwnApproval(connection, live, state))
    await receiveBeforeOrder(connection, live, { call: state.call, executor, outcome });
  else throw notYours(asked.id);
}

/** False when the call does not wait for an answer. */
async function receiveAnswer(
  { session, peer }: SocketConnection,
  state: CallState | undefined,
  outcome: Outcome,
): Promise<boolean> {
  if (state?.state !== 'awaiting_approval' || state.approval.plan.question === undefined) return false;
  const { approval } = state;
  const by = { who: peer.subject, via: peer.via };
  await session.decide({ approvalId: approval.id, decision: answerIn(approval, outcome), by });
  return true;
}

// A client that repeats its result may not have received the receipt.
async function repeatResult(connection: SocketConnection, live: LiveSession, callId: string): Promise<void> {
  const ended = await live.outcome(callId);
  if (ended === undefined) throw notYours(callId);
  await recallCall(connection, callId);
  connection.sender.send(connection.encoder.calls.result(ended));
}

/** Approved here as it was asked, by the executor's own person, and not handed out yet. */
function isOwnApproval({ session, peer }: SocketConnection, live: LiveSession, state: CallState): boolean {
  const { approvedBy, executor } = live.pass(state.call.id);
  if (approvedBy !== peer.subject || executor !== undefined) return false;
  return (
    state.state === 'approved' || (state.state === 'running' && isOwn(state.owner, session.host.owner()))
  );
}

function isOwn(owner: Owner, self: Owner): boolean {
  return owner.pid === self.pid && owner.startedAt === self.startedAt;
}

/** Handles a result of an executor that approved the call itself before the order was sent; the order is then not sent. */
async function receiveBeforeOrder(
  connection: SocketConnection,
  live: LiveSession,
  { call, executor, outcome }: { call: ToolCall; executor: Executor; outcome: Outcome },
): Promise<void> {
  const { gateway, session } = connection;
  const end = endOf(connection, { ...call, callId: call.id }, outcome);
  gateway.executors.foresee(session.id, call.id, end);
  const takenEvent = { type: 'call.taken' as const, callId: call.id, executor };
  await live.commit(() => (live.finished(call.id) ? [] : [takenEvent]), { durable: true });
}

export function receiveProgress(connection: SocketConnection, { asked, data }: Progress): void {
  const { gateway, session } = connection;
  const executor = executorOf(connection);
  const job = gateway.executors.get(session.id, asked.id);
  if (job === undefined || !gateway.executors.mayReport(job, { who: executor.who, executor }))
    throw notYours(asked.id);
  const text = (value: unknown): string => (typeof value === 'string' ? value.slice(-maxProgressChars) : '');
  job.report({ stdout: text(data.stdout), stderr: text(data.stderr), exit_code: null });
}

/** The call ran without a decision: the client that has the files let it run, or refused it. This is recorded as the client's decision. */
async function receiveEarly(
  connection: SocketConnection,
  { call, approval }: Asking,
  { executor, outcome }: { executor: Executor; outcome: Outcome },
): Promise<void> {
  const { gateway, session, peer } = connection;
  const { id: approvalId, plan } = approval;
  const by = { who: peer.subject, via: 'executor' };
  const refusal = refusalIn(outcome);
  if (refusal !== undefined) return await session.decide({ approvalId, decision: refusal, by });
  const decision: Decision = plan.question === undefined ? { kind: 'approve' } : answerIn(approval, outcome);
  const end = endOf(connection, approval, outcome);
  // An answer may lack fields of a result; then the result is built here from the decision.
  const isWhole = plan.question === undefined || !(end instanceof ToolError);
  const takeBack = isWhole ? gateway.executors.foresee(session.id, call.id, end) : () => undefined;
  const takenEvent = { type: 'call.taken' as const, callId: call.id, executor };
  try {
    await session.decide({ approvalId, decision, by, also: plan.question === undefined ? [takenEvent] : [] });
  } catch (error) {
    takeBack();
    throw error;
  }
}

type Carried = Pick<CallJob, 'callId' | 'tool' | 'args'>;

function endOf(
  { session, encoder }: SocketConnection,
  { callId, tool: name, args }: Carried,
  outcome: Outcome,
): JobEnd {
  if (outcome.status !== 'completed') return readClientFailure(outcome.error);
  const tool = session.host.tools.get(name);
  if (tool === undefined) throw notYours(callId);
  return readClientResult(encoder.dialect, { tool: name, args, output: tool.output() }, outcome.data);
}

function refusalIn(outcome: Outcome): Decision | undefined {
  if (outcome.status === 'completed' || outcome.error.code !== 'REJECTED') return undefined;
  const feedback = outcome.error.message.slice(0, 10_000);
  return { kind: 'reject', ...(feedback !== '' && { feedback }) };
}

function executorOf({ executor }: SocketConnection): Executor {
  if (executor !== undefined) return executor;
  throw new ToolError(
    'INVALID_ARGUMENTS',
    'No result is wanted from this connection. Connect with role=executor to carry calls out.',
    { reason: 'INVALID_CALL_ID' },
  );
}

function notYours(callId: string): ToolError {
  return new ToolError(
    'INVALID_ARGUMENTS',
    `This connection has no call ${callId.slice(0, 100)} to carry out: it is another’s, or it has ended.`,
    { reason: 'INVALID_CALL_ID' },
  );
}
