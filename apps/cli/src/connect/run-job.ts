// Runs one call of a gateway through the pipeline here, under its own id in the local session, so that it never runs twice.
import '../shared.ts';
import type { Dialect } from '@codelab/dialects';
import { type ApprovalRequest, type Outcome, type ToolCall, ToolError } from '@codelab/protocol';
import { type AnswerApproval, answerApproval, type Host, pendingApprovals, runCall } from '@codelab/runtime';
import { callDigest, type ExecutorJob } from './job.ts';
import type { ExecutorReporter } from './reporter.ts';

type Args = Record<string, unknown>;

/** `locals` holds the running jobs by their local ids. */
export async function runJob(
  options: GatewayExecutorOptions,
  locals: Map<string, ExecutorJob>,
  job: ExecutorJob,
): Promise<Outcome> {
  const first = await attempt(options, locals, job);
  if (first.status === 'completed') return first;
  if (first.error.code === 'DUPLICATE_CALL') return await carryOutOther(options, locals, job, first);
  const isUnanswered = first.status === 'expired' || first.status === 'cancelled';
  if (!isUnanswered || !job.isOrdered || job.abort.signal.aborted) return first;
  if ((await earlierOf(options, job.call.id)).started !== undefined) return first;
  // An approval here was not answered, and the gateway has ordered the call meanwhile.
  return await attempt(options, locals, renamed(job, 'again'));
}

/** A call with this id had other arguments before, so a person has edited it. Once one of the two has started, the other does not. */
async function carryOutOther(
  options: GatewayExecutorOptions,
  locals: Map<string, ExecutorJob>,
  job: ExecutorJob,
  refused: Outcome,
): Promise<Outcome> {
  const { received, started } = await earlierOf(options, job.call.id);
  if (started === undefined) return await attempt(options, locals, renamed(job, job.meaning.slice(-12)));
  const { tool } = job.call;
  if (received === undefined || callDigest(options.host, { tool, args: started }) !== job.meaning)
    return refused;
  // The user edited the call here and it ran that way, so the edited form is the recorded one.
  return await attempt(options, locals, job, received);
}

function renamed(job: ExecutorJob, suffix: string): ExecutorJob {
  job.localId = `${job.call.id.slice(0, 180)}~${suffix}`;
  return job;
}

async function attempt(
  options: GatewayExecutorOptions,
  locals: Map<string, ExecutorJob>,
  job: ExecutorJob,
  args: Args = job.call.args,
): Promise<Outcome> {
  const { host, dialect } = options;
  const { localId, call: wireCall, abort } = job;
  // An approval of the gateway is also put to the user here, whatever this machine's own rules say.
  const asks = !job.isOrdered || wireCall.requiresApproval;
  const call: ToolCall = {
    id: localId,
    session: options.session(),
    tool: wireCall.tool,
    args,
    dialect: dialect.name,
    by: { who: 'gateway', via: 'codelab connect' },
    ...(asks && { requiresApproval: true }),
  };
  locals.set(localId, job);
  const stop = host.progress.watch(call.session, (progressCall, data) => {
    if (progressCall.id === localId && dialect.streams)
      options.send(dialect.encode({ type: 'progress', asked: wireCall, data }));
  });
  try {
    return await runCall(host, call, abort.signal, (approval, signal) =>
      job.isTrusted && isCovered(approval) ? approve(options, approval) : options.answer(approval, signal),
    );
  } finally {
    stop();
    locals.delete(localId);
  }
}

/** The arguments recorded under this id in the local session, and whether the call started. */
async function earlierOf(
  { host, session }: GatewayExecutorOptions,
  callId: string,
): Promise<{ received: Args | undefined; started: Args | undefined }> {
  const bodies = (await host.log.read(session())).map(({ body }) => body);
  const received = bodies.find((body) => body.type === 'call.received' && body.call.id === callId);
  const started = bodies.findLast((body) => body.type === 'call.started' && body.callId === callId);
  return {
    received: received?.type === 'call.received' ? received.call.args : undefined,
    started: started?.type === 'call.started' ? started.args : undefined,
  };
}

/** A person at the gateway approved the call and that approval counts here, so it answers the pending approval here. */
export async function approvePending(options: GatewayExecutorOptions, job: ExecutorJob): Promise<void> {
  const live = await options.host.session(options.session());
  const open = pendingApprovals(live).find(({ callId }) => callId === job.localId);
  if (open !== undefined && isCovered(open)) await approve(options, open);
}

/** The gateway's approval does not cover a plan that has changed since, nor a question that needs another answer than yes. */
function isCovered({ again, plan }: ApprovalRequest): boolean {
  return again === undefined && plan.question === undefined;
}

async function approve({ host }: GatewayExecutorOptions, approval: ApprovalRequest): Promise<void> {
  const { session, id: approvalId } = approval;
  const by = { who: 'gateway', via: '--trust-gateway' };
  try {
    await answerApproval(host, { session, approvalId, decision: { kind: 'approve' }, by });
  } catch (error) {
    // An earlier decision stands.
    if (!(error instanceof ToolError && error.code === 'ALREADY_DECIDED')) throw error;
  }
}

/** The functions that an executor needs from its program. */
export type GatewayExecutorOptions = {
  host: Host;
  dialect: Dialect;
  /** The local session, known after the gateway has named its session. */
  session(): string;
  answer: AnswerApproval;
  /** Whether this executor has a user to ask. If not, approvals are left to the people at the gateway. */
  asksHere: boolean;
  trustsGateway: boolean;
  send(message: object): boolean;
  show: ExecutorReporter;
};

/** One question at a time: calls may run in parallel, and there is one terminal. */
export function oneAtATime(answer: AnswerApproval): AnswerApproval {
  let last: Promise<unknown> = Promise.resolve();
  return (approval, signal) => {
    const answering = last.then(() => (signal.aborted ? undefined : answer(approval, signal)));
    last = answering.catch(() => undefined);
    return answering;
  };
}
