// The run and record steps: runs the tool with its plan under a time limit, reports progress to watchers, and records the end. This is the
// only module that writes `call.finished`. A call has one outcome: the first that is written.
import {
  type EndedBadly,
  type EventBody,
  type Failure,
  longestTimerMs,
  type Outcome,
  statusOf,
  type ToolCall,
  ToolError,
} from '@codelab/protocol';
import { clearDeadline, type Deadline, setDeadline } from '../platform/deadlines.ts';
import { keepVersions } from '../review/keep-versions.ts';
import type { Tool, ToolRunResult } from '../tool/define-tool.ts';
import { FailedWithEffects, limitFault } from '../workspace/fault.ts';
import type { CallRun, CallScope, JudgedCall, ReadyCall, ToolArguments } from './call-run.ts';
import { planContext } from './plan-call.ts';
import type { LiveSession } from './session/live-session.ts';

export async function runRecorded(
  run: CallRun,
  ready: ReadyCall,
  slot: string,
): Promise<ToolRunResult<ToolArguments>> {
  const { host, call, limits } = run;
  const { tool, input, planned, wasAsked, verdict } = ready;
  const mostMs = call.timeoutMs ?? (tool.startsAgents ? undefined : limits.runMs);
  using time = limitTime(run.signal, mostMs);
  using running = tool.kind === 'execute' ? host.commands.begin(call, time.signal) : undefined;
  return await tool.run(input, planned.prepared, {
    ...planContext(run),
    later: host.later,
    closing: host.closing,
    signal: running?.signal ?? time.signal,
    onRecorded: (work) => run.afterRecord.push(work),
    callId: call.id,
    args: ready.args,
    slot,
    isAsked: wasAsked || verdict.isAllowedByRules === true,
    answer: ready.answer,
    choice: ready.choice,
    report(progress) {
      running?.note(progress);
      host.progress.tell(call, progress);
    },
  });
}

/** Runs a call without watchers and without writing to the log. */
export function runUnrecorded(
  view: CallScope,
  { tool, input, planned }: JudgedCall,
): Promise<ToolRunResult<ToolArguments>> {
  const { later, closing } = view.host;
  const call = { callId: '-', args: {}, slot: '', isAsked: false, answer: undefined, choice: undefined };
  const unheard = { report: () => undefined, onRecorded: () => undefined };
  return tool.run(input, planned.prepared, { ...planContext(view), later, closing, ...call, ...unheard });
}

// A signal for one piece of work: aborts with another signal or at the timeout, and holds no resources once the work is over.

export function limitTime(outer: AbortSignal, mostMs: number | undefined): LimitedTime {
  return new LimitedTime(outer, mostMs);
}

// A class, as each call makes one: V8 defines a method with a computed name anew in each object literal.
class LimitedTime implements Disposable {
  readonly signal: AbortSignal;
  readonly #outer: AbortSignal;
  readonly #passOn: () => void;
  readonly #deadline: Deadline | undefined;

  constructor(outer: AbortSignal, mostMs: number | undefined) {
    const stop = new AbortController();
    this.signal = stop.signal;
    this.#outer = outer;
    this.#passOn = () => stop.abort(outer.reason);
    if (outer.aborted) this.#passOn();
    else outer.addEventListener('abort', this.#passOn, { once: true });
    if (mostMs !== undefined) this.#deadline = setDeadline(Math.min(longestTimerMs, mostMs), () => end(stop));
  }

  [Symbol.dispose](): void {
    if (this.#deadline !== undefined) clearDeadline(this.#deadline);
    this.#outer.removeEventListener('abort', this.#passOn);
  }
}

function end(stop: AbortController): void {
  stop.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
}

// The record step, and all other ends of a call.

const mostNamed = 20;

type Ended = { call: Pick<ToolCall, 'id' | 'turn'>; outcome: Outcome };

type FinishOptions = {
  /** Written before the end, in the same commit. */
  before?: readonly EventBody[];
  /** Checked at the time of the write: false leaves the call as it is. */
  onlyIf?(): boolean;
  /** Waits until the outcome is on the disk. */
  durable?: boolean;
};

/** The outcome that counts: this one, or one that was written earlier. */
export async function finishCall(
  session: LiveSession,
  { call, outcome }: Ended,
  { before = [], onlyIf = () => true, durable }: FinishOptions = {},
): Promise<Outcome> {
  const written = await session.commit(
    () => (session.finished(call.id) || !onlyIf() ? [] : [...before, finished({ call, outcome })]),
    { about: call.id, ...(durable && { durable }) },
  );
  return written.length > 0 ? outcome : ((await session.outcome(call.id)) ?? outcome);
}

/** Ends several calls at once. `choose` gets the session's state at the time of the write. */
export async function finishCalls(session: LiveSession, choose: () => readonly Ended[]): Promise<void> {
  await session.commit(() =>
    choose()
      .filter(({ call }) => session.finished(call.id) === undefined)
      .map(finished),
  );
}

function finished({ call, outcome }: Ended): EventBody {
  const body = { type: 'call.finished' as const, callId: call.id, outcome };
  return call.turn === undefined ? body : { ...body, turn: call.turn };
}

/** A call that was refused before the first step is recorded all the same. */
export function recordRefusal(session: LiveSession, call: ToolCall, error: unknown): Promise<Outcome> {
  const outcome = endedBadly({ call, startedAt: Date.now() }, error);
  return finishCall(session, { call, outcome }, { before: [{ type: 'call.received', call }] });
}

export async function recordSuccess(
  run: CallRun,
  tool: Tool,
  ran: ToolRunResult<ToolArguments>,
): Promise<Outcome> {
  try {
    return await record(run, completed(run, tool, ran));
  } catch (error) {
    if (ran.effects.length === 0) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const paths = [
      ...new Set(ran.effects.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]))),
    ];
    const named = paths.slice(0, mostNamed).join(', ');
    const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
    const text = `The change was made but could not be recorded: ${why} Changed: ${named}${more}.`;
    const details = { files: paths.map((path) => ({ path, found: 'new' })) };
    throw new FailedWithEffects(new ToolError('OUTCOME_UNKNOWN', text, details), ran.effects);
  }
}

