// The calls of a session as the audit shows them: when each began, how long it waited for a person and how long it ran.
import type { CallView } from '../../session/session-model.ts';
import { titleOf } from '../conversation/title-of.ts';

export const outcomes = [
  'waiting',
  'running',
  'completed',
  'failed',
  'rejected',
  'expired',
  'timed_out',
  'cancelled',
] as const;
export type AuditOutcome = (typeof outcomes)[number];

export type Span = { from: number; to: number };

export type AuditRow = {
  id: string;
  seq: number;
  tool: string;
  title: string;
  outcome: AuditOutcome;
  start: number;
  end: number;
  /** While a person was waited for. */
  wait: Span | undefined;
  run: Span | undefined;
  /** Who asked for it; empty where the record doesn't say. */
  askedBy: string;
  askedVia: string;
  /** Who decided; empty when nobody was asked. */
  who: string;
  via: string;
};

export function auditRows(calls: Iterable<CallView>, now: number): AuditRow[] {
  return Array.from(calls, (call) => rowOf(call, now));
}

function rowOf(view: CallView, now: number): AuditRow {
  const { id, seq, call, approval, decidedAt, startedAt, finishedAt, receivedAt, decidedBy, askedBy } = view;
  const end = finishedAt ?? now;
  return {
    id,
    seq,
    tool: call.tool,
    title: titleOf(view),
    outcome: outcomeOf(view.state),
    start: receivedAt,
    end: Math.max(end, receivedAt),
    wait: approval && span(approval.requestedAt, decidedAt ?? startedAt ?? end),
    run: startedAt === undefined ? undefined : span(startedAt, end),
    askedBy: askedBy?.who ?? '',
    askedVia: askedBy?.via ?? '',
    who: decidedBy?.who ?? '',
    via: decidedBy?.via ?? '',
  };
}

function outcomeOf(state: CallView['state']): AuditOutcome {
  switch (state) {
    case 'awaiting_approval':
      return 'waiting';
    case 'received':
    case 'planned':
    case 'approved':
    case 'running':
      return 'running';
    default:
      return state;
  }
}

// Clocks of two machines may differ.
function span(from: number, to: number): Span {
  return { from, to: Math.max(from, to) };
}
