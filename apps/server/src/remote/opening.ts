// What the first entry of a session says: whose it is, where, and who carries its calls out. It never changes, so it is kept.
import type { DialectName, SessionLog } from '@codelab/protocol';

export type Opening = {
  workspace: string;
  owner: string | undefined;
  /** Whose tools the client has that carries the calls out; undefined where that is done here. */
  client: DialectName | undefined;
};

export type Openings = {
  of(session: string): Promise<Opening | undefined>;
  forget(session: string): void;
};

const maxKept = 10_000;

export function createOpenings(log: SessionLog): Openings {
  const kept = new Map<string, Opening>();
  return {
    async of(session) {
      const known = kept.get(session);
      if (known !== undefined) return known;
      const found = await readOpening(log, session);
      if (found === undefined) return undefined;
      if (kept.size >= maxKept) kept.delete(kept.keys().next().value ?? '');
      kept.set(session, found);
      return found;
    },
    forget: (session) => void kept.delete(session),
  };
}

async function readOpening(log: SessionLog, session: string): Promise<Opening | undefined> {
  const [first] = await log.read(session, { limit: 1 });
  if (first?.body.type !== 'session.opened') return undefined;
  const { workspace, owner, executor, dialect = 'plugin' } = first.body;
  return { workspace, owner, client: executor === 'client' ? dialect : undefined };
}
