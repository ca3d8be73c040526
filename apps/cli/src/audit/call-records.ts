// A session's events as one record per call: the request, the verdict, the decision, the outcome.
import type {
  Actor,
  Decision,
  Effect,
  EventBody,
  Failure,
  Outcome,
  Risk,
  RuleEffect,
  SessionEvent,
} from '@codelab/protocol';

export type CallApproval = {
  approval: string;
  at: number;
  deadline: number | undefined;
  /** The decision; undefined while the approval is pending. */
  settled?: {
    at: number;
    how: Decision['kind'] | 'expired';
    who?: string;
    via?: string;
    feedback?: string;
    remembered?: string;
  };
};

export type CallRecord = {
  session: string;
  call: string;
  tool: string;
  dialect: string;
  /** The author of the call, or of its turn. */
  by?: Actor;
  at: number;
  touches: string[];
  verdict?: { verdict: RuleEffect; risk: Risk; rule: string; reason: string };
  asked: CallApproval[];
  status: string;
  error?: Failure;
  duration_ms?: number;
  effects: Effect[];
  /** Files that recovery wrote again after a power failure. */
  recovered?: string[];
};

export function callRecords(events: readonly SessionEvent[]): CallRecord[] {
  const records = new Map<string, CallRecord>();
  const turns = new Map<number, Actor | undefined>();
  for (const event of events) {
    const { body, time, session } = event;
    if (body.type === 'turn.started' && body.agent === undefined) turns.set(body.turn, body.by);
    if (body.type === 'call.received' && !records.has(body.call.id)) {
      const { id, tool, dialect, turn = 0 } = body.call;
      const by = body.call.by ?? turns.get(turn);
      const callFacts = { session, call: id, tool, dialect, ...(by && { by }), at: time };
      records.set(id, { ...callFacts, touches: [], asked: [], effects: [], status: 'received' });
    }
    const record = 'callId' in body ? records.get(body.callId) : undefined;
    if (record !== undefined) add(record, body, time);
  }
  return [...records.values()];
}

function add(record: CallRecord, body: EventBody, time: number): void {
  switch (body.type) {
    case 'call.planned':
      addPlan(record, body);
      return;
    case 'approval.requested':
      record.asked.push({ approval: body.approval.id, at: time, deadline: body.approval.deadline });
      record.status = 'awaiting_approval';
      return;
    case 'approval.decided':
      settle(record, body.approvalId, decided(body, time));
      record.status = body.decision.kind === 'reject' ? 'rejected' : 'approved';
      return;
    case 'approval.expired':
      settle(record, body.approvalId, { at: time, how: 'expired' });
      return;
    case 'call.started':
      record.status = 'running';
      return;
    case 'call.finished':
      addOutcome(record, body.outcome);
      return;
    case 'call.recovered': {
      const restored = body.files.filter(({ action }) => action === 'restored').map(({ path }) => path);
      record.recovered = [...(record.recovered ?? []), ...restored];
      return;
    }
    case 'session.opened':
    case 'call.received':
    case 'call.taken':
    case 'approval.warned':
    case 'rule.remembered':
    case 'mode.changed':
    case 'terminal.opened':
    case 'terminal.closed':
    case 'worktree.merged':
    case 'worktree.dropped':
    case 'session.titled':
    case 'turn.started':
    case 'turn.steered':
    case 'message.queued':
    case 'message.changed':
    case 'message.removed':
    case 'model.replied':
    case 'turn.ended':
    case 'context.changed':
    case 'context.compacted':
      return;
  }
}

function addPlan(record: CallRecord, { verdict, plan }: Extract<EventBody, { type: 'call.planned' }>): void {
  const { verdict: effect, risk, rule, reason } = verdict;
  record.verdict = { verdict: effect, risk, rule, reason };
  record.touches = [...new Set(plan.touches.map(({ path }) => path))];
  record.status = 'planned';
}

function addOutcome(record: CallRecord, outcome: Outcome): void {
  record.status = outcome.status;
  record.duration_ms = outcome.durationMs;
  record.effects = outcome.effects;
  if (outcome.status !== 'completed') record.error = outcome.error;
}

type Settled = NonNullable<CallApproval['settled']>;

function settle(record: CallRecord, approval: string, settled: Settled): void {
  const callApproval = record.asked.find((candidate) => candidate.approval === approval);
  if (callApproval !== undefined) callApproval.settled ??= settled;
}

function decided({ decision, by }: Extract<EventBody, { type: 'approval.decided' }>, at: number): Settled {
  const feedback = 'feedback' in decision ? decision.feedback : undefined;
  const rememberScope = 'remember' in decision ? decision.remember?.scope : undefined;
  return {
    at,
    how: decision.kind,
    ...by,
    ...(feedback === undefined ? {} : { feedback }),
    ...(rememberScope === undefined ? {} : { remembered: rememberScope }),
  };
}
