// What a session tells, as messages of the socket. Those that come from the log end with its entry's number, to go on from after a break.
import type { Dialect, Json } from '@codelab/dialects';
import type {
  AgentSignal,
  AgentStatus,
  ApprovalRequest,
  SessionEvent,
  SessionMessage,
} from '@codelab/protocol';
import { createKnownCalls, type KnownCalls } from './known-calls.ts';
import { writeOther } from './write-said.ts';

export type Scribe = {
  /** The spelling of what is written from now on. */
  dialect: Dialect;
  calls: KnownCalls;
  /**
   * For an executor, which takes every call it hears of for one to carry out: it hears of those from elsewhere, and of questions only
   * while they wait.
   */
  isAsked?(approval: ApprovalRequest): boolean;
  write(heard: SessionMessage): Json[];
};

export function createScribe(first: Dialect): Scribe {
  const calls = createKnownCalls(() => scribe.dialect);
  const scribe: Scribe = {
    dialect: first,
    calls,
    write(heard) {
      switch (heard.type) {
        case 'event':
          return numbered(writeEvent(heard.event, scribe), heard.event.seq);
        case 'signal':
          return writeSignal(heard.signal, calls);
        case 'switched':
          return [agentSwitched(heard)];
        case 'notice':
          return [{ type: 'status', content: heard.text }];
      }
    },
  };
  return scribe;
}

function writeEvent({ body }: SessionEvent, { calls, isAsked }: Scribe): Json[] {
  switch (body.type) {
    case 'call.received':
      calls.know(body.call);
      return [];
    case 'call.planned':
      return isAsked !== undefined || body.verdict.verdict === 'ask' ? [] : calls.announce(body.callId);
    case 'approval.requested':
      return isAsked?.(body.approval) === false ? [] : [calls.question(body.approval)];
    case 'call.finished':
      return [...(isAsked === undefined ? calls.announce(body.callId) : []), calls.result(body.outcome)];
    default:
      return writeOther(body);
  }
}

function writeSignal(signal: AgentSignal, calls: KnownCalls): Json[] {
  switch (signal.type) {
    case 'status':
      return [agentStatus(signal.status)];
    case 'text':
      return [{ type: 'assistant_message', token: signal.delta, is_final: false }];
    case 'retry':
      return [{ type: 'status', content: signal.reason, metadata: { ...signal, type: 'retry' } }];
    case 'progress':
      return calls.progress(signal.callId, signal.progress);
    default:
      // Everything else is in the log as well, and told from there.
      return [];
  }
}

// Only the last message of an entry says its number: whoever has it has all of them.
function numbered(messages: Json[], seq: number): Json[] {
  return messages.map((message, i) => (i === messages.length - 1 ? { ...message, seq } : message));
}

function agentSwitched({ from, to, reason }: Extract<SessionMessage, { type: 'switched' }>): Json {
  const why = reason === undefined ? {} : { reason };
  const agents = { from_agent: from, to_agent: to, ...why, timestamp: new Date().toISOString() };
  return { type: 'agent_switched', content: `Switched to ${to}.`, ...agents, metadata: agents };
}

const statusTexts: Record<AgentStatus, string> = {
  idle: 'Ready.',
  thinking: 'Thinking.',
  executing_tool: 'Running a tool.',
  waiting_approval: 'Waiting for a decision.',
  error: 'The turn failed.',
};

export function agentStatus(status: AgentStatus): Json {
  return { type: 'agent_status', status, message: statusTexts[status] };
}
