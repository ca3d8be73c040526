// Proves the log: the database's own structure, every link of every chain, every head, and every text kept apart.
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { blobKeys } from './event-text.ts';
import { chainHash, chainStart } from './hash-chain.ts';

export type Damage = { session: string; seq: number; problem: string };

type Row = { session: string; seq: number; time: number; json: string; hash: string };

export function verifyLog(db: DatabaseSync, session?: string): Damage | undefined {
  try {
    return badStructure(db) ?? badSession(db, session);
  } catch (error) {
    return {
      session: session ?? '',
      seq: 0,
      problem: `The database can't be read: ${error instanceof Error ? error.message : error}`,
    };
  }
}

function badStructure(db: DatabaseSync): Damage | undefined {
  const [first] = db.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[];
  const said = first?.integrity_check ?? 'no answer';
  return said === 'ok' ? undefined : { session: '', seq: 0, problem: `The database is damaged: ${said}` };
}

function badSession(db: DatabaseSync, only: string | undefined): Damage | undefined {
  const heads = db.prepare('SELECT id, seq, hash FROM sessions ORDER BY id').all() as {
    id: string;
    seq: number;
    hash: string;
  }[];
  const orphan = db
    .prepare('SELECT session, seq FROM events WHERE session NOT IN (SELECT id FROM sessions) LIMIT 1')
    .get() as Row | undefined;
  if (orphan !== undefined)
    return { session: orphan.session, seq: orphan.seq, problem: 'This entry belongs to no known session.' };
  const checked = new Set<string>();
  for (const head of heads.filter(({ id }) => only === undefined || id === only)) {
    const damage = badChain(db, head, checked);
    if (damage !== undefined) return damage;
  }
  return undefined;
}

function badChain(
  db: DatabaseSync,
  head: { id: string; seq: number; hash: string },
  checked: Set<string>,
): Damage | undefined {
  let expected = 1;
  let previous = chainStart;
  for (const row of db
    .prepare('SELECT session, seq, time, json, hash FROM events WHERE session = ? ORDER BY seq')
    .iterate(head.id) as Iterable<Row>) {
    const at = { session: head.id, seq: expected };
    if (row.seq !== expected) return { ...at, problem: `Entry ${expected} is missing.` };
    if (chainHash(previous, row) !== row.hash)
      return { ...at, problem: `Entry ${expected} was changed: its hash does not fit.` };
    const lost = badBlob(db, row.json, checked);
    if (lost !== undefined) return { ...at, problem: lost };
    previous = row.hash;
    expected++;
  }
  if (expected - 1 !== head.seq || previous !== head.hash)
    return {
      session: head.id,
      seq: expected,
      problem: `The log ends at ${expected - 1}, but ${head.seq} entries were recorded.`,
    };
  return undefined;
}

function badBlob(db: DatabaseSync, json: string, checked: Set<string>): string | undefined {
  for (const key of blobKeys(json)) {
    if (checked.has(key)) continue;
    const text = db.prepare('SELECT text FROM blobs WHERE key = ?').get(key)?.text;
    if (typeof text !== 'string') return `A text it refers to is missing (${key}).`;
    if (hash('sha256', text, 'hex') !== key) return `A text it refers to was changed (${key}).`;
    checked.add(key);
  }
  return undefined;
}
