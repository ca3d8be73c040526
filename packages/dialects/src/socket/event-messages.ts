// What a session tells, as the messages that a socket has for it; calls, which need a spelling, are told by the call encoder.
import type { AgentStatus, EventBody, SessionMessage } from '@codelab/protocol';
import type { Json } from '../dialect.ts';
import type { ServerMessage } from './server-messages.ts';

/** How the peer spells a path of the core. */
export type PathSpeller = (core: string) => string;

export function eventMessages(body: EventBody, spell: PathSpeller): ServerMessage[] {
  return [...conversationMessages(body), ...stateMessages(body, spell)];
}

/** What people and the agent say. Sub-agents speak to their agent, not to people. */
function conversationMessages(body: EventBody): ServerMessage[] {
  switch (body.type) {
    case 'turn.started':
      return body.agent === undefined ? [{ type: 'user_message', role: 'user', content: body.text }] : [];
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

/** Seed 004's agent error. */
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
