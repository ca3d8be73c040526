// Lists of sessions: which are listed and in what order, which belong together, and their shown fields.
import type { Session } from '@codelab/api';
import type { SessionSummary } from '@codelab/protocol';
import { isTurnHeld } from '../agent/turn-log.ts';
import type { Gateway, SharedSession } from '../sessions/gateway.ts';
import { type SessionMark, sessionMarks } from '../sessions/session-marks.ts';
import type { SessionFacts, SessionIndex } from './session-index.ts';
import { describeSession } from './session-views.ts';

/** All that descend from the session that this one descends from. */
export function branchesOf(
  id: string,
  sessions: readonly { id: string; facts: SessionFacts }[],
): ReadonlySet<string> {
  const origins = new Map(sessions.map((session) => [session.id, session.facts.forkedFrom?.session]));
  const rootOf = (id: string): string => {
    const origin = origins.get(id);
    return origin !== undefined && origins.has(origin) ? rootOf(origin) : id;
  };
  const root = rootOf(id);
  return new Set([...origins.keys()].filter((id) => rootOf(id) === root));
}

/** Pinned sessions first; otherwise in the given order. */
export function listedBy(
  sessions: readonly SessionSummary[],
  markOf: (id: string) => SessionMark,
  archived: 'exclude' | 'only' | 'include',
): SessionSummary[] {
  const shownSessions = sessions.filter(
    ({ id }) => archived === 'include' || markOf(id).archived === (archived === 'only'),
  );
  return shownSessions.toSorted((a, b) => Number(markOf(b.id).pinned) - Number(markOf(a.id).pinned));
}

export async function describeAll(
  { host, opened }: Gateway,
  index: SessionIndex,
  sessions: readonly SessionSummary[],
): Promise<Session[]> {
  const markOf = sessionMarks(host.home);
  const views = (await index.all(sessions)).map(async ({ id, facts }) =>
    describeSession(id, facts, {
      ...{ open: await opened(id), mode: host.rules.modeOf(facts), mark: markOf(id) },
      isHeld: facts.isTurnOpen && isTurnHeld(host, id),
    }),
  );
  return await Promise.all(views);
}

export async function describeOne(session: SharedSession, index: SessionIndex): Promise<Session> {
  const facts = await index.of(session.id);
  const { host, id } = session;
  return describeSession(id, facts, {
    ...{ open: session, mode: host.rules.modeOf(facts), mark: sessionMarks(host.home)(id) },
    isHeld: facts.isTurnOpen && isTurnHeld(host, id),
  });
}

export async function matching(
  sessions: readonly SessionSummary[],
  query: string,
  index: SessionIndex,
): Promise<SessionSummary[]> {
  const words = query.toLowerCase().split(/\s+/);
  const facts = await index.all(sessions);
  return sessions.filter(({ id }, i) => {
    const text = `${facts[i]?.facts.title ?? ''} ${id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
