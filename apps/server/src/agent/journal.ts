// The log of a session for its agent. What a forked session begins with stands in the one it comes from; its own entries are numbered
// after those, so that what was summed up before the fork is not taken for what came after it.
import type { Journal } from '@codelab/agent';
import type { SessionEvent, SessionLog } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { holdTurn } from './hold-turn.ts';

/** `events` is what it holds now. */
export async function openJournal(
  host: Host,
  session: string,
): Promise<{ journal: Journal; events: SessionEvent[] }> {
  const { log } = host;
  const events = await readWithOrigin(log, session, Number.MAX_SAFE_INTEGER);
  const offset = events.findLast((event) => event.session !== session)?.seq ?? 0;
  let last = (events.at(-1)?.seq ?? 0) - offset;
  const taken = (own: readonly SessionEvent[]): SessionEvent[] => {
    last = Math.max(last, own.at(-1)?.seq ?? 0);
    return shifted(own, offset);
  };
  const journal: Journal = {
    session,
    async record(bodies) {
      const live = await host.session(session);
      return taken(await live.commit(() => [...bodies]));
    },
    read: () => readWithOrigin(log, session, Number.MAX_SAFE_INTEGER),
    news: async () => taken(await log.read(session, { since: last })),
    hold: () => holdTurn(host, session),
  };
  return { journal, events };
}

async function readWithOrigin(log: SessionLog, session: string, through: number): Promise<SessionEvent[]> {
  const own = (await log.read(session)).filter(({ seq }) => seq <= through);
  const [first] = own;
  if (first?.body.type !== 'session.opened' || first.body.forkedFrom === undefined) return own;
  const { session: origin, seq } = first.body.forkedFrom;
  const before = await readWithOrigin(log, origin, seq);
  return [...before, ...shifted(own, before.at(-1)?.seq ?? 0)];
}

function shifted(events: readonly SessionEvent[], offset: number): SessionEvent[] {
  return events.map((event) => (offset === 0 ? event : { ...event, seq: event.seq + offset }));
}
