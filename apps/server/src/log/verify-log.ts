// Proves the log: the database's own structure, every link of every chain, every head, and every text kept apart.
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Damage } from '@codelab/protocol';
import type { BlobStore } from '@codelab/runtime';
import { blobKeys } from './event-text.ts';
import { finish } from './finish.ts';
import { chainHash, chainStart } from './hash-chain.ts';
import { rollBack } from './roll-back.ts';
import { readWal, walDamage } from './verify-wal.ts';

/** What is looked at without a pause; an entry costs something even when it is empty. */
const charsAtOnce = 256 * 1024;
const charsPerEntry = 1024;
const sessionsAtOnce = 100;
const mostLooks = 3;

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
export type Store = { db: DatabaseSync; file: string; blobs: BlobStore };

export function verifyLog(store: Store, session?: string): Damage | undefined {
  const { db } = store;
  try {
    const problem = finish(walDamage(walOf(store))) ?? badStructure(db);
    return problem === undefined ? finish(badEntries(store, session)) : { session: '', seq: 0, problem };
  } catch (error) {
    return unreadable(error, session);
  }
}

export function unreadable(error: unknown, session = ''): Damage {
  const problem = `The database can't be read: ${error instanceof Error ? error.message : error}`;
  return { session, seq: 0, problem };
}

/** Writers are held off while it is read, so that no half-written frame is taken for a damaged one. */
export function walOf({ db, file }: Store): Buffer {
  db.exec('BEGIN IMMEDIATE');
  try {
    return readWal(`${file}-wal`);
  } finally {
    rollBack(db);
  }
}

function badStructure(db: DatabaseSync): string | undefined {
  const [first] = db.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[];
  return structureProblem(first?.integrity_check);
}

/** What SQLite said, when it is not that all is well. */
export function structureProblem(said = 'no answer'): string | undefined {
  return said === 'ok' ? undefined : `The database is damaged: ${said}`;
}

/** Pauses again and again. What is written meanwhile is not looked at, and nobody who writes has to wait. */
export function* badEntries(store: Store, session?: string): Generator<undefined, Damage | undefined> {
  const { db } = store;
  for (let look = 1; ; look++) {
    db.exec('BEGIN');
    let damage: Damage | undefined;
    try {
      damage = yield* badSession(store, session);
    } finally {
      rollBack(db);
    }
    // Of a session that was deleted meanwhile the texts are gone, though its entries can still be seen.
    if (damage === undefined || look === mostLooks || isKnown(db, damage.session)) return damage;
  }
}

function isKnown(db: DatabaseSync, session: string): boolean {
  return db.prepare('SELECT 1 FROM sessions WHERE id = ?').get(session) !== undefined;
}

function* badSession(store: Store, only: string | undefined): Generator<undefined, Damage | undefined> {
  const { db } = store;
  const heads = db
    .prepare('SELECT id, seq, hash, opened_at, last_at, workspace FROM sessions ORDER BY id')
    .all() as HeadRow[];
  const orphan = yield* orphanIn(db, new Set(heads.map(({ id }) => id)));
  if (orphan !== undefined) return { ...orphan, problem: 'This entry belongs to no known session.' };
  const checked = new Set<string>();
  for (const head of heads.filter(({ id }) => only === undefined || id === only)) {
    yield;
    const damage = yield* badChain(store, head, checked);
    if (damage !== undefined) return damage;
  }
  return undefined;
}

type Place = Pick<Row, 'session' | 'seq'>;

/** From session to session: their entries are not all gone through for it. */
function* orphanIn(db: DatabaseSync, known: ReadonlySet<string>): Generator<undefined, Place | undefined> {
  const first = db.prepare('SELECT session, seq FROM events ORDER BY session, seq LIMIT 1');
  const next = db.prepare('SELECT session, seq FROM events WHERE session > ? ORDER BY session, seq LIMIT 1');
  let place = first.get() as Place | undefined;
  for (let n = 1; place !== undefined; n++) {
    if (!known.has(place.session)) return place;
    if (n % sessionsAtOnce === 0) yield;
    place = next.get(place.session) as Place | undefined;
  }
  return undefined;
}

function* badChain(
  store: Store,
  head: HeadRow,
  checked: Set<string>,
): Generator<undefined, Damage | undefined> {
  const { db, blobs } = store;
  let first: Row | undefined;
  const running = new Set<string>();
  let last: Row | undefined;
  const rows = db.prepare('SELECT session, seq, time, json, hash FROM events WHERE session = ? ORDER BY seq');
  let charsLeft = charsAtOnce;
  for (const row of rows.iterate(head.id) as Iterable<Row>) {
    charsLeft -= row.json.length + charsPerEntry;
    if (charsLeft < 0) {
      yield;
      charsLeft = charsAtOnce;
    }
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
