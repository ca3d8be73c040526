// The rows of session lists: a title from the messages, the state, and the time of the last use.
import { type SessionEvent, type SessionSummary, titleFrom } from '@codelab/protocol';
import { isInProject } from '@codelab/server';
import { isTurnHeld } from '@codelab/server/agent';
import { countPendingApprovals, worktreeIn } from '../../audit/find-sessions.ts';
import { dayTime } from '../../output/units.ts';
import type { TerminalChat } from '../chat.ts';

type SessionState = 'running' | 'waits for you' | 'interrupted' | 'failed' | '';

export type DescribedSession = {
  id: string;
  workspace: string;
  title: string;
  state: SessionState;
  when: string;
  turns: number;
  /** Of its worktree; empty where it works in the workspace itself. */
  branch: string;
  /** The last message. */
  latest: string;
  events: readonly SessionEvent[];
};

export async function describeSessions(
  { log, host }: TerminalChat,
  sessions: readonly SessionSummary[],
): Promise<DescribedSession[]> {
  return await Promise.all(
    sessions.map(async ({ id, workspace, lastAt }) => {
      const events = await log.read(id);
      return {
        ...{ id, workspace },
        when: dayTime(lastAt).slice(0, 16),
        ...factsIn(events),
        branch: worktreeIn(events[0])?.branch ?? '',
        state: stateOf(events, isTurnHeld(host, id)),
        events,
      };
    }),
  );
}

function factsIn(events: readonly SessionEvent[]): Pick<DescribedSession, 'title' | 'turns' | 'latest'> {
  let givenTitle: string | undefined;
  const messages: string[] = [];
  for (const { body } of events) {
    if (body.type === 'session.opened' || body.type === 'session.titled')
      givenTitle = body.title ?? givenTitle;
    if (body.type === 'turn.started' && body.agent === undefined && body.text !== '')
      messages.push(body.text);
  }
  const title = givenTitle ?? (messages[0] === undefined ? '(calls only)' : titleFrom(messages[0]));
  return { title, turns: messages.length, latest: messages.at(-1) ?? '' };
}

function stateOf(events: readonly SessionEvent[], isHeld: boolean): SessionState {
  if (countPendingApprovals(events).length > 0) return 'waits for you';
  const last = events.findLast(
    ({ body }) => /^turn\.(?:started|ended)$/.test(body.type) && !('agent' in body && body.agent),
  );
  if (last?.body.type === 'turn.started') return isHeld ? 'running' : 'interrupted';
  return last?.body.type === 'turn.ended' && last.body.end === 'failed' ? 'failed' : '';
}

/** The sessions of this workspace and its worktrees, newest first. */
export async function sessionsHere({ log, host }: TerminalChat): Promise<SessionSummary[]> {
  const { home, settingsRoot: root } = host;
  const sessions = (await log.sessions()).filter(({ workspace }) => isInProject(home, root, workspace));
  return sessions.toSorted((a, b) => b.lastAt - a.lastAt);
}

/** All sessions that descend from the same first session as the present one, oldest first. */
export async function sessionFamily(chat: TerminalChat): Promise<SessionSummary[]> {
  const sessions = await sessionsHere(chat);
  const origins = new Map<string, string | undefined>();
  for (const { id } of sessions) {
    const [first] = await chat.log.read(id, { limit: 1 });
    origins.set(id, first?.body.type === 'session.opened' ? first.body.forkedFrom?.session : undefined);
  }
  const rootOf = (id: string): string => {
    const origin = origins.get(id);
    return origin !== undefined && origins.has(origin) ? rootOf(origin) : id;
  };
  const root = rootOf(chat.session);
  return sessions.filter(({ id }) => rootOf(id) === root).toSorted((a, b) => a.openedAt - b.openedAt);
}
