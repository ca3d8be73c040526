// Adds a seal to the log within a transaction, so that of two processes each seals on top of the other and never beside it.
import type { DatabaseSync } from 'node:sqlite';
import { ToolError } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import type { AuditKey } from './audit-key.ts';
import { readSeal, type Seal, type SealedHead, type StoredSeal, sealHash, type Tombstone } from './seal.ts';

export type Written = { seal: Seal; hash: string; signature: string };

/** What is told of the latest seal without reading its text, which may be long. */
export type LastSeal = { n: number; at: number; hash: string };

export function lastSeal(db: DatabaseSync): LastSeal | undefined {
  return db.prepare('SELECT n, at, hash FROM seals ORDER BY n DESC LIMIT 1').get() as LastSeal | undefined;
}

export function hashOfSeal(db: DatabaseSync, n: number): string | undefined {
  const row = db.prepare('SELECT hash FROM seals WHERE n = ?').get(n);
  return row === undefined ? undefined : String(row.hash);
}

/** The number of the latest append; it grows by one with each. */
export function positionIn(db: DatabaseSync): number {
  return Number(db.prepare('SELECT max(rowid) AS at FROM events').get()?.at ?? 0);
}

/** Within the caller's transaction. Undefined when nothing has changed since the last seal. */
export function writeSeal(
  db: DatabaseSync,
  key: AuditKey,
  { deleted = [], before = 0 }: { deleted?: readonly Tombstone[]; before?: number } = {},
): Written | undefined {
  const last = db.prepare('SELECT n, at, text FROM seals ORDER BY n DESC LIMIT 1').get() as
    | Pick<StoredSeal, 'n' | 'at' | 'text'>
    | undefined;
  // A session that is being deleted is still there within this transaction.
  const gone = new Set(deleted.map(({ session }) => session));
  const heads = changedHeads(db, last?.at).filter(({ session }) => !gone.has(session));
  if (heads.length === 0 && deleted.length === 0) return undefined;
  const seal: Seal = {
    v: 1,
    log: last === undefined ? randomId() : logOf(last),
    n: (last?.n ?? 0) + 1,
    prev: last === undefined ? '' : sealHash(last.text),
    time: Date.now(),
    key: key.publicKey,
    at: positionIn(db),
    ...(last === undefined && { before }),
    heads,
    deleted: [...deleted],
  };
  const text = JSON.stringify(seal);
  const [hash, signature] = [sealHash(text), key.sign(text)];
  db.prepare('INSERT INTO seals (n, at, text, hash, signature) VALUES (?, ?, ?, ?, ?)').run(
    seal.n,
    seal.at,
    text,
    hash,
    signature,
  );
  return { seal, hash, signature };
}

/** Goes through the entries since then, not through all sessions. One row of `events` belongs to no session and is not meant. */
function changedHeads(db: DatabaseSync, at: number | undefined): SealedHead[] {
  if (at === undefined)
    return rows(db.prepare('SELECT session, seq, hash FROM heads ORDER BY session').all());
  const changed = db.prepare(
    `SELECT session, seq, hash FROM heads WHERE session IN (SELECT session FROM events WHERE rowid > ?) ORDER BY session`,
  );
  return rows(changed.all(at));
}

function rows(found: readonly Record<string, unknown>[]): SealedHead[] {
  return found.map(({ session, seq, hash }) => ({
    session: String(session),
    seq: Number(seq),
    hash: String(hash),
  }));
}

// Nothing is signed on top of what can't be read.
function logOf({ n, text }: Pick<StoredSeal, 'n' | 'text'>): string {
  const { log } = readSeal(text) ?? {};
  if (log !== undefined) return log;
  throw new ToolError(
    'LOG_DAMAGED',
    `Seal ${n} can't be read. \`codelab audit verify\` says what is broken.`,
  );
}
