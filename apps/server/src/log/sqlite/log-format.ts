// The tables of the log, format 4, and the migration of older formats.
import type { DatabaseSync } from 'node:sqlite';
import { ToolError } from '@codelab/protocol';
import { runNow } from '@codelab/runtime';
import { blobKeys, changesFiles, originOf } from '../entries.ts';
import { sealTables } from '../seals/seal.ts';
import { prepareStatements, type Statements, transact } from './statements.ts';
import { readWal, walDamage } from './verify-wal.ts';

export const logFormat = 4;

// `heads`: the last entry of each session. `changes`: the calls that changed files; `at` is the row of the entry, and rows are numbered in
// append order, whatever the clock. `texts`: the number of references to each separately stored text. `deletions`: deleted sessions whose
// entries are still to be removed. One row of `events` may belong to no session, '': it keeps the numbering from going back when the latest
// entries are removed.
const newTables = `
  CREATE TABLE heads (session TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash TEXT NOT NULL, opened_at INTEGER NOT NULL, last_at INTEGER NOT NULL, workspace TEXT NOT NULL, forked_from TEXT) WITHOUT ROWID;
  CREATE INDEX forks ON heads (forked_from) WHERE forked_from IS NOT NULL;
  CREATE TABLE changes (workspace TEXT NOT NULL, at INTEGER NOT NULL, session TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (workspace, at)) WITHOUT ROWID;
  CREATE TABLE texts (key TEXT PRIMARY KEY, uses INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX unused_texts ON texts (key) WHERE uses = 0;
  CREATE TABLE deletions (session TEXT PRIMARY KEY, workspace TEXT NOT NULL) WITHOUT ROWID;
`;

const tables = `
  CREATE TABLE events (session TEXT NOT NULL, seq INTEGER NOT NULL, time INTEGER NOT NULL, json TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (session, seq));
  CREATE TABLE running (session TEXT NOT NULL, call_id TEXT NOT NULL, PRIMARY KEY (session, call_id)) WITHOUT ROWID;
  ${newTables}
  ${sealTables}
`;

// An older CodeLab with the log open would continue without counting references: without the table `sessions` each of its appends fails
// instead.
const tablesFrom2 = `
  DROP INDEX IF EXISTS changes;
  ${newTables}
  INSERT INTO heads SELECT id, seq, hash, opened_at, last_at, workspace, NULL FROM sessions;
  DROP TABLE sessions;
`;

const tablesFrom3 = sealTables;

export function prepareTables(db: DatabaseSync, file: string): void {
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
    `The session log is damaged: ${damage.problem} To continue without the unreadable entries, open it once with the CodeLab version that wrote it.`,
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

// Migrates a log of an older format. The entries and their hashes stay as they are; the indexes beside them are built entry by entry, so
// that a log may be larger than the memory.
type Row = { at: number; session: string; seq: number; json: string; workspace: string };

/** Within the caller's transaction. */
function upgradeLog(db: DatabaseSync, version: number): void {
  if (version < 3) upgradeFrom2(db);
  db.exec(tablesFrom3);
}

function upgradeFrom2(db: DatabaseSync): void {
  db.exec(tablesFrom2);
  const sql = prepareStatements(db);
  noteForks(db);
  const rows = db.prepare(
    `SELECT events.rowid AS at, events.session, events.seq, json, workspace FROM events
      CROSS JOIN heads ON heads.session = events.session`,
  );
  for (const row of rows.iterate() as Iterable<Row>) noteRow(sql, row);
}

function noteRow(sql: Statements, { at, session, seq, json, workspace }: Row): void {
  for (const key of blobKeys(json)) sql.use.run(key);
  if (!json.startsWith('{"type":"call.finished"')) return;
  if (changesFiles(JSON.parse(json))) sql.change.run(workspace, at, session, seq);
}

function noteForks(db: DatabaseSync): void {
  const first = db.prepare(
    `SELECT heads.session, json FROM heads CROSS JOIN events ON events.session = heads.session AND events.seq = 1
      WHERE instr(json, '"forkedFrom"') > 0`,
  );
  const note = db.prepare('UPDATE heads SET forked_from = ? WHERE session = ?');
  const forks = (first.all() as Pick<Row, 'session' | 'json'>[]).map(({ session, json }) => ({
    session,
    origin: originOf(JSON.parse(json)),
  }));
  for (const { session, origin } of forks) if (origin !== undefined) note.run(origin, session);
}
