// Follows the entries of the log and makes a trace of every turn, and of every standalone call of a peer. It only listens: spans are made
// from the times of the entries, when the entry that ends something arrives.
import type { SessionEvent } from '@codelab/protocol';
import type { LoggedEvent } from '../watch-log.ts';
import { type ApprovalWait, type CallTrace, callSpans } from './call-spans.ts';
import { type ConversationTraces, createConversationTraces } from './conversation-traces.ts';
import { childId, type SpanSink, traceOf } from './span.ts';
import type { StepTimes } from './step-times.ts';

export type SessionTracer = { witness(witnessed: LoggedEvent): void; forget(session: string): void };
export type TracerOptions = {
  sink: SpanSink;
  kindOf(tool: string): string;
  takeTimes(session: string, callId: string): StepTimes | undefined;
};

type Known = CallTrace & { hash: string; cause: string | undefined };
type Session = { traces: ConversationTraces; calls: Map<string, Known> };

export function createSessionTracer(options: TracerOptions): SessionTracer {
  const sessions = new Map<string, Session>();
  return {
    witness({ event, isPast, cause }) {
      const { session: id } = event;
      const session = sessions.get(id) ?? { traces: createConversationTraces(id), calls: new Map() };
      sessions.set(id, session);
      // Spans that ended before this process began were exported by another one.
      const sink: SpanSink = isPast ? () => undefined : options.sink;
      session.traces.apply(event, { sink, cause: cause.traceparent });
      if (event.body.type === 'call.received') receive(session, event, cause.traceparent);
      else follow(session, event, { ...options, sink });
      if (session.calls.size === 0 && session.traces.isQuiet) sessions.delete(id);
    },
    forget: (session) => void sessions.delete(session),
  };
}

function receive({ calls }: Session, { body, time, hash }: SessionEvent, cause: string | undefined): void {
  if (body.type !== 'call.received' || calls.has(body.call.id)) return;
  calls.set(body.call.id, { call: body.call, receivedAt: time, rounds: [], hash, cause });
}

function follow(session: Session, event: SessionEvent, options: TracerOptions): void {
  const { body, time } = event;
  const { calls } = session;
  const call = 'callId' in body ? calls.get(body.callId) : undefined;
  if (call === undefined) return;
  const round = call.rounds.at(-1);
  switch (body.type) {
    case 'call.planned':
      call.rounds.push({ at: time, plan: body.plan, verdict: body.verdict });
      return;
    case 'approval.requested':
      if (round) round.approvalWait = { at: time, approvalId: body.approval.id };
      return;
    case 'approval.decided':
      endWait(round?.approvalWait, { at: time, decision: body.decision.kind, ...body.by });
      return;
    case 'approval.expired':
      endWait(round?.approvalWait, { at: time, decision: 'expired' });
      return;
    case 'call.started':
      call.startedAt = time;
      return;
    case 'call.finished':
      calls.delete(body.callId);
      finish(session, call, event, options);
      return;
    default:
      return;
  }
}

function endWait(wait: ApprovalWait | undefined, end: NonNullable<ApprovalWait['end']>): void {
  if (wait !== undefined) wait.end ??= end;
}

function finish(
  { traces }: Session,
  known: Known,
  { body, time }: SessionEvent,
  options: TracerOptions,
): void {
  if (body.type !== 'call.finished') return;
  const { call } = known;
  const { outcome } = body;
  const times = options.takeTimes(call.session, call.id);
  const kind = options.kindOf(outcome.tool);
  const above = traces.find(call.turn);
  const parentId = above && (call.agent === undefined ? above.spanId : childId(above, 'agent', call.agent));
  const alone = { trace: traceOf(known.hash), kind, cause: known.cause };
  const placed = above && parentId ? { trace: above, parentId, kind } : alone;
  callSpans(known, { at: time, outcome, times }, placed, options.sink);
  traces.callEnded(call, time);
}
