// The SQL of the log: its statements, its transactions, what their failures mean, and reading entries.
import { hash as hashOf } from 'node:crypto';
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type ReadOptions, type SessionEvent, ToolError } from '@codelab/protocol';
import { type BlobStore, beginInTurns, damagedLog, isDamage, limitFault, stateFault } from '@codelab/runtime';
import { readEvent, type StoredEntry } from '../entries.ts';

/** The log's SQL, each statement prepared when it is first used: a short-lived command needs only a few of them. */
const texts = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  full: 'PRAGMA synchronous = FULL',
  normal: 'PRAGMA synchronous = NORMAL',
  version: 'PRAGMA data_version',
  frames: 'PRAGMA wal_checkpoint(NOOP)',
  head: 'SELECT seq, hash, workspace FROM heads WHERE session = ?',
  open: 'INSERT INTO heads (session, seq, hash, opened_at, last_at, workspace, forked_from) VALUES (?, ?, ?, ?, ?, ?, ?)',
  advance: 'UPDATE heads SET seq = ?, hash = ?, last_at = ? WHERE session = ?',
  event: 'INSERT INTO events (session, seq, time, json, hash) VALUES (?, ?, ?, ?, ?)',
  use: 'INSERT INTO texts (key, uses) VALUES (?, 1) ON CONFLICT (key) DO UPDATE SET uses = uses + 1',
  change: 'INSERT INTO changes (workspace, at, session, seq) VALUES (?, ?, ?, ?)',
  start: 'INSERT OR IGNORE INTO running (session, call_id) VALUES (?, ?)',
  finish: 'DELETE FROM running WHERE session = ? AND call_id = ?',
  running:
    'SELECT running.session, call_id AS callId, heads.seq AS head FROM running JOIN heads ON heads.session = running.session WHERE workspace = ?',
  // Entries of a deleted session may still exist for a moment.
  read: `SELECT seq, time, json, hash FROM events WHERE session = ?1 AND seq > ?2 AND EXISTS (SELECT 1 FROM heads WHERE session = ?1)
    ORDER BY seq LIMIT ?3`,
  changed: `SELECT changes.session, changes.seq, at FROM changes CROSS JOIN heads ON heads.session = changes.session
    WHERE changes.workspace = ? AND at < ? ORDER BY at DESC LIMIT ?`,
  position: 'SELECT max(rowid) AS at FROM events',
  lastSeal: "SELECT at, json_extract(text, '$.time') AS time FROM seals ORDER BY n DESC LIMIT 1",
  firstSeal: 'SELECT n FROM seals LIMIT 1',
  sessions:
    'SELECT session AS id, seq, hash, opened_at, last_at, workspace FROM heads ORDER BY last_at DESC, session',
  // The entries of a waiting session end with its approvals, at most a group of calls.
  asking: `SELECT session FROM heads WHERE EXISTS (SELECT 1 FROM events WHERE events.session = heads.session
    AND events.seq > heads.seq - 64 AND json >= '{"type":"approval.requested"' AND json < '{"type":"approval.requested#')`,
  runningOf: 'SELECT call_id FROM running WHERE session = ? LIMIT 1',
  forkOf: 'SELECT session FROM heads WHERE forked_from = ? LIMIT 1',
  keepPosition: `INSERT INTO events (session, seq, time, json, hash) SELECT '', coalesce(max(rowid), 0) + 1, 0, '', '' FROM events`,
  dropPositions: `DELETE FROM events WHERE session = '' AND seq < (SELECT max(seq) FROM events WHERE session = '')`,
  forget: 'DELETE FROM heads WHERE session = ?',
  deletion:
    'INSERT INTO deletions (session, workspace) SELECT session, workspace FROM heads WHERE session = ?',
  deleted: 'SELECT session FROM deletions LIMIT 1',
  deletedFrom: 'SELECT workspace FROM deletions WHERE session = ?',
  oldest: 'SELECT rowid AS at, seq, json FROM events WHERE session = ? ORDER BY seq LIMIT 200',
  dropEvents: 'DELETE FROM events WHERE session = ? AND seq <= ?',
  dropChange: 'DELETE FROM changes WHERE workspace = ? AND at = ?',
  endDeletion: 'DELETE FROM deletions WHERE session = ?',
  release: 'UPDATE texts SET uses = uses - 1 WHERE key = ? AND uses > 0',
  unused: 'SELECT key FROM texts WHERE uses = 0 LIMIT 64',
  dropText: 'DELETE FROM texts WHERE key = ?',
  usesOf: 'SELECT uses FROM texts WHERE key = ?',
};

export type Statements = Readonly<Record<keyof typeof texts, StatementSync>>;

