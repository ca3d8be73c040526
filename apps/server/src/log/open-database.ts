// Opens the log's database: private to its user, write-ahead logged, with the tables it needs.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ToolError } from '@codelab/protocol';
import { changesIndex } from './changes-index.ts';
import { rollBack } from './roll-back.ts';
import { verifyWal } from './verify-wal.ts';

const schemaVersion = 2;

const tables = `
  CREATE TABLE sessions (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash TEXT NOT NULL, opened_at INTEGER NOT NULL, last_at INTEGER NOT NULL, workspace TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE events (session TEXT NOT NULL, seq INTEGER NOT NULL, time INTEGER NOT NULL, json TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (session, seq));
  CREATE TABLE running (session TEXT NOT NULL, call_id TEXT NOT NULL, PRIMARY KEY (session, call_id)) WITHOUT ROWID;
`;

export function openDatabase(file: string): DatabaseSync {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, 'a', 0o600));
    const db = new DatabaseSync(file);
    // Folding the write-ahead file in is two syncs that a call has to wait for: not after every hundredth.
    // Freed space is wiped: no stale copy of an entry stays in the file, where a changed byte would mean nothing.
    db.exec(
      'PRAGMA busy_timeout = 10000; PRAGMA secure_delete = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000',
    );
    prepareTables(db, file);
    return db;
  } catch (error) {
    throw storeFault(error);
  }
}

function prepareTables(db: DatabaseSync, file: string): void {
  if (versionOf(db) === schemaVersion) return;
  // Holds off others that write, or do the same.
  db.exec('BEGIN IMMEDIATE');
  try {
    const version = versionOf(db);
    if (version !== schemaVersion) {
      checkWal(file);
      if (version > schemaVersion) throw fromTheFuture(version);
      if (version === 0) db.exec(tables);
      // The entries stay as they are, and so do their hashes.
      db.exec(`${changesIndex} PRAGMA user_version = ${schemaVersion};`);
    }
    db.exec('COMMIT');
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

/** A damaged write-ahead file hides entries, up to all of them: they must not be written over. */
function checkWal(file: string): void {
  const damage = verifyWal(`${file}-wal`);
  if (damage !== undefined) throw new ToolError('LOG_DAMAGED', `The session log is damaged: ${damage}`);
}

function fromTheFuture(version: number): ToolError {
  return new ToolError(
    'LOG_DAMAGED',
    `The session log was written by another version of CodeLab (format ${version}).`,
  );
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}

/** SQLite's result codes as ours. */
export function storeFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ToolError) return error;
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
  if (code === 13)
    return new ToolError(
      'NO_SPACE',
      'No space is left for the session log. Free some; nothing was acknowledged.',
    );
  if (code === 11 || code === 26)
    return new ToolError(
      'LOG_DAMAGED',
      `The session log is damaged: ${error.message}. \`codelab audit verify\` says where.`,
    );
  if (code !== undefined)
    return new ToolError('IO_ERROR', `The session log can't be used: ${error.message}.`);
  if ('syscall' in error)
    return new ToolError('IO_ERROR', `The session log can't be opened: ${error.message}.`);
  return error;
}
