// The calls of a session as the audit shows them: when each began, how long it waited for a person and how long it ran.

import { failedExit } from '../../session/command-exit.ts';
import type { CallModel } from '../../session/session-model.ts';
import type { BadgeTone } from '../../ui/badge.tsx';
import { titleOf } from '../conversation/calls/call-labels.tsx';

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

/** How an outcome looks, in the picture and as a mark. A word always stands beside the colour. */
export const outcomeLooks: Record<AuditOutcome, { fill: string; tone: BadgeTone }> = {
  waiting: { fill: 'fill-bar-warn', tone: 'warn' },
  running: { fill: 'fill-accent', tone: 'accent' },
  completed: { fill: 'fill-good', tone: 'good' },
  failed: { fill: 'fill-bad', tone: 'bad' },
  rejected: { fill: 'fill-high', tone: 'high' },
  expired: { fill: 'fill-high', tone: 'high' },
  timed_out: { fill: 'fill-bad', tone: 'bad' },
  cancelled: { fill: 'fill-faint', tone: 'plain' },
};

export type TimeSpan = { from: number; to: number };

export type AuditRow = {
  id: string;
  seq: number;
  tool: string;
  title: string;
  outcome: AuditOutcome;
  start: number;
  end: number;
  /** While a person was waited for. */
  wait: TimeSpan | undefined;
  run: TimeSpan | undefined;
  /** The author of the call; empty where the record doesn't name one. */
  askedBy: string;
  askedVia: string;
  /** The person who decided; empty when no approval was needed. */
  who: string;
  via: string;
};

export function auditRows(calls: Iterable<CallModel>, now: number): AuditRow[] {
  // Calls of sections that were loaded again come last.
  return Array.from(calls, (call) => rowOf(call, now)).toSorted((a, b) => a.start - b.start);
}

function rowOf(view: CallModel, now: number): AuditRow {
  const { id, seq, call, approval, decidedAt, startedAt, finishedAt, receivedAt, decidedBy, askedBy } = view;
  const end = finishedAt ?? now;
  return {
    id,
    seq,
    tool: call.tool,
    title: titleOf(view),
    outcome: failedExit(view.outcome) === undefined ? outcomeOf(view.state) : 'failed',
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

function outcomeOf(state: CallModel['state']): AuditOutcome {
  switch (state) {
    case 'awaiting_approval':
    case 'unanswered':
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
function span(from: number, to: number): TimeSpan {
  return { from, to: Math.max(from, to) };
}
