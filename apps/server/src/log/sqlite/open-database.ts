// Opens the log's database: private to its user, write-ahead logged, with the tables it needs.
import { closeSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ToolError } from '@codelab/protocol';
import { runNow, useWriteAhead } from '@codelab/runtime';
import { blobKeys, changesFiles, originOf } from '../entries.ts';
import { mostPages } from './checkpoints.ts';
import { logFormat, tables, tablesFrom2, tablesFrom3 } from './log-format.ts';
import { prepareStatements, type Statements, storeFault, transact } from './statements.ts';
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

// Which SQLite the log may be trusted to.

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

// Brings a log of an older format to the present one. The entries stay as they are, and so do their hashes; what is kept beside them to
// find them faster is made from them, entry by entry, so that a log may be larger than the memory.
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

// The file of the session log, from the words a user gives for it.

/** Undefined means the home's own. `root` is the workspace, where it must not be: the tools could change their own record. */
export function logFile(words: string | undefined, root?: string): string | undefined {
  if (words === undefined || words === '') return undefined;
  const path = /^sqlite:(.+)$/s.exec(words)?.[1];
  if (path === undefined)
    throw invalid(
      `A session log is given as sqlite:PATH or nats://HOST:PORT, not as ${JSON.stringify(words)}.`,
    );
  const file = realPathOf(resolve(path));
  if (root !== undefined && isInside(root, file))
    throw invalid('The session log can not be inside the workspace: there its own tools could change it.');
  return file;
}

// The file, and folders above it, may not be there yet.
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPathOf(above), basename(path));
  }
}

function isInside(root: string, file: string): boolean {
  const way = relative(root, file);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function invalid(message: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', message, { field: 'log' });
}