export function prepareStatements(db: DatabaseSync): Statements {
  const ready = {};
  for (const [name, text] of Object.entries(texts))
    Object.defineProperty(ready, name, {
      configurable: true,
      get() {
        const value = db.prepare(text);
        Object.defineProperty(ready, name, { value });
        return value;
      },
    });
  return ready as Statements;
}

// Transactions of the log: whole or without a trace.

/** How long to wait for other writers. */
export const longestWaitMs = 10_000;

/** Blocks all other writers while it works, and the event loop until they are done: only for a start or an end. */
export function transact<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  return endWith(db, work);
}

/** The same, with turns for other work until it can begin. */
export async function transactInTurns<T>(db: DatabaseSync, work: () => T): Promise<T> {
  return await beginInTurns(db, longestWaitMs, () => endWith(db, work));
}

function endWith<T>(db: DatabaseSync, work: () => T): T {
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

/** A full or broken disk may have ended the transaction already, and its error is the one to report. */
export function rollBack(db: DatabaseSync): void {
  if (db.isTransaction) db.exec('ROLLBACK');
}

/** SQLite's result codes as ours. */
export function storeFault(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof ToolError) return error;
  const limited = limitFault(error);
  if (limited !== undefined) return limited;
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
  if (code === 13)
    return new ToolError(
      'NO_SPACE',
      'No space is left for the session log, on the disk of the state folder ($CODELAB_HOME). Free some there, or move what you need out of its folder `trash`, which holds deleted files for undo; nothing was acknowledged.',
    );
  if (isDamage(error)) return damagedLog(error, file);
  const found = stateFault(error, dirname(file));
  if (found !== undefined) return found;
  if (code !== undefined)
    return new ToolError('IO_ERROR', `The session log can't be used: ${error.message}.`);
  if ('syscall' in error && /^f(data)?sync$/.test(String(error.syscall)))
    return new ToolError(
      'IO_ERROR',
      `The disk does not confirm that the session log was written: ${error.message}. Look at the system log, then try again.`,
    );
  if ('syscall' in error)
    return new ToolError('IO_ERROR', `The session log can't be opened: ${error.message}.`);
  return error;
}

type Store = { sql: Statements; readonly blobs: BlobStore; heads: KnownHeads };

/** Reads the entries of a session with their long texts, no more than requested. */
export function readEvents(store: Store): (session: string, options: ReadOptions) => SessionEvent[] {
  const { sql, heads } = store;
  return (session, options) => {
    if (heads.isLast(session, options.since ?? 0)) return [];
    try {
      return readRows(store, session, options);
    } catch (error) {
      // Deleted by another process while it was read: its texts were gone first.
      if (error instanceof ToolError && sql.head.get(session) === undefined) return [];
      throw error;
    }
  };
}

function readRows(
  store: Store,
  session: string,
  { since = 0, limit = -1, maxChars }: ReadOptions,
): SessionEvent[] {
  const events: SessionEvent[] = [];
  let chars = 0;
  // Reading all rows in one call is faster where all are needed.
  const way = maxChars === undefined ? 'all' : 'iterate';
  const rows = store.sql.read[way](session, since, limit) as Iterable<StoredEntry>;
  for (const { seq, time, json, hash } of rows) {
    chars += json.length;
    const body = readEvent(json, (key) => {
      const text = longText(store.blobs, key);
      chars += text.length;
      return text;
    });
    if (maxChars !== undefined && chars > maxChars && events.length > 0) break;
    events.push({ session, seq, time, hash, body });
  }
  return events;
}

export function longText(blobs: BlobStore, key: string): string {
  const bytes = blobs.get(key);
  if (bytes !== undefined && hashOf('sha256', bytes, 'hex') === key) return bytes.toString('utf8');
  throw new ToolError('LOG_DAMAGED', `A text of the session log is missing or was changed (${key}).`);
}

/** The last entries of sessions that this process has written itself, so that a check for news costs almost nothing. */
const maxKnown = 10_000;

export type KnownHeads = {
  /** Whether this is the last entry, whichever process wrote it. */
  isLast(session: string, seq: number): boolean;
  note(heads: ReadonlyMap<string, number>): void;
  forget(session: string): void;
};

export function createKnownHeads(sql: Statements): KnownHeads {
  const known = new Map<string, number>();
  let version: unknown;
  return {
    isLast(session, seq) {
      if (known.get(session) !== seq) return false;
      // SQLite changes this number when another connection has written; the cached data is as old as the cached number, or newer.
      const now = sql.version.get()?.data_version;
      if (now === version) return true;
      version = now;
      known.clear();
      return false;
    },
    note(heads) {
      if (known.size > maxKnown) known.clear();
      for (const [session, seq] of heads) known.set(session, seq);
    },
    forget: (session) => void known.delete(session),
  };
}
