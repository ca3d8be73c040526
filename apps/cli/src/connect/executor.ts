// Runs the calls that a gateway hands over, each through the whole pipeline of this machine. A call that is denied here does not run, and
// no call runs before both sides have agreed.
import '../shared.ts';
import { once } from 'node:events';
import { addressOf, type Dialect, type Json, refuse, type WireCall } from '@codelab/dialects';
import { type Outcome, ToolError } from '@codelab/protocol';
import type { Host, ToolDecorator } from '@codelab/runtime';
import { callDigest, createJob, type ExecutorJob, type NewJob, withDefaults } from './job.ts';
import { acceptance, isProgress, refusal, resultOf } from './messages.ts';
import { approvePending, type GatewayExecutorOptions, runJob } from './run-job.ts';
import { createUnackedMessages, type UnackedMessages } from './unacked-messages.ts';

const farewellMs = 2000;
const maxJobs = 100;

export class GatewayExecutor {
  readonly #options: GatewayExecutorOptions;
  /** The jobs, by the gateway's ids and by the local ids. */
  readonly #jobs = new Map<string, ExecutorJob>();
  readonly #locals = new Map<string, ExecutorJob>();
  readonly #decisions: UnackedMessages;
  readonly #results: UnackedMessages;
  #isStopping = false;

