// Proves the log: the database's own structure, every link of every chain, every head, and every text kept apart.
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { BlobStore } from '@codelab/runtime';
import { blobKeys } from './event-text.ts';
import { chainHash, chainStart } from './hash-chain.ts';
import { verifyWal } from './verify-wal.ts';

export type Damage = { session: string; seq: number; problem: string };

type HeadRow = {
  id: string;
  seq: number;
  hash: string;
  opened_at: number;
  last_at: number;
  workspace: string;
};
type Row = { session: string; seq: number; time: number; json: string; hash: string };

/** The database, the file it is in, and the texts kept apart from it. */
type Store = { db: DatabaseSync; file: string; blobs: BlobStore };

export function verifyLog(store: Store, session?: string): Damage | undefined {
  const { db } = store;
  try {
    // Holds writers off, so that no half-written frame is taken for a damaged one.
    db.exec('BEGIN IMMEDIATE');
    try {
      return badFiles(store) ?? badSession(store, session);
    } finally {
      db.exec('ROLLBACK');
    }
  } catch (error) {
    const problem = `The database can't be read: ${error instanceof Error ? error.message : error}`;
    return { session: session ?? '', seq: 0, problem };
  }
}

function badFiles({ db, file }: Store): Damage | undefined {
  const problem = verifyWal(`${file}-wal`) ?? badStructure(db);
  return problem === undefined ? undefined : { session: '', seq: 0, problem };
}

function badStructure(db: DatabaseSync): string | undefined {
  const [first] = db.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[];
  const said = first?.integrity_check ?? 'no answer';
  return said === 'ok' ? undefined : `The database is damaged: ${said}`;
}

function badSession(store: Store, only: string | undefined): Damage | undefined {
  const { db } = store;
  const heads = db
    .prepare('SELECT id, seq, hash, opened_at, last_at, workspace FROM sessions ORDER BY id')
    .all() as HeadRow[];
  const orphan = db
    .prepare('SELECT session, seq FROM events WHERE session NOT IN (SELECT id FROM sessions) LIMIT 1')
    .get() as Row | undefined;
  if (orphan !== undefined) return { ...orphan, problem: 'This entry belongs to no known session.' };
  const checked = new Set<string>();
  for (const head of heads.filter(({ id }) => only === undefined || id === only)) {
    const damage = badChain(store, head, checked);
    if (damage !== undefined) return damage;
  }
  return undefined;
}

function badChain(store: Store, head: HeadRow, checked: Set<string>): Damage | undefined {
  const { db, blobs } = store;
  let first: Row | undefined;
  const running = new Set<string>();
  let last: Row | undefined;
  const rows = db.prepare('SELECT session, seq, time, json, hash FROM events WHERE session = ? ORDER BY seq');
  for (const row of rows.iterate(head.id) as Iterable<Row>) {
    const seq = (last?.seq ?? 0) + 1;
    const problem = badEntry(blobs, row, seq, last?.hash ?? chainStart, checked);
    if (problem !== undefined) return { session: head.id, seq, problem };
    noteRunning(row.json, running);
    first ??= row;
    last = row;
  }
  if (last?.seq !== head.seq || last.hash !== head.hash) {
    const problem = `The log ends at ${last?.seq ?? 0}, but ${head.seq} entries were recorded.`;
    return { session: head.id, seq: (last?.seq ?? 0) + 1, problem };
  }
  const isSame = isSummary(head, first ?? last, last) && isRunning(db, head.id, running);
  return isSame
    ? undefined
    : { session: head.id, seq: 0, problem: 'The summary of this session was changed.' };
}

function badEntry(
  blobs: BlobStore,
  row: Row,
  seq: number,
  previous: string,
  checked: Set<string>,
): string | undefined {
  if (row.seq !== seq) return `Entry ${seq} is missing.`;
  if (chainHash(previous, row) !== row.hash) return `Entry ${seq} was changed: its hash does not fit.`;
  return badBlob(blobs, row.json, checked);
}

// What is kept beside the entries, to find them faster, must say the same as they do.
function isSummary(head: HeadRow, first: Row, last: Row): boolean {
  const body: { type?: unknown; workspace?: unknown } = JSON.parse(first.json);
  const workspace = body.type === 'session.opened' ? body.workspace : '';
  return head.opened_at === first.time && head.last_at === last.time && head.workspace === workspace;
}

function noteRunning(json: string, running: Set<string>): void {
  if (!json.startsWith('{"type":"call.')) return;
  const { type, callId }: { type: string; callId: string } = JSON.parse(json);
  if (type === 'call.started') running.add(callId);
  if (type === 'call.finished') running.delete(callId);
}

function isRunning(db: DatabaseSync, session: string, running: Set<string>): boolean {
  const rows = db.prepare('SELECT call_id FROM running WHERE session = ?').all(session) as {
    call_id: string;
  }[];
  return rows.length === running.size && rows.every((row) => running.has(row.call_id));
}

function badBlob(blobs: BlobStore, json: string, checked: Set<string>): string | undefined {
  for (const key of blobKeys(json)) {
    if (checked.has(key)) continue;
    const text = blobs.get(key);
    if (text === undefined) return `A text it refers to is missing (${key}).`;
    if (hash('sha256', text, 'hex') !== key) return `A text it refers to was changed (${key}).`;
    checked.add(key);
  }
  return undefined;
}
