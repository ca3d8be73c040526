// The log's database: private to its user, with a write-ahead log and its tables; the write-ahead file is synced when an entry must be on
// the disk, and checkpointed.

import { once } from 'node:events';
import { closeSync, existsSync, fdatasync, fsyncSync, open, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { ToolError } from '@codelab/protocol';
import { damagedLog, ensureFolder, isDamage, useWriteAhead } from '@codelab/runtime';
import { logFormat, prepareTables } from './log-format.ts';
import { type Statements, storeFault } from './statements.ts';

export function openDatabase(file: string): DatabaseSync {
  refuseUnsafeSqlite();
  try {
    ensureFolder(dirname(file));
    makeWhenAbsent(file);
    const db = new DatabaseSync(file);
    // Freed space is wiped: no stale copy of an entry stays in the file, where a changed byte would mean nothing.
    db.exec('PRAGMA busy_timeout = 10000; PRAGMA secure_delete = ON');
    useWriteAhead(db);
    db.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${mostPages}`);
    if (db.prepare('PRAGMA user_version').get()?.user_version !== logFormat) prepareTables(db, file);
    return db;
  } catch (error) {
    throw isDamage(error) ? damagedLog(error, file, false) : storeFault(error, file);
  }
}

/**
 * A file that is there is never opened: closing it would drop every lock this process has on it through SQLite, and the next process
 * to come would take the log for abandoned and remove the write-ahead file under us.
 */
function makeWhenAbsent(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

// The versions of SQLite that are safe for the log.

// Before it, a process whose lock on the database was lost did not notice that another one had removed the write-ahead file.
const oldest = '3.51.0';
const advice = 'Use Node.js 24.14 or newer, or start CodeLab with the one that `npm install` brings along';

type SqliteCheck = { isSafe: boolean; found: string; advice: string };

export function checkSqlite(version: string | undefined = process.versions.sqlite): SqliteCheck {
  if (version === undefined) return { isSafe: false, found: 'not in this Node.js', advice };
  if (isBefore(version, oldest)) return { isSafe: false, found: `${version}, older than ${oldest}`, advice };
  return { isSafe: true, found: version, advice: 'keeps the session log' };
}

export function refuseUnsafeSqlite(version?: string): void {
  const check = checkSqlite(version);
  if (check.isSafe) return;
  throw new ToolError(
    'IO_ERROR',
    `The session log was not opened: it could lose entries with the SQLite of ${process.version} (${check.found}). ${check.advice}.`,
  );
}

function isBefore(version: string, other: string): boolean {
  const numbers = (text: string): number[] => text.split('.').map(Number);
  const [a, b] = [numbers(version), numbers(other)];
  const i = a.findIndex((n, at) => n !== b[at]);
  return i !== -1 && (a[i] ?? 0) < (b[i] ?? 0);
}

// Checkpoints the write-ahead file on a worker thread: it takes two syncs and megabytes of writing, which calls would have to wait for.
// Writers continue meanwhile.

const pageChars = 4096;
/** In every transaction: the pages of the tables' own trees. */
const pagesPerCommit = 8;
const pagesPerCheckpoint = 4000;
/** A connection whose thread is too slow, or can't be started, checkpoints the file itself. */
const mostPages = 4 * pagesPerCheckpoint;

export type Checkpoints = {
  /** Must be called for every transaction, with the number of characters it wrote. */
  note(chars: number): void;
  close(): Promise<void>;
};

export function createCheckpoints(file: string, sql: Statements): Checkpoints {
  let pages = 0;
  let isBusy = false;
  let thread: Worker | undefined;

  /** However it ends, the rest is checkpointed next time. */
  function start(): Worker {
    // Its code goes along as text: a bundle has no second file to start from.
    const code = `(${checkpointOnMessage.toString()})(process.getBuiltinModule)`;
    const worker = new Worker(code, { eval: true, workerData: { file, most: 2 * pagesPerCheckpoint } });
    const done = (): void => {
      isBusy = false;
    };
    const ended = (): void => {
      done();
      thread = undefined;
    };
    worker.unref();
    return worker.on('message', done).on('error', ended).on('exit', ended);
  }

  return {
    note(chars) {
      pages += pagesPerCommit + Math.ceil(chars / pageChars);
      if (pages < pagesPerCheckpoint || isBusy) return;
      try {
        // Replaces the estimate.
        const { log, checkpointed } = sql.frames.get() ?? {};
        pages = Number(log) - Number(checkpointed);
        if (pages < pagesPerCheckpoint) return;
        thread ??= start();
        thread.postMessage('checkpoint');
        isBusy = true;
        pages = 0;
      } catch {
        // The noted pages are committed nevertheless.
      }
    },
    async close() {
      if (thread === undefined) return;
      const ended = once(thread, 'exit');
      thread.ref();
      thread.postMessage('end');
      await ended;
    },
  };
}

// Complete in itself: nothing outside this function exists where it runs.
function checkpointOnMessage(get: typeof process.getBuiltinModule): void {
  const { parentPort, workerData } = get('node:worker_threads');
  const { DatabaseSync } = get('node:sqlite');
  const { file, most } = workerData as { file: string; most: number };
  parentPort?.on('message', (order) => {
    if (order === 'end') return parentPort.close();
    const db = new DatabaseSync(file);
    const frames = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()?.log;
    // Writers who never rest would make the file longer and longer: for the moment it takes to fold in the rest they wait.
    if (Number(frames) > most) db.exec('PRAGMA wal_checkpoint(RESTART)');
    db.close();
    parentPort.postMessage('done');
  });
}

/** Syncs everything that any process has committed so far. A commit alone leaves that to the kernel. */
const openFile = promisify(open);
const syncData = promisify(fdatasync);

/**
 * The write-ahead file may be opened and closed beside SQLite, which has no locks on it. The database file and its `-shm` may not:
 * POSIX drops all locks of a process on a file as soon as the process closes any descriptor of it.
 */
export type WalSyncs = {
  /** On a worker thread; requests during a sync share the next one. */
  aside(): Promise<void>;
  now(): void;
  close(): Promise<void>;
};

/** Must be created before the database is opened. */
export function createWalSyncs(file: string): WalSyncs {
  const name = `${file}-wal`;
  let fd: number | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  // The name of a new file is in its folder, which has to be synced once, too.
  let isNamed = existsSync(name);

  async function sync(): Promise<void> {
    fd ??= await openFile(name, 'r+');
    await syncData(fd);
    if (isNamed) return;
    const folder = await openFile(dirname(file), 'r');
    await syncData(folder).finally(() => closeSync(folder));
    isNamed = true;
  }

  function aside(): Promise<void> {
    if (running === undefined) {
      running = sync().finally(() => {
        running = undefined;
      });
      return running;
    }
    // Commits after the running sync began may not be covered by it.
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return aside();
      });
    return next;
  }

  return {
    aside,
    now() {
      syncNow(name, 'r+');
      if (!isNamed) syncNow(dirname(file), 'r');
      isNamed = true;
    },
    async close() {
      await (next ?? running)?.catch(() => undefined);
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

function syncNow(path: string, flags: 'r' | 'r+'): void {
  const fd = openSync(path, flags);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
