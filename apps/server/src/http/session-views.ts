// A session's log as REST shows it: in one line, and as the messages of a conversation.
import { type CallState, nextCallState, type SessionEvent } from '@codelab/protocol';

const shownTitle = 80;

export function describeSession(id: string, events: readonly SessionEvent[]): object {
  const [first] = events;
  const last = events.at(-1);
  return {
    id,
    session_id: id,
    title: titleOf(events),
    created_at: isoTime(first?.time),
    updated_at: isoTime(last?.time),
    last_seq: last?.seq ?? 0,
    turns: events.filter(({ body }) => body.type === 'turn.started' && body.agent === undefined).length,
    pending_approvals: waiting(events),
  };
}

/** What was said and done, in order: user, assistant, and the results of calls. Sub-agents stay out of it. */
export function messagesOf(events: readonly SessionEvent[]): object[] {
  return events.flatMap(({ seq, time, body }): object[] => {
    const at = { seq, timestamp: isoTime(time) };
    switch (body.type) {
      case 'turn.started':
        return body.agent === undefined
          ? [{ role: 'user', content: body.text, agent_type: body.profile, ...at }]
          : [];
      case 'model.replied': {
        const { text, calls } = body.reply;
        const wanted = calls.map(({ id, tool, args }) => ({ call_id: id, tool_name: tool, arguments: args }));
        const said = { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: wanted }) };
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

function titleOf(events: readonly SessionEvent[]): string {
  const titled = events.findLast(({ body }) => body.type === 'session.titled');
  if (titled?.body.type === 'session.titled') return titled.body.title;
  const started = events.find(({ body }) => body.type === 'turn.started');
  return started?.body.type === 'turn.started' ? started.body.text.slice(0, shownTitle) : '';
}

function waiting(events: readonly SessionEvent[]): number {
  const states = new Map<string, CallState | undefined>();
  for (const event of events) {
    const { body } = event;
    const callId = body.type === 'call.received' ? body.call.id : 'callId' in body ? body.callId : undefined;
    if (callId !== undefined) states.set(callId, nextCallState(states.get(callId), event));
  }
  return [...states.values()].filter((state) => state?.state === 'awaiting_approval').length;
}

function isoTime(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
