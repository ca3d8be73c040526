// One call as spans: the call itself, and below it plan, judge, ask, run and record, for each time they happened.
import type { Decision, Outcome, Plan, ToolCall, Verdict } from '@codelab/protocol';
import { childId, type SpanAttributes, type SpanSink, type Trace, type TraceSpan } from './span.ts';
import type { StepTimes } from './step-times.ts';

export type ApprovalWait = {
  at: number;
  approvalId: string;
  /** Undefined until the approval is decided. */
  end?: { at: number; decision: Decision['kind'] | 'expired'; who?: string; via?: string };
};

/** A call is planned again when a human edited it, or the files changed. */
type Round = { at: number; plan: Plan; verdict: Verdict; approvalWait?: ApprovalWait };

export type CallTrace = {
  call: ToolCall;
  receivedAt: number;
  rounds: Round[];
  startedAt?: number;
};

export type SpanEnd = { at: number; outcome: Outcome; times: StepTimes | undefined };

/** The trace that a span belongs to; without a parent the span starts a trace. */
export type SpanParent = { trace: Trace; parentId?: string; kind: string; cause?: string | undefined };

const maxPaths = 10;

export function callSpans(callTrace: CallTrace, end: SpanEnd, placed: SpanParent, sink: SpanSink): void {
  const { trace, parentId } = placed;
  const { call } = callTrace;
  const spanId = parentId === undefined ? trace.spanId : childId(trace, 'call', call.id);
  const start = Math.min(callTrace.receivedAt, end.outcome.startedAt, end.at);
  const callSpan = {
    traceId: trace.traceId,
    spanId,
    start,
    end: end.at,
    attributes: describe(callTrace, end, placed),
  };
  const isError = end.outcome.status === 'failed' || end.outcome.status === 'timed_out';
  const { cause } = placed;
  const origin = parentId === undefined ? { ...(cause !== undefined && { cause }) } : { parentId };
  let number = 0;
  const step = (name: string, from: number, to: number, attributes: SpanAttributes = {}): number => {
    const callSpan = {
      traceId: trace.traceId,
      spanId: childId(trace, 'step', call.id, ++number),
      parentId: spanId,
    };
    const upTo = Math.min(Math.max(from, to), end.at);
    sink({ name, ...callSpan, start: Math.min(from, upTo), end: upTo, attributes });
    return upTo;
  };
  steps(callTrace, end, start, step);
  sink({ name: 'call', ...callSpan, ...origin, ...(isError && { isError }) });
}

type Step = (name: string, from: number, to: number, attributes?: SpanAttributes) => number;

function steps(trace: CallTrace, { at: endAt, outcome, times }: SpanEnd, start: number, step: Step): void {
  const { rounds, startedAt } = trace;
  let now = start;
  rounds.forEach((round, i) => {
    // The log records an unasked call together with its next step, so the tool's own clock is more exact.
    const planTimes = i === rounds.length - 1 && round.approvalWait === undefined ? times?.plan : undefined;
    now = step('plan', Math.max(planTimes?.start ?? now, now), planTimes?.end ?? round.at);
    now = step('judge', now, now, verdictOf(round.verdict));
    if (round.approvalWait !== undefined) now = approvalStep(round.approvalWait, endAt, step);
  });
  if (rounds.length === 0) now = step('plan', now, endAt);
  const run = times?.run ?? (startedAt === undefined ? undefined : { start: startedAt, end: endAt });
  if (run !== undefined) now = step('run', run.start, run.end, { 'codelab.effects': outcome.effects.length });
  else if (outcome.status === 'completed') now = step('run', now, endAt, { 'codelab.effects': 0 });
  step('record', now, endAt);
}

function approvalStep({ at, approvalId, end }: ApprovalWait, endAt: number, step: Step): number {
  return step('ask', at, end?.at ?? endAt, {
    'codelab.approval_id': approvalId,
    'codelab.decision': end?.decision ?? 'none',
    ...(end?.who !== undefined && { 'codelab.decided_by': end.who }),
    ...(end?.via !== undefined && { 'codelab.decided_via': end.via }),
  });
}

function verdictOf({ verdict, rule, layer, risk }: Verdict): SpanAttributes {
  return {
    'codelab.verdict': verdict,
    'codelab.rule': rule,
    'codelab.rule_layer': layer,
    'codelab.risk': risk,
  };
}

function describe(
  { call, rounds }: CallTrace,
  { outcome }: SpanEnd,
  { kind }: SpanParent,
): TraceSpan['attributes'] {
  // The words of a command are its arguments; a call that touches files is described by their paths.
  const touches = kind === 'execute' ? [] : (rounds.at(-1)?.plan.touches ?? []);
  const paths = [...new Set(touches.map(({ path }) => path.slice(0, 200)))].slice(0, maxPaths);
  return {
    'codelab.session': call.session,
    'codelab.call_id': call.id,
    'codelab.tool': outcome.tool.slice(0, 100),
    'codelab.kind': kind,
    'codelab.status': outcome.status,
    ...(call.turn !== undefined && { 'codelab.turn': call.turn }),
    ...(outcome.status !== 'completed' && { 'codelab.error_code': outcome.error.code }),
    ...(paths.length > 0 && { 'codelab.paths': paths }),
  };
}
