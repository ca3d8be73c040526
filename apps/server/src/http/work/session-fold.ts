// A value computed over a session's log and cached with its position: only new entries are read again.
import { setImmediate as otherWork } from 'node:timers/promises';
import type { SessionEvent, SessionLog } from '@codelab/protocol';
import { logPage } from '../../log/entries.ts';

export type Fold<T> = { blank(): T; take(folded: T, event: SessionEvent): void };

type Head = { seq: number; hash: string };

/** Reads on to the end of the log; `head` saves the lookup when nothing is new. */
export type SessionFold<T> = (session: string, head?: Head) => Promise<T>;

/** Caches at most `most` sessions, those used last. */
export function createSessionFold<T>(
  log: SessionLog,
  { blank, take }: Fold<T>,
  { most }: { most: number },
): SessionFold<T> {
  const cached = new Map<string, { folded: T; head: Head }>();
  // One at a time for each session: two reads from the same position would count entries twice.
  const turns = new Map<string, Promise<unknown>>();

  async function readOn(session: string, cachedFold: { folded: T; head: Head }): Promise<T> {
    for (;;) {
      // Starts with the last entry that was read: if it differs, another session has the same name.
      const since = Math.max(0, cachedFold.head.seq - 1);
      const page = await log.read(session, { since, ...logPage });
      const isSame = cachedFold.head.seq === 0 || page[0]?.hash === cachedFold.head.hash;
      if (!isSame) return await readOn(session, { folded: blank(), head: { seq: 0, hash: '' } });
      const fresh = page.filter(({ seq }) => seq > cachedFold.head.seq);
      for (const event of fresh) take(cachedFold.folded, event);
      const last = fresh.at(-1);
      if (last !== undefined) cachedFold.head = { seq: last.seq, hash: last.hash };
      cached.delete(session);
      cached.set(session, cachedFold);
      if (cached.size > most) cached.delete(cached.keys().next().value ?? session);
      if (last === undefined) return cachedFold.folded;
      // Other requests are served while a long log is read.
      await otherWork();
    }
  }

  return (session, head) => {
    const before = turns.get(session) ?? Promise.resolve();
    const turn = before
      .catch(() => undefined)
      .then(() => {
        const cachedFold = cached.get(session);
        if (cachedFold !== undefined && head?.hash === cachedFold.head.hash) return cachedFold.folded;
        return readOn(session, cachedFold ?? { folded: blank(), head: { seq: 0, hash: '' } });
      });
    turns.set(session, turn);
    const forgetTurn = (): void => {
      if (turns.get(session) === turn) turns.delete(session);
    };
    turn.then(forgetTurn, forgetTurn);
    return turn;
  };
}