  constructor(options: GatewayExecutorOptions) {
    const host = options.host.decorated(gateTools((gated) => this.#pass(gated)));
    this.#options = { ...options, host };
    this.#decisions = createUnackedMessages(options.send);
    this.#results = createUnackedMessages(options.send);
  }

  /** Handles a message of the gateway. */
  hear(frame: Json): void {
    const callId = typeof frame.call_id === 'string' ? frame.call_id : '';
    if (frame.type === 'tool_result') this.#settled(callId, frame);
    else if (frame.type === 'error' && callId !== '') this.#refused(callId, frame);
    else if (this.#isStopping) return;
    else if (frame.type === 'tool_call') this.#takeCall(frame);
    else if (frame.type === 'cancel') this.#jobs.get(callId)?.abort.abort();
  }

  /** Sends the unconfirmed messages again on a new connection. */
  reopened(): void {
    this.#decisions.sayAll();
    this.#results.sayAll();
  }

  /** Cancels the running jobs, and returns when the gateway has been told or does not listen. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const jobs = [...this.#jobs.values()];
    for (const { abort } of jobs) abort.abort();
    await Promise.allSettled(jobs.map(({ finished }) => finished));
    await this.#results.empty(farewellMs);
  }

  #takeCall(frame: Json): void {
    const { state, requires_approval, approval_id } = frame;
    const isQuestion = requires_approval === true;
    if (!isQuestion && state !== 'approved' && state !== 'allowed') return;
    const { host, dialect } = this.#options;
    try {
      const call = askedIn(host, dialect, frame, isQuestion);
      if (this.#jobs.size >= maxJobs && !this.#jobs.has(call.id)) throw tooMany();
      if (!isQuestion) this.#order(call, state);
      else this.#question(call, typeof approval_id === 'string' ? approval_id : undefined);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      const call = addressOf(frame);
      if (!isQuestion && call.id !== '') this.#results.send(call.id, dialect.encode(refuse(call, error)));
    }
  }

  #question(call: WireCall, approvalId: string | undefined): void {
    if (!this.#options.asksHere) this.#options.show.question(call);
    else if (!this.#jobs.has(call.id)) this.#begin({ call, approvalId, isOrdered: false, isTrusted: false });
  }

  #order(call: WireCall, state: unknown): void {
    const { show, trustsGateway } = this.#options;
    const isTrusted = trustsGateway && state === 'approved';
    const job = this.#jobs.get(call.id);
    if (this.#results.has(call.id)) this.#results.sayAll();
    else if (job === undefined) this.#begin({ call, approvalId: undefined, isOrdered: true, isTrusted });
    else if (!job.isOrdered && job.meaning !== callDigest(this.#options.host, call)) {
      // A person at the gateway edited the call, so the approval here is about another call.
      job.abort.abort();
      void job.finished.then(() => this.#order(call, state)).catch(show.defect);
    } else if (!job.isOrdered) {
      job.isOrdered = true;
      job.isTrusted = isTrusted;
      job.ordered.resolve();
      if (isTrusted) approvePending(this.#options, job).catch(show.defect);
    }
  }

  #begin(newJob: NewJob): void {
    const { host, show } = this.#options;
    const job = createJob(host, newJob);
    const { id } = job.call;
    this.#jobs.set(id, job);
    show.call(job.call, job.isOrdered);
    job.finished = runJob(this.#options, this.#locals, job)
      .then((outcome) => this.#report(job, outcome))
      .catch(show.defect)
      .finally(() => {
        if (this.#jobs.get(id) === job) this.#jobs.delete(id);
      });
  }

  #report(job: ExecutorJob, outcome: Outcome): void {
    const { call, isOrdered } = job;
    const { dialect, show } = this.#options;
    show.outcome(call, outcome, isOrdered);
    this.#decisions.acknowledge(call.id);
    const isAnswer = outcome.status === 'completed' && isAsk(this.#options.host, call.tool);
    if (isOrdered || isAnswer) this.#results.send(call.id, resultOf(dialect, call, outcome));
    // The gateway has no decision yet. A call that can't or may not run here is rejected; an approval without an answer stays
    // open for other people.
    else if (outcome.status === 'rejected' || outcome.status === 'failed') {
      const { code, message } = outcome.error;
      const feedback = outcome.status === 'rejected' ? message : `${code}: ${message}`;
      this.#decisions.send(call.id, refusal(dialect, job, feedback));
    }
  }

  /** Runs just before a call would have effects. */
  async #pass({ session, callId, input, signal }: Gated): Promise<void> {
    const { host, dialect } = this.#options;
    const job = session === this.#options.session() ? this.#locals.get(callId) : undefined;
    // A question has no effects: its answer is the decision that the gateway waits for.
    if (job === undefined || job.isOrdered || isAsk(host, job.call.tool)) return;
    this.#decisions.send(job.call.id, await acceptance({ host, dialect, session, callId, input, job }));
    const ending = AbortSignal.any([signal, job.abort.signal]);
    if (!ending.aborted) await Promise.race([job.ordered.promise, once(ending, 'abort')]);
    ending.throwIfAborted();
  }

  #settled(callId: string, frame: Json): void {
    if (isProgress(this.#options.dialect, frame)) return;
    this.#decisions.acknowledge(callId);
    this.#results.acknowledge(callId);
    const job = this.#jobs.get(callId);
    // The call ended at the gateway: rejected, expired or cancelled.
    if (job !== undefined && !job.isOrdered) job.abort.abort();
  }

  #refused(callId: string, { message }: Json): void {
    this.#decisions.acknowledge(callId);
    this.#results.acknowledge(callId);
    this.#options.show.notice(String(message ?? 'The gateway refused a message.'));
  }
}

/** The call as the tool's own row reads it. Of the tools that the gateway runs itself, only its questions are put to the user here. */
function askedIn(host: Host, dialect: Dialect, frame: Json, isQuestion: boolean): WireCall {
  const message = dialect.decode(frame, { isLasting: true });
  if (message.type !== 'call') throw new ToolError('INVALID_FORMAT', 'This is not a call.');
  const tool = host.tools.get(message.call.tool);
  const isHere = tool?.kind === 'ask' ? isQuestion : tool?.startsAgents !== true && tool?.kind !== 'think';
  // Defaults are filled in as the order will have them, so that a question without them is the same call.
  if (tool !== undefined && isHere) return { ...message.call, args: withDefaults(host, message.call) };
  throw new ToolError('TOOL_NOT_FOUND', `${message.call.wire.tool} does not run here.`);
}

function isAsk(host: Host, tool: string): boolean {
  return host.tools.get(tool)?.kind === 'ask';
}

function tooMany(): ToolError {
  return new ToolError(
    'CONCURRENT_LIMIT_EXCEEDED',
    `${maxJobs} calls are already running here. Wait until some have ended.`,
  );
}

// Holds a call of a gateway back, just before it would have effects, until the gateway orders it: a person at the gateway may have rejected
// the call while the user here was deciding.

/** `input` is the call as the user here edited it. */
type Gated = { session: string; callId: string; input: unknown; signal: AbortSignal };

function gateTools(pass: (gated: Gated) => Promise<void>): ToolDecorator {
  return (tool) => ({
    ...tool,
    async run(input, prepared, context) {
      const { session, callId, signal } = context;
      await pass({ session, callId, input, signal });
      return await tool.run(input, prepared, context);
    },
  });
}
