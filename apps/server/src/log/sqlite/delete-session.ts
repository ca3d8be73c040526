// Deletes a session: one short transaction hides it from every reader; then its entries are removed piece by piece, then the long texts
// without references. After a crash in between, the next opening of the log continues.
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as otherWork } from 'node:timers/promises';
import { ToolError } from '@codelab/protocol';
import type { BlobStore } from '@codelab/runtime';
import { blobKeys } from '../entries.ts';
import type { WalSyncs } from './database.ts';
import { type Statements, storeFault, transactInTurns } from './statements.ts';

type Store = {
  db: DatabaseSync;
  file: string;
  sql: Statements;
  readonly blobs: BlobStore;
  syncs: WalSyncs;
  /** Called with the number of characters that each transaction wrote. */
  onWritten(chars: number): void;
};

/** Records a deletion within its transaction; the returned work is done after it. */
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
    settle = await markDeleted(store, session, bury);
  } catch (error) {
    throw storeFault(error, store.file);
  }
  onGone();
  try {
    // A person's decision: on the disk before it is answered.
    await store.syncs.aside();
  } catch (error) {
    throw storeFault(error, store.file);
  }
  await settle();
  await removeLeftovers(store, signal);
}

/** The rest after the signal is left to the next opening. */
export async function removeLeftovers(store: Store, signal: AbortSignal): Promise<void> {
  try {
    await removeEntries(store, signal);
    await removeTexts(store, signal);
  } catch (error) {
    if (!signal.aborted) throw storeFault(error, store.file);
  }
}

async function markDeleted({ db, sql }: Store, session: string, bury: Bury): Promise<() => Promise<void>> {
  return await transactInTurns(db, () => {
    checkUnused(sql, session);
    const settle = bury(session);
    sql.deletion.run(session);
    sql.forget.run(session);
    sql.keepPosition.run();
    sql.dropPositions.run();
    return settle;
  });
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

/** Piece by piece, each in a separate transaction and turn of the event loop. Several processes may do it concurrently. */
async function removeEntries(store: Store, signal: AbortSignal): Promise<void> {
  const { db, sql } = store;
  for (let row = sql.deleted.get(); row !== undefined; row = sql.deleted.get()) {
    const session = String(row.session);
    await transactInTurns(db, () => dropSome(sql, session));
    // Freed pages are wiped, so removing writes as much as adding.
    store.onWritten(charsAtOnce);
    await otherWork();
    signal.throwIfAborted();
  }
}

async function removeTexts(store: Store, signal: AbortSignal): Promise<void> {
  for (let keys = unusedKeys(store); keys.length > 0; keys = unusedKeys(store)) {
    // Power may fail at any time: the entries must be gone for good before their texts are.
    await store.syncs.aside();
    await transactInTurns(store.db, () => removeUnused(store, keys));
    await otherWork();
    signal.throwIfAborted();
  }
  await removeOrphans(store, signal);
}

/** For a new session with the name of a deleted one, within its own transaction. */
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

// A damaged entry can't be read; the texts it may refer to are kept.
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
function removeUnused({ sql, blobs }: Store, keys: readonly string[]): void {
  for (const key of keys) {
    if (sql.usesOf.get(key)?.uses !== 0) continue;
    blobs.remove(key);
    sql.dropText.run(key);
  }
}

function unusedKeys({ sql }: Store): string[] {
  return sql.unused.all().map(({ key }) => String(key));
}

/** Texts of appends that were never committed. */
async function removeOrphans({ db, sql, blobs }: Store, signal: AbortSignal): Promise<void> {
  for (const keys of blobs.keys()) {
    const isOrphan = (key: string): boolean => sql.usesOf.get(key) === undefined;
    if (keys.some(isOrphan))
      await transactInTurns(db, () => {
        for (const key of keys.filter(isOrphan)) blobs.remove(key);
      });
    await otherWork();
    signal.throwIfAborted();
  }
}
