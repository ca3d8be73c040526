// Verifies a session's record while the process continues: with a separate connection, in small steps, and on a thread for SQLite's own
// checks.

import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { Damage } from '@codelab/protocol';
import { runInTurns } from '@codelab/runtime';
import { badWal, type Store, structureProblem, unreadable, verifyEntries, walOf } from './verify-log.ts';
import { readWalInPieces } from './verify-wal.ts';

const mostLooks = 3;

/** All connections of a process to one file share its locks within SQLite, whichever threads they are on. */
export async function proveLog(
  store: Store,
  session: string,
  signal: AbortSignal,
): Promise<Damage | undefined> {
  let db: DatabaseSync | undefined;
  try {
    const problem = (await damagedWal(store, signal)) ?? (await badStructure(store.file, signal));
    if (problem !== undefined) return { session: '', seq: 0, problem };
    db = new DatabaseSync(store.file, { readOnly: true, timeout: 10_000 });
    return (await runInTurns(verifyEntries({ ...store, db }, session), { signal })).damage;
  } catch (error) {
    signal.throwIfAborted();
    return unreadable(error, store.file, session);
  } finally {
    db?.close();
  }
}

async function damagedWal(store: Store, signal: AbortSignal): Promise<string | undefined> {
  for (let attempt = 1; attempt <= mostLooks; attempt++) {
    const wal = await readWalInPieces(store.file, store.db);
    if (wal !== undefined && (await runInTurns(badWal(store, wal), { signal })) === undefined)
      return undefined;
  }
  // The fault may only have been a write in progress: now there are no writers.
  return await runInTurns(badWal(store, walOf(store)), { signal });
}

async function badStructure(file: string, signal: AbortSignal): Promise<string | undefined> {
  // The worker's code is passed as text: a bundle has no second file to start from.
  const worker = new Worker(`(${checkStructure.toString()})(process.getBuiltinModule)`, {
    eval: true,
    workerData: file,
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  worker.once('message', resolve).once('error', reject);
  // However the worker ended, no answer is coming.
  worker.once('exit', () => reject(new Error('the check was broken off')));
  try {
    signal.throwIfAborted();
    return structureProblem(await promise);
  } finally {
    signal.removeEventListener('abort', stop);
    void worker.terminate();
  }
}

// Complete in itself: nothing outside this function exists where it runs.
function checkStructure(get: typeof process.getBuiltinModule): void {
  const { parentPort, workerData } = get('node:worker_threads');
  const { DatabaseSync } = get('node:sqlite');
  const db = new DatabaseSync(workerData as string, { readOnly: true });
  const [first] = db.prepare('PRAGMA integrity_check(1)').all();
  db.close();
  parentPort?.postMessage(first?.integrity_check);
}
