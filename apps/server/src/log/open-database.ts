// Opens the log's database: private to its user, write-ahead logged, with the tables it needs.

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ToolError } from '@codelab/protocol';
import { runNow, useWriteAhead } from '@codelab/runtime';
import { mostPages } from './checkpoints.ts';
import { logFormat, tables } from './log-format.ts';
import { refuseUnsafeSqlite } from './sqlite-version.ts';
import { storeFault } from './store-fault.ts';
import { transact } from './transaction.ts';
import { upgradeLog } from './upgrade-log.ts';
import { readWal, walDamage } from './verify-wal.ts';

export function openDatabase(file: string): DatabaseSync {
  refuseUnsafeSqlite();
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    makeWhenAbsent(file);
    const db = new DatabaseSync(file);
    // Freed space is wiped: no stale copy of an entry stays in the file, where a changed byte would mean nothing.
    db.exec('PRAGMA busy_timeout = 10000; PRAGMA secure_delete = ON');
    useWriteAhead(db);
    db.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${mostPages}`);
    if (versionOf(db) !== logFormat) prepareTables(db, file);
    return db;
  } catch (error) {
    throw storeFault(error);
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

function prepareTables(db: DatabaseSync, file: string): void {
  // Holds off others that write, or do the same.
  transact(db, () => {
    const version = versionOf(db);
    if (version === logFormat) return;
    checkWal(file);
    if (version > logFormat) throw fromTheFuture(version);
    if (version === 0) db.exec(tables);
    else upgradeLog(db, version);
    db.exec(`PRAGMA user_version = ${logFormat}`);
  });
}

/** A damaged write-ahead file hides entries, up to all of them: they must not be written over. */
function checkWal(file: string): void {
  const damage = runNow(walDamage(readWal(file)));
  if (damage === undefined) return;
  throw new ToolError(
    'LOG_DAMAGED',
    `The session log is damaged: ${damage.problem} To go on without what can't be read, open it once with the CodeLab that wrote it.`,
  );
}

function fromTheFuture(version: number): ToolError {
  return new ToolError(
    'LOG_DAMAGED',
    `The session log was written by another version of CodeLab (format ${version}). Use that version, or a newer one.`,
  );
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}
