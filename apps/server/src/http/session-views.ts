// A session's log as REST shows it: in one line, and as the messages of a conversation.
import type { HistoryMessage, Session } from '@codelab/api';
import type { SessionEvent } from '@codelab/protocol';
import type { SharedSession } from '../sessions/gateway.ts';
import type { SessionFacts } from './session-index.ts';

/** `open` is the session itself, when somebody here uses it. */
export function describeSession(
  id: string,
  facts: SessionFacts,
  open: Pick<SharedSession, 'status' | 'profile'> | undefined,
): Session {
  return {
    id,
    session_id: id,
    title: facts.title,
    created_at: isoTime(facts.createdAt),
    updated_at: isoTime(facts.updatedAt),
    last_seq: facts.seq,
    turns: facts.turns,
    pending_approvals: facts.waiting.size,
    status: open?.status ?? 'idle',
    agent_type: open?.profile ?? facts.profile,
  };
}

/** What was said and done, in order: user, assistant, and the results of calls. Sub-agents stay out of it. */
export function messagesOf(events: readonly SessionEvent[]): HistoryMessage[] {
  return events.flatMap(({ seq, time, body }): HistoryMessage[] => {
    const at = { seq, timestamp: isoTime(time) };
    switch (body.type) {
      case 'turn.started':
        return body.agent === undefined
          ? [{ role: 'user', content: body.text, agent_type: body.profile, ...at }]
          : [];
      case 'model.replied': {
        const { text, calls } = body.reply;
        const wanted = calls.map(({ id, tool, args }) => ({ call_id: id, tool_name: tool, arguments: args }));
        const said = {
          role: 'assistant' as const,
          content: text,
          ...(calls.length > 0 && { tool_calls: wanted }),
        };
        return body.agent === undefined ? [{ ...said, ...at }] : [];
      }
      case 'call.finished': {
        const { callId, tool, status } = body.outcome;
        const came =
          body.outcome.status === 'completed' ? { result: body.outcome.data } : { error: body.outcome.error };
        return [{ role: 'tool', call_id: callId, tool_name: tool, status, ...came, ...at }];
      }
      default:
        return [];
    }
  });
}

function isoTime(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
