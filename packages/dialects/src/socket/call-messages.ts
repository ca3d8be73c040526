// The running calls that one connection knows: how each was spelled, so that its answer has the same spelling.
import type {
  AgentStatus,
  ApprovalRequest,
  EventBody,
  Outcome,
  SessionMessage,
  ToolCall,
} from '@codelab/protocol';
import type { Dialect, Json, WireCall } from '../dialect.ts';
import { riskInSeeds } from '../shared/write-message.ts';
import type { ServerMessage } from './messages.ts';
import { writeAbout } from './tool-messages.ts';

export type CallEncoder = {
  /** The peer itself made the call, so it is not announced to it. */
  remember(call: WireCall): void;
  has(callId: string): boolean;
  /** `isTold`: the peer got the call on an earlier connection. */
  know(call: Pick<ToolCall, 'id' | 'tool' | 'args' | 'requiresApproval'>, isTold?: boolean): void;
  /** Announces the call, unless the peer knows it. */
  announce(callId: string): Json[];
  question(approval: ApprovalRequest): Json;
  progress(callId: string, data: Json): Json[];
  /** The call is forgotten afterwards. */
  result(outcome: Outcome, call?: WireCall): Json;
};

type KnownCall = { wireCall: WireCall; dialect: Dialect; isAnnounced: boolean };

/** `currentDialect` is the peer's spelling at this moment; a call keeps the spelling it began with. */
export function createCallEncoder(currentDialect: () => Dialect): CallEncoder {
  const calls = new Map<string, KnownCall>();

  function find(id: string, tool: string, args: Json, requiresApproval?: boolean): KnownCall {
    const before = calls.get(id);
    if (before !== undefined) return before;
    const dialect = currentDialect();
    const wireCall = dialect.spell({ id, tool, args, requiresApproval });
    const entry = { wireCall, dialect, isAnnounced: false };
    calls.set(id, entry);
    return entry;
  }

  return {
    remember: (wireCall) =>
      void calls.set(wireCall.id, { wireCall, dialect: currentDialect(), isAnnounced: true }),
    has: (callId) => calls.has(callId),
    know({ id, tool, args, requiresApproval }, isTold = false) {
      const entry = find(id, tool, args, requiresApproval);
      entry.isAnnounced ||= isTold;
    },
    announce(callId) {
      const entry = calls.get(callId);
      if (entry === undefined || entry.isAnnounced) return [];
      entry.isAnnounced = true;
      return [entry.dialect.encode({ type: 'call', call: entry.wireCall })];
    },
    question(approval) {
      const entry = find(approval.callId, approval.tool, approval.args);
      entry.isAnnounced = true;
      return {
        ...entry.dialect.encode({ type: 'approval', asked: entry.wireCall, approval }),
        ...aboutQuestion(approval),
      };
    },
    progress(callId, data) {
      const entry = calls.get(callId);
      if (entry === undefined || !entry.dialect.streams) return [];
      return [entry.dialect.encode({ type: 'progress', asked: entry.wireCall, data })];
    },
    result(outcome, wireCall) {
      const entry = find(outcome.callId, outcome.tool, {});
      calls.delete(outcome.callId);
      return entry.dialect.encode({ type: 'result', asked: wireCall ?? entry.wireCall, outcome });
    },
  };
}

function aboutQuestion(approval: ApprovalRequest): Json {
  const { id, plan, verdict, deadline, again } = approval;
  const { basis: _basis, ...shown } = plan;
  return writeAbout({
    approvalId: id,
    description: plan.summary,
    riskLevel: riskInSeeds(approval),
    reason: verdict.reason,
    ...(deadline !== undefined && { expiresAt: new Date(deadline).toISOString() }),
    ...(again !== undefined && { again }),
    plan: shown,
  });
}

// Events of a session as messages of a socket; calls, which need a spelling, are written by the call encoder.

/** The peer's spelling of a core path. */
export type PathSpeller = (core: string) => string;

export function eventMessages(body: EventBody, spell: PathSpeller): ServerMessage[] {
  return [...conversationMessages(body), ...stateMessages(body, spell)];
}

/** Messages of people and the agent. Sub-agents answer their agent, not people. */
function conversationMessages(body: EventBody): ServerMessage[] {
  switch (body.type) {
    case 'turn.started':
      return body.agent === undefined && body.again === undefined
        ? [{ type: 'user_message', role: 'user', content: body.text }]
        : [];
    case 'turn.steered':
      return [{ type: 'user_message', role: 'user', content: body.text }];
    case 'model.replied':
      return body.agent === undefined && body.reply.text !== ''
        ? [{ type: 'assistant_message', content: body.reply.text, isFinal: true }]
        : [];
    case 'turn.ended': {
      if (body.agent !== undefined) return [];
      const done = { type: 'done' as const, status: body.end, turn: body.turn };
      return body.end === 'failed' ? [turnError(body), done] : [done];
    }
    default:
      return [];
  }
}

/** The agent error of seed 004. */
function turnError({
  code,
  message = 'The turn failed.',
  reason = message,
}: Extract<EventBody, { type: 'turn.ended' }>): ServerMessage {
  return {
    type: 'error',
    code: code === 'LLM_ERROR' ? code : 'AGENT_ERROR',
    message,
    details: { reason },
  };
}

function stateMessages(body: EventBody, spell: PathSpeller): ServerMessage[] {
  const status = (content: string, metadata: Json): ServerMessage[] => [
    { type: 'status', content, metadata },
  ];
  switch (body.type) {
    case 'approval.decided': {
      const { decision, by } = body;
      return status(`${by.who}: ${decision.kind}`, {
        ...approvalIds(body),
        state: 'decided',
        decision: decision.kind,
        by: by.who,
      });
    }
    case 'approval.warned': {
      const { secondsLeft: seconds_left } = body;
      const metadata = { ...approvalIds(body), state: 'awaiting_approval', seconds_left };
      return status(`${seconds_left} seconds left to decide.`, metadata);
    }
    case 'approval.expired':
      return status('Nobody decided in time.', { ...approvalIds(body), state: 'expired' });
    case 'call.started':
      return status('Running.', { call_id: body.callId, state: 'running' });
    case 'context.changed': {
      const { op: action, path } = body;
      return [{ type: 'context_update', action, ...(path !== undefined && { path: spell(path) }) }];
    }
    case 'session.titled':
      return status(body.title, { title: body.title });
    default:
      return [];
  }
}

function approvalIds({ callId, approvalId }: { callId: string; approvalId: string }): Json {
  return { call_id: callId, approval_id: approvalId };
}

export function agentSwitched({
  from,
  to,
  reason,
}: Extract<SessionMessage, { type: 'switched' }>): ServerMessage {
  const content = `Switched to ${to}.`;
  const timestamp = new Date().toISOString();
  return { type: 'agent_switched', content, from, to, ...(reason !== undefined && { reason }), timestamp };
}

const statusTexts: Record<AgentStatus, string> = {
  idle: 'Ready.',
  thinking: 'Thinking.',
  executing_tool: 'Running a tool.',
  waiting_approval: 'Waiting for a decision.',
  error: 'The turn failed.',
};

export function agentStatus(status: AgentStatus): ServerMessage {
  return { type: 'agent_status', status, message: statusTexts[status] };
}
