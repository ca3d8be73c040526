// The state of a call, as a fold over its session's events. Approved is not executed: they are different states.
import type { ToolCall } from './call.ts';
import type { ApprovalRequest, DecidedBy, Decision, Verdict } from './decision.ts';
import type { EventBody, Executor, Owner, SessionEvent } from './event.ts';
import type { Effect, Outcome } from './outcome.ts';
import type { Plan } from './plan.ts';

export type CallState =
  | { state: 'received'; call: ToolCall }
  | { state: 'planned'; call: ToolCall; plan: Plan; verdict: Verdict }
  | { state: 'awaiting_approval'; call: ToolCall; approval: ApprovalRequest; warned: boolean }
  /** The approval expired without a decision: it is asked again when the turn continues. */
  | { state: 'unanswered'; call: ToolCall; approval: ApprovalRequest }
  | { state: 'approved'; call: ToolCall; approval: ApprovalRequest; decision: Decision; by: DecidedBy }
  | {
      state: 'running';
      call: ToolCall;
      owner: Owner;
      args: Record<string, unknown>;
      intents: Effect[];
      slot: string;
      startedAt: number;
    }
  | { state: Outcome['status']; call: ToolCall; outcome: Outcome };

/** The state after one more event of this call; events that do not concern it leave it as it was. */
export function nextCallState(state: CallState | undefined, event: SessionEvent): CallState | undefined {
  const body = event.body;
  if (body.type === 'call.received') return state ?? { state: 'received', call: body.call };
  if (state === undefined || 'outcome' in state) return state;
  return advance(state, body, event.time);
}

function advance(state: Exclude<CallState, { outcome: Outcome }>, body: EventBody, time: number): CallState {
  const call = state.call;
  switch (body.type) {
    case 'call.planned':
      return { state: 'planned', call, plan: body.plan, verdict: body.verdict };
    case 'approval.requested':
      return { state: 'awaiting_approval', call, approval: body.approval, warned: false };
    case 'approval.warned':
      return state.state === 'awaiting_approval' ? { ...state, warned: true } : state;
    case 'approval.decided':
      if (state.state !== 'awaiting_approval') return state;
      return { state: 'approved', call, approval: state.approval, decision: body.decision, by: body.by };
    case 'approval.expired':
      if (state.state !== 'awaiting_approval' || state.approval.id !== body.approvalId) return state;
      return { state: 'unanswered', call, approval: state.approval };
    case 'call.started':
      return {
        state: 'running',
        call,
        owner: body.owner,
        args: body.args,
        intents: body.intents,
        slot: body.slot,
        startedAt: time,
      };
    case 'call.finished':
      return { state: body.outcome.status, call, outcome: body.outcome };
    case 'call.received':
    case 'call.taken':
    case 'call.recovered':
    case 'session.opened':
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
      return state;
  }
}

/** The grounds on which a call ran: the approval, who approved it, and the client that runs it. */
export type CallPass = { approvalId?: string; approvedBy?: string; executor?: Executor };

/** The fields that an event adds to the `CallPass` of its call; undefined when there are none. */
export function passIn(body: EventBody): CallPass | undefined {
  if (body.type === 'call.taken') return { executor: body.executor };
  if (body.type !== 'approval.decided') return undefined;
  const { approvalId, decision, by } = body;
  return decision.kind === 'approve' ? { approvalId, approvedBy: by.who } : { approvalId };
}

/** Whether the deadline of an approval has passed; one without a deadline never expires. */
export function hasExpired({ deadline }: Pick<ApprovalRequest, 'deadline'>, now = Date.now()): boolean {
  return deadline !== undefined && deadline <= now;
}
