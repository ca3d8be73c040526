// Verifies the log: the write-ahead file, the database's own structure, every session, the reference counts of separately stored texts, and
// that everything matches the seals.
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Damage, ToolError } from '@codelab/protocol';
import { type BlobStore, damageAdvice, isBusy, runNow, stateFault } from '@codelab/runtime';
import { changesFiles } from '../entries.ts';
import { proofOf, type Verified } from '../seals/proof.ts';
import { verifySeals } from '../seals/verify-seals.ts';
import { openWitness, type Witness } from '../seals/witness.ts';
import { hasLastAppend } from './change-signal.ts';
import { rollBack, storeFault } from './statements.ts';
import { badChain, type HeadRow, type TextUses } from './verify-chain.ts';
import { readWal, type Wal, walDamage } from './verify-wal.ts';

const rowsAtOnce = 100;
const mostLooks = 3;

/** The database, its file, the separately stored texts, the note of the latest append, and the folder of the key. */
export type Store = { db: DatabaseSync; file: string; readonly blobs: BlobStore; bell: string; keys: string };

export function verifyLog(store: Store, session?: string): Verified {
  const { db } = store;
  try {
    const problem = runNow(badWal(store, walOf(store))) ?? badStructure(db);
    if (problem !== undefined)
      return { damage: { session: '', seq: 0, problem, advice: damageAdvice(store.file) } };
    return runNow(verifyEntries(store, session));
  } catch (error) {
    return { damage: unreadable(error, store.file, session) };
  }
}

/** Throws where the reason is the disk or its permissions, which says nothing about the log. */
export function unreadable(error: unknown, file: string, session = ''): Damage {
  const found = storeFault(error, file);
  const isOfTheDisk = isBusy(error) || stateFault(error, dirname(file)) !== undefined;
  if (isOfTheDisk && found instanceof ToolError && found.code !== 'LOG_DAMAGED') throw found;
  const problem = `The database can't be read: ${error instanceof Error ? error.message : error}`;
  return { session, seq: 0, problem, advice: damageAdvice(file) };
}

/** Writers are held off while it is read. */
export function walOf({ db, file }: Pick<Store, 'db' | 'file'>): Wal {
  db.exec('BEGIN IMMEDIATE');
  try {
    return readWal(file);
  } finally {
    rollBack(db);
  }
}

export function* badWal(store: Store, wal: Wal): Generator<undefined, string | undefined> {
  const damage = yield* walDamage(wal);
  if (damage === undefined || (damage.isDoubtful && hasLastAppend(store.db, store))) return undefined;
  return damage.problem;
}

function badStructure(db: DatabaseSync): string | undefined {
  const [first] = db.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[];
  return structureProblem(first?.integrity_check);
}

/** SQLite's message, unless it reports that all is well. */
export function structureProblem(answer = 'no answer'): string | undefined {
  return answer === 'ok' ? undefined : `The database is damaged: ${answer}`;
}

/** Pauses regularly. Entries written meanwhile are not checked, and writers do not wait. */
export function* verifyEntries(store: Store, session?: string): Generator<undefined, Verified> {
  const { db } = store;
  for (let attempt = 1; ; attempt++) {
    const witness = openWitness(store);
    db.exec('BEGIN');
    let verified: Verified;
    try {
      verified = yield* verifySession(store, witness, session);
    } finally {
      rollBack(db);
    }
    // The texts of a session that was deleted meanwhile are gone, though its entries are still visible.
    const { damage } = verified;
    if (damage === undefined || attempt === mostLooks || isKnown(db, damage.session)) return verified;
  }
}

/** The entries come first: which of them is broken says more than that a seal does not fit any more. */
function* verifySession(
  store: Store,
  witness: Witness,
  only: string | undefined,
): Generator<undefined, Verified> {
  const broken = yield* badSession(store, only);
  if (broken !== undefined) return { damage: broken };
  const { damage, sealed } = yield* verifySeals(store.db, witness, only);
  return { damage, proof: proofOf(witness, sealed, { heads: headsIn(store.db, only), only }) };
}

function headsIn(db: DatabaseSync, only: string | undefined): { session: string; seq: number }[] {
  const rows = db.prepare('SELECT session, seq FROM heads WHERE session = coalesce(?, session)');
  return rows.all(only ?? null) as { session: string; seq: number }[];
}

function isKnown(db: DatabaseSync, session: string): boolean {
  return session === '' || db.prepare('SELECT 1 FROM heads WHERE session = ?').get(session) !== undefined;
}

function* badSession(store: Store, only: string | undefined): Generator<undefined, Damage | undefined> {
  const { db } = store;
  const orphan = yield* orphanIn(db);
  if (orphan !== undefined) return { ...orphan, problem: 'This entry belongs to no known session.' };
  const texts: TextUses = new Map();
  for (let head = headAfter(db, '', only); head !== undefined; head = headAfter(db, head.session, only)) {
    yield;
    const damage = yield* badChain(store, head, texts);
    if (damage !== undefined) return damage;
  }
  const problem = (yield* badUses(db, texts)) ?? (only === undefined ? yield* badChanges(db) : undefined);
  return problem === undefined ? undefined : { session: '', seq: 0, problem };
}

function headAfter(db: DatabaseSync, session: string, only: string | undefined): HeadRow | undefined {
  const next = db.prepare(
    'SELECT * FROM heads WHERE session > ?1 AND session = coalesce(?2, session) ORDER BY session LIMIT 1',
  );
  return next.get(session, only ?? null) as HeadRow | undefined;
}

type Place = { session: string; seq: number };

/** From session to session, without scanning their entries. */
function* orphanIn(db: DatabaseSync): Generator<undefined, Place | undefined> {
  const next = db.prepare('SELECT session, seq FROM events WHERE session > ? ORDER BY session, seq LIMIT 1');
  const known = db.prepare(
    'SELECT 1 FROM heads WHERE session = ?1 UNION ALL SELECT 1 FROM deletions WHERE session = ?1',
  );
  let place = next.get('') as Place | undefined;
  for (let n = 1; place !== undefined; n++) {
    if (known.get(place.session) === undefined) return place;
    if (n % rowsAtOnce === 0) yield;
    place = next.get(place.session) as Place | undefined;
  }
  return undefined;
}

/** A text that is counted too low would be removed while entries need it. One that is counted too high only stays for longer. */
function* badUses(db: DatabaseSync, texts: TextUses): Generator<undefined, string | undefined> {
  const usesOf = db.prepare('SELECT uses FROM texts WHERE key = ?');
  let n = 0;
  for (const [key, uses] of texts) {
    const found = Number(usesOf.get(key)?.uses ?? 0);
    if (found < uses)
      return `A text is counted ${found} times, but entries refer to it ${uses} times (${key}).`;
    if (++n % rowsAtOnce === 0) yield;
  }
  return undefined;
}

/** Finds listed changes without a call that made them; unlisted ones were found entry by entry. */
function* badChanges(db: DatabaseSync): Generator<undefined, string | undefined> {
  const rows = db.prepare(
    `SELECT changes.session, changes.seq, json FROM changes LEFT JOIN events ON events.rowid = at
      AND events.session = changes.session AND events.seq = changes.seq`,
  );
  let n = 0;
  for (const { session, seq, json } of rows.iterate()) {
    if (json === null || !changesFiles(JSON.parse(String(json))))
      return `Entry ${seq} of ${session} is listed as a change, which it is not.`;
    if (++n % rowsAtOnce === 0) yield;
  }
  return undefined;
}
