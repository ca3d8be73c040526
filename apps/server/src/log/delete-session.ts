// Deletes a session: it is gone for every reader with one short transaction; then its entries are removed piece by piece, then the
// long texts nobody refers to any more. A crash in between leaves what the next opening of the log goes on with.
import type { DatabaseSync } from 'node:sqlite';
import { ToolError } from '@codelab/protocol';
import { type BlobStore, runInTurns } from '@codelab/runtime';
import { blobKeys } from './event-text.ts';
import type { Statements } from './statements.ts';
import { storeFault } from './store-fault.ts';
import { syncWal, syncWalAside } from './sync-wal.ts';
import { transact } from './transaction.ts';

export type Store = {
  db: DatabaseSync;
  sql: Statements;
  blobs: BlobStore;
  file: string;
  /** Told how many characters each transaction wrote. */
  onWritten(chars: number): void;
};

/** Records a deletion within its transaction; what it returns is done after it. */
type Bury = (session: string) => () => Promise<void>;

const charsAtOnce = 256 * 1024;

/** `onGone` is called when no reader finds it any more. */
export async function deleteSession(
  store: Store,
  session: string,
  { bury, onGone, signal }: { bury: Bury; onGone(): void; signal: AbortSignal },
): Promise<void> {
  let settle: () => Promise<void>;
  try {
    settle = markDeleted(store, session, bury);
  } catch (error) {
    throw storeFault(error);
  }
  onGone();
  await settle();
  await removeLeftovers(store, signal);
}

/** What it does not come to before the signal is left to the next opening. */
export async function removeLeftovers(store: Store, signal: AbortSignal): Promise<void> {
  try {
    await runInTurns(removeEntries(store), { signal });
    if (store.sql.unused.get() !== undefined) await syncWalAside(store.file);
    await runInTurns(removeTexts(store), { signal });
  } catch (error) {
    if (!signal.aborted) throw storeFault(error);
  }
}

function markDeleted({ db, sql }: Store, session: string, bury: Bury): () => Promise<void> {
  // A person's decision: on the disk before it is answered.
  sql.full.run();
  try {
    return transact(db, () => {
      checkUnused(sql, session);
      const settle = bury(session);
      sql.deletion.run(session);
      sql.forget.run(session);
      sql.keepPosition.run();
      sql.dropPositions.run();
      return settle;
    });
  } finally {
    sql.normal.run();
  }
}

function checkUnused(sql: Statements, session: string): void {
  if (sql.runningOf.get(session) !== undefined)
    throw new ToolError('STALE', `A call of ${session} is still running. End it first.`);
  const fork = sql.forkOf.get(session);
  if (fork !== undefined)
    throw new ToolError(
      'STALE',
      `${String(fork.session)} was forked from ${session} and needs it. Delete that one first.`,
    );
}

export function hasLeftovers(sql: Statements): boolean {
  return sql.deleted.get() !== undefined || sql.unused.get() !== undefined;
}

/** Pauses after every piece; each is a transaction of its own. Several processes may do it at once. */
export function* removeEntries(store: Store): Generator<undefined, void> {
  const { db, sql } = store;
  for (let row = sql.deleted.get(); row !== undefined; row = sql.deleted.get()) {
    const session = String(row.session);
    transact(db, () => dropSome(sql, session));
    // Freed pages are wiped, so removing writes as much as adding.
    store.onWritten(charsAtOnce);
    yield;
  }
}

export function* removeTexts(store: Store): Generator<undefined, void> {
  while (transact(store.db, () => removeUnused(store))) yield;
  yield* removeOrphans(store);
}

/** For one that wants the name of a deleted session, within its own transaction. */
export function dropRest(sql: Statements, session: string): void {
  while (sql.deletedFrom.get(session) !== undefined) dropSome(sql, session);
}

/** Removes the next few entries, and the deletion itself when there are no more. */
function dropSome(sql: Statements, session: string): void {
  // Another process may have been first, and a new session may have the name by now.
  const deleted = sql.deletedFrom.get(session);
  if (deleted === undefined) return;
  let last = 0;
  let chars = 0;
  for (const row of sql.oldest.iterate(session)) {
    const json = String(row.json);
    for (const key of keysIn(json)) sql.release.run(key);
    sql.dropChange.run(String(deleted.workspace), Number(row.at));
    last = Number(row.seq);
    chars += json.length;
    if (chars > charsAtOnce) break;
  }
  sql.dropEvents.run(session, last);
  if (last === 0) sql.endDeletion.run(session);
}

// A damaged entry can't be read; the texts it may have referred to are kept.
function keysIn(json: string): string[] {
  try {
    return blobKeys(json);
  } catch {
    return [];
  }
}

/**
 * Writers count a reference before they look whether the file is there, in one transaction. So no file is removed that anybody has
 * come to refer to, and a crash after a removal leaves a count of 0 without a file, which the next removal ends.
 */
function removeUnused({ sql, blobs, file }: Store): boolean {
  const keys = sql.unused.all().map(({ key }) => String(key));
  if (keys.length === 0) return false;
  // Power may fail at any time: the entries must be gone for good before their texts are. Most of it was synced aside already.
  syncWal(file);
  for (const key of keys) {
    blobs.remove(key);
    sql.dropText.run(key);
  }
  return true;
}

/** Texts of appends that were never committed. */
function* removeOrphans({ db, sql, blobs }: Store): Generator<undefined, void> {
  for (const keys of blobs.keys()) {
    const isOrphan = (key: string): boolean => sql.hasText.get(key) === undefined;
    if (keys.some(isOrphan))
      transact(db, () => {
        for (const key of keys.filter(isOrphan)) blobs.remove(key);
      });
    yield;
  }
}
