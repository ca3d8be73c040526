// What an executor says of a call: how far it is, or how it ended. Only calls of its own session that are its to carry out, each once.
import type { Message } from '@codelab/dialects';
import { type CallState, type Decision, type Executor, type Outcome, ToolError } from '@codelab/protocol';
import { coreResult } from '../../remote/core-result.ts';
import type { Job, JobEnd } from '../../remote/job.ts';
import { knowCall } from './know-call.ts';
import type { Line } from './line.ts';

type Result = Extract<Message, { type: 'result' }>;
type Progress = Extract<Message, { type: 'progress' }>;
type Asking = Extract<CallState, { state: 'awaiting_approval' }>;

const maxProgressChars = 64 * 1024;

export async function receiveResult(line: Line, { asked, outcome }: Result): Promise<void> {
  const { gateway, session } = line;
  const executor = executorOf(line);
  const by = { who: executor.who, executor };
  const job = gateway.executors.get(session.id, asked.id);
  if (job !== undefined) {
    if (gateway.executors.settle(job, endOf(line, job, outcome), by)) return;
    throw notYours(asked.id);
  }
  const live = await session.host.session(session.id);
  await live.catchUp();
  const ended = await live.outcome(asked.id);
  // Said before: who says it again may not have heard that it was taken.
  if (ended !== undefined) {
    await knowCall(line, asked.id);
    return line.sender.send(line.scribe.calls.result(ended));
  }
  const state = live.openCalls.get(asked.id);
  if (state?.state !== 'awaiting_approval') throw notYours(asked.id);
  await receiveEarly(line, state, { executor, outcome });
}

export function receiveProgress(line: Line, { asked, data }: Progress): void {
  const { gateway, session } = line;
  const executor = executorOf(line);
  const job = gateway.executors.get(session.id, asked.id);
  if (job === undefined || !gateway.executors.mayTell(job, { who: executor.who, executor }))
    throw notYours(asked.id);
  const text = (value: unknown): string => (typeof value === 'string' ? value.slice(-maxProgressChars) : '');
  job.report({ stdout: text(data.stdout), stderr: text(data.stderr), exit_code: null });
}

/** Carried out though nobody had decided: who has the files has let it run, or has refused. It is written down as its decision. */
async function receiveEarly(
  { gateway, session, peer }: Line,
  { call, approval }: Asking,
  { executor, outcome }: { executor: Executor; outcome: Outcome },
): Promise<void> {
  const { id: approvalId, plan } = approval;
  const by = { who: peer.subject, via: 'executor' };
  const refusal = refusalIn(outcome);
  if (refusal !== undefined) return await session.decide({ approvalId, decision: refusal, by });
  if (plan.question !== undefined)
    return await session.decide({ approvalId, decision: answerIn(outcome), by });
  const tool = session.host.tools.get(approval.tool);
  if (tool === undefined) throw notYours(call.id);
  const end = outcome.status === 'completed' ? coreResult(tool, approval, outcome.data) : errorOf(outcome);
  const takeBack = gateway.executors.foresee(session.id, call.id, end);
  try {
    const taken = { type: 'call.taken' as const, callId: call.id, executor };
    await session.decide({ approvalId, decision: { kind: 'approve' }, by, also: [taken] });
  } catch (error) {
    takeBack();
    throw error;
  }
}

function endOf({ session }: Line, job: Job, outcome: Outcome): JobEnd {
  if (outcome.status !== 'completed') return errorOf(outcome);
  const tool = session.host.tools.get(job.tool);
  if (tool === undefined) throw notYours(job.callId);
  return coreResult(tool, job, outcome.data);
}

function errorOf({
  error: { code, message, details },
}: Exclude<Outcome, { status: 'completed' }>): ToolError {
  return new ToolError(code, message, details);
}

function refusalIn(outcome: Outcome): Decision | undefined {
  if (outcome.status === 'completed' || outcome.error.code !== 'REJECTED') return undefined;
  const feedback = outcome.error.message.slice(0, 10_000);
  return { kind: 'reject', ...(feedback !== '' && { feedback }) };
}

function answerIn(outcome: Outcome): Decision {
  const action = outcome.status === 'completed' ? outcome.data.action : undefined;
  if (typeof action === 'string') return { kind: 'answer', action };
  throw new ToolError('INVALID_ARGUMENTS', 'A question is answered with `result.action`.', {
    field: 'result.action',
  });
}

function executorOf({ executor }: Line): Executor {
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
