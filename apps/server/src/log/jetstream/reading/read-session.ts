// Reads a session's entries with their long texts, no more than requested, and the session's state.
import type { ReadOptions, SessionEvent, SessionLog } from '@codelab/protocol';
import { blobKeys, readEvent, type StoredEntry } from '../../entries.ts';
import type { Appender, Identity } from '../append.ts';
import type { Feed } from '../feed.ts';
import { emptyStanding, type Standing } from '../message.ts';
import type { Texts } from '../texts.ts';
import type { LastMessage, Messages } from './read-messages.ts';

export type Reader = {
  /** `seq` is 0 for a missing or deleted session. */
  standing(session: string): Promise<Standing>;
  /** `head`: the session's state, if known without a request to the servers. */
  read(session: string, options?: ReadOptions, head?: Standing): Promise<SessionEvent[]>;
};

export function createReader(messages: Messages, texts: Texts): Reader {
  return {
    standing: async (session) => standingIn(await messages.last(session)),
    async read(session, { since = 0, limit = -1, maxChars = Number.POSITIVE_INFINITY } = {}, known) {
      const last = known === undefined ? await messages.last(session) : undefined;
      const head = known ?? standingIn(last);
      const events: SessionEvent[] = [];
      if (since >= head.seq || limit === 0) return events;
      let chars = 0;
      // The latest entries are requested most often.
      const isInLast = last !== undefined && head.first <= since + 1;
      const range = { since, ...(limit > 0 && { limit }) };
      const found = isInLast
        ? [await messages.decode(session, last.stored)]
        : messages.from(session, head, range);
      for await (const { standing, entries } of found)
        for (const entry of entries) {
          if (entry.seq <= since) continue;
          const { event, length } = await withTexts(texts, { session, ...standing }, entry);
          chars += length;
          if (chars > maxChars && events.length > 0) return events;
          events.push(event);
          if (events.length === limit) return events;
        }
      return events;
    },
  };
}

function standingIn(last: LastMessage | undefined): Standing {
  if (last === undefined) return emptyStanding(0);
  return last.standing.deleted === undefined ? last.standing : emptyStanding(last.standing.at);
}

/** An entry as it was appended. */
export async function withTexts(
  texts: Texts,
  owner: { session: string; generation: number },
  { seq, time, json, hash }: StoredEntry,
): Promise<{ event: SessionEvent; length: number }> {
  const keys = blobKeys(json);
  const found = new Map<string, string>();
  for (const key of keys) if (!found.has(key)) found.set(key, await texts.get(owner, key));
  const body = readEvent(json, (key) => found.get(key) ?? '');
  const length = keys.reduce((sum, key) => sum + (found.get(key)?.length ?? 0), json.length);
  return { event: { session: owner.session, seq, time, hash, body }, length };
}

// Reads that need no server. Only this gateway appends to a session that it owns, so its last append is the end, and the feed reports
// programs that append nevertheless. A gateway that lost a session without noticing reads old entries, and can't append.
// While an append is running the servers are asked: others may have seen the entry, and answer it, before its writer knows that it is stored.
type Parts = { reader: Reader; appender: Appender; feed: Feed; identity: Identity };

const maxFirsts = 10_000;

export type OwnReads = Pick<SessionLog, 'read'> & {
  /** For a reader that is woken by every append, and so may read what is known here. */
  readKnown: SessionLog['read'];
};

export function createOwnReads({ reader, appender, feed, identity }: Parts): OwnReads {
  /** The first entry of a session never changes; `generation` tells it from another one of the same name. */
  const firsts = new Map<string, { generation: number; event: SessionEvent }>();

  /** Undefined: only the servers know. */
  function standingHere(session: string): Standing | undefined {
    const ownState = identity.epochs.has(session) ? appender.known(session) : undefined;
    const fed = feed.known(session);
    return ownState !== undefined && (fed?.at ?? 0) <= ownState.at ? ownState : undefined;
  }

  async function readFirst(session: string): Promise<SessionEvent[]> {
    const head = standingHere(session) ?? feed.known(session);
    const { generation } = head ?? {};
    const known = firsts.get(session);
    if (known !== undefined && known.generation === generation) return [known.event];
    // A hint about a session that was deleted, and perhaps created again, finds nothing.
    const hinted = head && (await reader.read(session, { limit: 1 }, head));
    const found = hinted?.length ? hinted : await reader.read(session, { limit: 1 });
    const [event] = found;
    if (event !== undefined && generation !== undefined) {
      if (firsts.size >= maxFirsts) firsts.delete(firsts.keys().next().value ?? '');
      firsts.set(session, { generation, event });
    }
    return found;
  }

  async function readKnown(session: string, options: ReadOptions = {}): Promise<SessionEvent[]> {
    if (identity.node === undefined) return await reader.read(session, options);
    const { since = 0, limit = -1 } = options;
    if (since === 0 && limit === 1) return await readFirst(session);
    return await reader.read(session, options, standingHere(session));
  }

  return {
    readKnown,
    async read(session, options = {}) {
      const isFirst = (options.since ?? 0) === 0 && options.limit === 1;
      if (!isFirst && appender.running(session) !== undefined) return await reader.read(session, options);
      return await readKnown(session, options);
    },
  };
}
