// Where sessions stand as far as this process has written them itself, so that looking for news where there are none costs next to nothing.
import type { Statements } from './statements.ts';

const maxKnown = 10_000;

export type KnownHeads = {
  /** Whether nothing comes after this entry, whoever may have written. */
  isLast(session: string, seq: number): boolean;
  note(heads: ReadonlyMap<string, number>): void;
  forget(session: string): void;
};

export function createKnownHeads(sql: Statements): KnownHeads {
  const known = new Map<string, number>();
  let version: unknown;
  return {
    isLast(session, seq) {
      if (known.get(session) !== seq) return false;
      // SQLite changes this number when another connection has written; what is known is as old as the number kept, or newer.
      const now = sql.version.get()?.data_version;
      if (now === version) return true;
      version = now;
      known.clear();
      return false;
    },
    note(heads) {
      if (known.size > maxKnown) known.clear();
      for (const [session, seq] of heads) known.set(session, seq);
    },
    forget: (session) => void known.delete(session),
  };
}