export async function recordFailure(run: CallRun, error: unknown): Promise<Outcome> {
  const outcome = endedBadly(run, error);
  // Another call owns this id, and its record must stay as it is.
  if (outcome.error.code === 'DUPLICATE_CALL') return outcome;
  const isKnown = run.session.openCalls.has(run.call.id) || run.unrecorded.length > 0;
  // Arguments that must not be read are not written either.
  if (!isKnown) run.unrecorded.push({ type: 'call.received', call: { ...run.call, args: {} } });
  try {
    return await record(run, outcome);
  } catch (failure) {
    // The caller must learn of the change even if it could not be recorded.
    const isChanged = outcome.effects.length > 0 || outcome.error.code === 'OUTCOME_UNKNOWN';
    return isChanged ? outcome : endedBadly(run, failure);
  }
}

async function record(run: CallRun, outcome: Outcome): Promise<Outcome> {
  const held = await finishCall(run.session, { call: run.call, outcome }, { before: run.unrecorded });
  run.unrecorded = [];
  for (const work of run.afterRecord.splice(0)) work();
  // A review needs the file versions that the call left, to separate its lines from later ones of the user. For a single call they are not
  // worth the time.
  const { home, workspace, later, endsAfter } = run.host;
  if (endsAfter !== 'call' && outcome.effects.length > 0)
    keepVersions(outcome.effects, { home, workspace, later, session: run.call.session });
  return held;
}

/** The outcome of a call whose tool returned. */
export function completed(
  { call, startedAt, changedBy }: Pick<CallRun, 'call' | 'startedAt' | 'changedBy'>,
  tool: Tool,
  { data, effects, seen }: ToolRunResult<ToolArguments>,
): Outcome {
  return {
    status: 'completed',
    callId: call.id,
    tool: tool.name,
    startedAt,
    durationMs: Date.now() - startedAt,
    data,
    effects,
    ...(seen && { seen }),
    ...(changedBy && { changedBy }),
  };
}

/** The outcome of a call that threw. */
export function endedBadly(
  { call, startedAt }: { call: Pick<ToolCall, 'id' | 'tool'>; startedAt: number },
  thrown: unknown,
): EndedBadly {
  const error = failureOf(thrown);
  return {
    status: statusOf(error.code),
    callId: call.id,
    tool: call.tool,
    startedAt,
    durationMs: Date.now() - startedAt,
    effects: thrown instanceof FailedWithEffects ? [...thrown.effects] : [],
    error,
  };
}

function failureOf(thrown: unknown): Failure {
  if (thrown instanceof ToolError) {
    const { code, message, details } = thrown;
    return details === undefined ? { code, message } : { code, message, details };
  }
  const limited = limitFault(thrown);
  if (limited !== undefined) return failureOf(limited);
  const name = thrown instanceof Error ? thrown.name : '';
  if (name === 'TimeoutError')
    return { code: 'TIMEOUT', message: 'The call exceeded its time limit and was stopped.' };
  if (name === 'AbortError') return { code: 'CANCELLED', message: 'The call was cancelled.' };
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return { code: 'INTERNAL', message: `A defect in CodeLab stopped this call (${text}). Please report it.` };
}
