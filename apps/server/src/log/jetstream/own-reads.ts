// Reads that need no server: of a session that is with this gateway nobody else appends, so what it appended last is the end of it, and the
// feed tells of programs that append all the same. Whoever lost a session without knowing reads what is old, and can't append to it.
import type { ReadOptions, SessionEvent } from '@codelab/protocol';
import type { Appender } from './append.ts';
import type { Feed } from './feed.ts';
import type { Standing } from './message.ts';
import type { Identity } from './ownership.ts';
import type { Reader } from './read-session.ts';

type Parts = { reader: Reader; appender: Appender; feed: Feed; identity: Identity };

const maxFirsts = 10_000;

export function createOwnReads({ reader, appender, feed, identity }: Parts): Pick<Reader, 'read'> {
  /** The first entry of a session never changes; `generation` tells it from another one of the same name. */
  const firsts = new Map<string, { generation: number; event: SessionEvent }>();

  /** Undefined: only the servers know. */
  function standingHere(session: string): Standing | undefined {
    const own = identity.epochs.has(session) ? appender.known(session) : undefined;
    const fed = feed.known(session);
    return own !== undefined && (fed?.at ?? 0) <= own.at ? own : undefined;
  }

  async function readFirst(session: string): Promise<SessionEvent[]> {
    const { generation } = standingHere(session) ?? feed.known(session) ?? {};
    const known = firsts.get(session);
    if (known !== undefined && known.generation === generation) return [known.event];
    const found = await reader.read(session, { limit: 1 });
    const [event] = found;
    if (event !== undefined && generation !== undefined) {
      if (firsts.size >= maxFirsts) firsts.delete(firsts.keys().next().value ?? '');
      firsts.set(session, { generation, event });
    }
    return found;
  }

  return {
    async read(session: string, options: ReadOptions = {}) {
      if (identity.node === undefined) return await reader.read(session, options);
      const { since = 0, limit = -1 } = options;
      if (since === 0 && limit === 1) return await readFirst(session);
      const here = standingHere(session);
      return here !== undefined && since >= here.seq ? [] : await reader.read(session, options);
    },
  };
}
