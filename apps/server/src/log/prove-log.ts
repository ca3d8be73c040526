// Proves a session's record while the process goes on with its work: by a connection of its own, in small steps, and on a thread what
// SQLite does in one piece.
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { type Damage, ToolError } from '@codelab/protocol';
import { finishInTurns } from './finish.ts';
import { openDatabase } from './open-database.ts';
import { badEntries, type Store, structureProblem, unreadable, walOf } from './verify-log.ts';
import { walDamage } from './verify-wal.ts';

export async function proveLog(
  { file, blobs }: Omit<Store, 'db'>,
  session: string,
  signal: AbortSignal,
): Promise<Damage | undefined> {
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(file);
    const store = { db, file, blobs };
    const problem =
      (await finishInTurns(walDamage(walOf(store)), signal)) ?? (await badStructure(file, signal));
    if (problem !== undefined) return { session: '', seq: 0, problem };
    return await finishInTurns(badEntries(store, session), signal);
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof ToolError
      ? { session: '', seq: 0, problem: error.message }
      : unreadable(error, session);
  } finally {
    db?.close();
  }
}

async function badStructure(file: string, signal: AbortSignal): Promise<string | undefined> {
  // Its code goes along as text: a bundle has no second file to start from.
  const worker = new Worker(`(${checkStructure.toString()})(process.getBuiltinModule)`, {
    eval: true,
    workerData: file,
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  worker.once('message', resolve).once('error', reject);
  // However it ended, nobody waits for an answer that does not come.
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
