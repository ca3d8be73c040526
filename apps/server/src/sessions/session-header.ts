// What the first entry of a session says: whose it is, where, and who carries its calls out. It never changes, so it is kept; but the
// session may be deleted by another process, and its name given to another one.
import type { DialectName, SessionLog } from '@codelab/protocol';

export type Opening = {
  /** When it was made, and the hash of the entry that says so: no other session of its name has the same. */
  time: number;
  hash: string;
  workspace: string;
  owner: string | undefined;
  /** Whose tools the client has that carries the calls out; undefined where that is done here. */
  client: DialectName | undefined;
};

export type Openings = {
  of(session: string): Promise<Opening | undefined>;
  /** As the log says now. */
  fresh(session: string): Promise<Opening | undefined>;
  kept(): ReadonlyMap<string, Opening>;
  forget(session: string): void;
};

const maxKept = 10_000;

/** `onOther`: the one that was known is gone; `now` is another one of its name. */
export function createOpenings(
  log: SessionLog,
  onOther: (session: string, now: Opening | undefined) => Promise<void>,
): Openings {
  const kept = new Map<string, Opening>();
  async function fresh(session: string): Promise<Opening | undefined> {
    const found = await readOpening(log, session);
    const before = kept.get(session);
    kept.delete(session);
    if (kept.size >= maxKept) kept.delete(kept.keys().next().value ?? '');
    if (found !== undefined) kept.set(session, found);
    if (before !== undefined && before.hash !== found?.hash) await onOther(session, found);
    return found;
  }
  return {
    of: async (session) => kept.get(session) ?? (await fresh(session)),
    fresh,
    kept: () => kept,
    forget: (session) => void kept.delete(session),
  };
}

async function readOpening(log: SessionLog, session: string): Promise<Opening | undefined> {
  const [first] = await log.read(session, { limit: 1 });
  if (first?.body.type !== 'session.opened') return undefined;
  const { workspace, owner, executor, dialect = 'plugin' } = first.body;
  return {
    time: first.time,
    hash: first.hash,
    workspace,
    owner,
    client: executor === 'client' ? dialect : undefined,
  };
}
