// A session log that ends with its process, for a client whose gateway has the log of record: what the runtime needs to run calls in
// order.
import {
  type ChangedAt,
  type EventBody,
  type SessionEvent,
  type SessionLog,
  type SessionSummary,
  ToolError,
  type UnfinishedCall,
} from '@codelab/protocol';
import { digestJson } from '@codelab/runtime';

type StoredSession = { events: SessionEvent[]; workspace: string };

/** The log keeps the latest entries of a session; far fewer calls run at the same time. */
const maxEvents = 20_000;

export function createMemoryLog(): SessionLog {
  const sessions = new Map<string, StoredSession>();
  const changed: (ChangedAt & { workspace: string })[] = [];
  const listeners = new Set<() => void>();

  function append(session: string, bodies: readonly EventBody[], expected: number): SessionEvent[] {
    const stored = sessions.get(session) ?? { events: [], workspace: '' };
    const head = stored.events.at(-1);
    if ((head?.seq ?? 0) !== expected)
      throw new ToolError('LOG_CONFLICT', 'Another writer appended to this session first.');
    const written = chained(session, bodies, head);
    for (const { body, seq: at } of written) {
      if (body.type === 'session.opened') stored.workspace = body.workspace;
      if (body.type === 'call.finished' && body.outcome.effects.length > 0)
        changed.push({ session, seq: at, at: changed.length + 1, workspace: stored.workspace });
    }
    stored.events.push(...written);
    stored.events.splice(0, stored.events.length - maxEvents);
    sessions.set(session, stored);
    for (const wake of [...listeners]) wake();
    return written;
  }

  const eventsSince = (session: string, since: number): SessionEvent[] =>
    (sessions.get(session)?.events ?? []).filter(({ seq }) => seq > since);

  return {
    append: async (session, bodies, { expected }) => append(session, bodies, expected),
    read: async (session, { since = 0, limit } = {}) => eventsSince(session, since).slice(0, limit),
    async *subscribe(session, { since, signal }) {
      for (let last = since; !signal.aborted; ) {
        const news = eventsSince(session, last);
        yield* news;
        last = news.at(-1)?.seq ?? last;
        if (news.length === 0) await nextAppend(listeners, signal);
      }
    },
    unfinished: async (workspace) =>
      [...sessions].flatMap(([session, stored]) =>
        stored.workspace === workspace ? runningIn(session, stored) : [],
      ),
    changed: async (workspace, limit, before = Number.MAX_SAFE_INTEGER) => {
      const earlier = changed.filter((call) => call.workspace === workspace && call.at < before);
      return earlier.toReversed().slice(0, limit);
    },
    position: async () => changed.length,
    sessions: async () => [...sessions].flatMap(([id, stored]) => summaryOf(id, stored)),
    asking: async () => [...sessions.keys()],
    prove: async () => undefined,
    delete: async (session) => void sessions.delete(session),
    close: async () => sessions.clear(),
  };
}

function summaryOf(id: string, { events, workspace }: StoredSession): SessionSummary[] {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [
    {
      id,
      head: { seq: last.seq, hash: last.hash },
      openedAt: first.time,
      lastAt: last.time,
      workspace,
    },
  ];
}

function runningIn(session: string, { events }: StoredSession): UnfinishedCall[] {
  const running = new Set<string>();
  for (const { body } of events) {
    if (body.type === 'call.started') running.add(body.callId);
    if (body.type === 'call.finished') running.delete(body.callId);
  }
  const head = events.at(-1)?.seq ?? 0;
  return [...running].map((callId) => ({ session, callId, head }));
}

function nextAppend(listeners: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      listeners.delete(end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    listeners.add(end);
    signal.addEventListener('abort', end);
  });
}

/** Each entry's hash covers the one before it, so that the log can be verified. */
function chained(
  session: string,
  bodies: readonly EventBody[],
  head: SessionEvent | undefined,
): SessionEvent[] {
  let { seq, hash } = head ?? { seq: 0, hash: '' };
  return bodies.map((body) => {
    seq++;
    hash = digestJson([hash, seq, body]);
    return { session, seq, time: Date.now(), hash, body };
  });
}
