// Waits for a database that another process has locked, without blocking this one; and makes the folders that files of our own stand in.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

/** Waits for a database that another process writes to. SQLite's own waiting would block the event loop. */
const shortestMs = 1;
const longestMs = 20;

/**
 * Begins a write transaction and runs `work`, which ends it, in the same turn. Other work runs until it can begin; after `waitMs`, which
 * also applies to readers of this connection, SQLite's own error is thrown.
 */
export async function beginInTurns<T>(db: DatabaseSync, waitMs: number, work: () => T): Promise<T> {
  if (tryBegin(db, waitMs, false)) return work();
  const until = performance.now() + waitMs;
  for (
    let ms = shortestMs;
    !tryBegin(db, waitMs, performance.now() >= until);
    ms = Math.min(ms * 2, longestMs)
  )
    await wait(ms);
  return work();
}

/** False when another process is writing; throws instead with `isLast`. */
function tryBegin(db: DatabaseSync, waitMs: number, isLast: boolean): boolean {
  const { begin, dontWait, wait } = statementsOf(db, waitMs);
  try {
    dontWait.run();
    begin.run();
    return true;
  } catch (error) {
    if (isLast || !isBusy(error)) throw error;
    return false;
  } finally {
    // A reader may meet another process that repairs the index of the write-ahead file after a crash.
    wait.run();
  }
}

type LockStatements = { waitMs: number } & Record<'begin' | 'dontWait' | 'wait', StatementSync>;

/** Prepared once per database. SQLite carries out a pragma when it parses it, which it does again at each run but the first. */
const prepared = new WeakMap<DatabaseSync, LockStatements>();

function statementsOf(db: DatabaseSync, waitMs: number): LockStatements {
  const cached = prepared.get(db);
  if (cached?.waitMs === waitMs) return cached;
  const statements = {
    waitMs,
    begin: db.prepare('BEGIN IMMEDIATE'),
    dontWait: db.prepare('PRAGMA busy_timeout = 0'),
    wait: db.prepare(`PRAGMA busy_timeout = ${waitMs}`),
  };
  // From here on, each run takes effect.
  statements.dontWait.run();
  statements.wait.run();
  prepared.set(db, statements);
  return statements;
}

const busy = 5;

// The upper bits have the kind of busy error.
export function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === busy
  );
}

// Sets a database to write-ahead logging, a setting stored in its file. When two processes create the file at the same moment, SQLite
// reports a lock to one of them immediately, whatever its busy timeout; shortly after, the other one is done.
const switchMs = 5000;
const pauseMs = 2;

export function useWriteAhead(db: DatabaseSync): void {
  const until = performance.now() + switchMs;
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

/**
 * Makes a folder and those above it, or throws the system's error. Node's `recursive: true` never returns, and lets no signal through, where
 * the system answers ENOENT though the parent is there: in /proc, and in a folder that was removed.
 */
export function ensureFolder(path: string, mode = 0o700): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) ensureFolder(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process was faster.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
