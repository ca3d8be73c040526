// Folds the write-ahead file into the database on a thread of its own: it takes two syncs and the writing of megabytes, which calls
// would have to wait for. Writers go on meanwhile.
import { Worker } from 'node:worker_threads';
import type { Statements } from './statements.ts';

const pageChars = 4096;
/** Of any transaction: the pages of the tables' own trees. */
const pagesPerCommit = 8;
const pagesPerCheckpoint = 4000;
/** A connection that never has its turn on the thread folds the file in by itself. */
export const mostPages = 4 * pagesPerCheckpoint;

export type Checkpoints = {
  /** To be told of every transaction, and how many characters it wrote. */
  note(chars: number): void;
  close(): Promise<void>;
};

export function createCheckpoints(file: string, sql: Statements): Checkpoints {
  let pages = 0;
  let running: Thread | undefined;
  return {
    note(chars) {
      pages += pagesPerCommit + Math.ceil(chars / pageChars);
      if (pages < pagesPerCheckpoint || running !== undefined || !isDue(sql)) return;
      pages = 0;
      running = startThread(file, () => {
        running = undefined;
      });
    },
    async close() {
      // The process does not end for its sake before, nor does the database while it is in use.
      running?.worker.ref();
      await running?.ended;
    },
  };
}

function isDue(sql: Statements): boolean {
  try {
    const { log, checkpointed } = sql.frames.get() ?? {};
    return Number(log) - Number(checkpointed) > pagesPerCheckpoint / 2;
  } catch {
    // The transaction before it is committed all the same.
    return false;
  }
}

type Thread = { worker: Worker; ended: Promise<void> };

/** However it ends: what is not folded in now is so the next time. */
function startThread(file: string, onEnd: () => void): Thread | undefined {
  try {
    // Its code goes along as text: a bundle has no second file to start from.
    const code = `(${checkpoint.toString()})(process.getBuiltinModule)`;
    const worker = new Worker(code, { eval: true, workerData: { file, most: 2 * pagesPerCheckpoint } });
    worker.unref();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    worker.on('error', () => undefined).once('exit', () => resolve(onEnd()));
    return { worker, ended };
  } catch {
    return undefined;
  }
}

// Complete in itself: nothing outside this function exists where it runs.
function checkpoint(get: typeof process.getBuiltinModule): void {
  const { file, most } = get('node:worker_threads').workerData as { file: string; most: number };
  const { DatabaseSync } = get('node:sqlite');
  const db = new DatabaseSync(file);
  const frames = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()?.log;
  // Writers who never rest would make it longer and longer: for the moment it takes to fold in the rest they wait.
  if (Number(frames) > most) db.exec('PRAGMA wal_checkpoint(RESTART)');
  db.close();
}
