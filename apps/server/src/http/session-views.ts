// A session's log as REST shows it: as one summary, and as the messages of a conversation.
import { existsSync } from 'node:fs';
import type { HistoryMessage, Session } from '@codelab/api';
import type { PolicyMode, SessionEvent } from '@codelab/protocol';
import type { SharedSession } from '../sessions/gateway.ts';
import type { SessionMark } from '../sessions/session-marks.ts';
import type { SessionFacts } from './session-index.ts';

type Described = {
  /** The open session, if this gateway uses it. */
  open: Pick<SharedSession, 'status' | 'profile'> | undefined;
  /** The mode in force in the session. */
  mode: PolicyMode;
  mark: SessionMark;
  /** Whether a process is running a turn of the session. */
  isHeld: boolean;
};

export function describeSession(
  id: string,
  facts: SessionFacts,
  { open, mode, mark, isHeld }: Described,
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
    mode,
    state: stateOf(facts, isHeld),
    ...mark,
    queued: facts.messages.waiting.size,
    forked_from: facts.forkedFrom
      ? { session_id: facts.forkedFrom.session, seq: facts.forkedFrom.seq }
      : null,
    worktree: facts.worktree ? describeWorktree(facts.worktree) : null,
  };
}

function describeWorktree({
  path,
  branch,
  isDropped,
  mergedInto: merged_into,
}: NonNullable<SessionFacts['worktree']>): NonNullable<Session['worktree']> {
  const state = isDropped ? 'dropped' : existsSync(path) ? 'present' : 'missing';
  return { path, branch, state, merged_into };
}

function stateOf({ waiting, isTurnOpen, end }: SessionFacts, isHeld: boolean): Session['state'] {
  if (waiting.size > 0) return 'waiting';
  if (isTurnOpen) return isHeld ? 'running' : 'interrupted';
  return end === undefined || end === 'completed' || end === 'cancelled' ? 'idle' : 'failed';
}

/** The conversation in order: user, assistant, and the results of calls, without sub-agents. */
export function messagesOf(events: readonly SessionEvent[]): HistoryMessage[] {
  let profile = '';
  return events.flatMap(({ seq, time, body }): HistoryMessage[] => {
    if (body.type === 'turn.started' && body.agent === undefined) profile = body.profile;
    const at = { seq, timestamp: isoTime(time) };
    switch (body.type) {
      case 'turn.started':
        return body.agent === undefined && body.again === undefined
          ? [{ role: 'user', content: body.text, agent_type: body.profile, ...at }]
          : [];
      case 'turn.steered':
        return [{ role: 'user', content: body.text, agent_type: profile, ...at }];
      case 'model.replied': {
        const { text, calls } = body.reply;
        const toolCalls = calls.map(({ id, tool, args }) => ({
          call_id: id,
          tool_name: tool,
          arguments: args,
        }));
        const message = {
          role: 'assistant' as const,
          content: text,
          ...(calls.length > 0 && { tool_calls: toolCalls }),
        };
        return body.agent === undefined ? [{ ...message, ...at }] : [];
      }
      case 'call.finished': {
        const { callId, tool, status } = body.outcome;
        const resultOrError =
          body.outcome.status === 'completed' ? { result: body.outcome.data } : { error: body.outcome.error };
        return [{ role: 'tool', call_id: callId, tool_name: tool, status, ...resultOrError, ...at }];
      }
      default:
        return [];
    }
  });
}

function isoTime(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}
