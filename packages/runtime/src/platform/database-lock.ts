// Waiting for a database that another process has locked, without keeping this one busy.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

/** Waits for a database that another process is writing to. SQLite's own waiting would keep the whole event loop standing still. */
const shortestMs = 1;
const longestMs = 20;

/**
 * Begins a transaction that writes and does `work`, which is to end it, in the same turn. Others have their turns until it can begin;
 * SQLite's own error is thrown after `waitMs`, the time that readers of this connection wait, too.
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

/** False when somebody else is writing; with `isLast` that is thrown. */
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

/** Prepared once for each database: to read their texts takes longer than to run them. */
const prepared = new WeakMap<DatabaseSync, LockStatements>();

function statementsOf(db: DatabaseSync, waitMs: number): LockStatements {
  const known = prepared.get(db);
  if (known?.waitMs === waitMs) return known;
  const made = {
    waitMs,
    begin: db.prepare('BEGIN IMMEDIATE'),
    dontWait: db.prepare('PRAGMA busy_timeout = 0'),
    wait: db.prepare(`PRAGMA busy_timeout = ${waitMs}`),
  };
  prepared.set(db, made);
  return made;
}

const busy = 5;

// The upper bits say which kind of busy it is.
function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === busy
  );
}

// Sets a database to write-ahead logging, which stays with its file. When two processes make the file at the same moment, SQLite tells one
// of them at once that it is locked, whatever its busy timeout says; a moment later the other one is done.
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
