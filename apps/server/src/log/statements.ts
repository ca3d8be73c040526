// The log's SQL, each statement prepared when it is first used: a short-lived command needs only a few of them.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isChange } from './changes-index.ts';

const texts = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  full: 'PRAGMA synchronous = FULL',
  normal: 'PRAGMA synchronous = NORMAL',
  version: 'PRAGMA data_version',
  head: 'SELECT seq, hash FROM sessions WHERE id = ?',
  open: 'INSERT INTO sessions (id, seq, hash, opened_at, last_at, workspace) VALUES (?, ?, ?, ?, ?, ?)',
  advance: 'UPDATE sessions SET seq = ?, hash = ?, last_at = ? WHERE id = ?',
  event: 'INSERT INTO events (session, seq, time, json, hash) VALUES (?, ?, ?, ?, ?)',
  start: 'INSERT OR IGNORE INTO running (session, call_id) VALUES (?, ?)',
  finish: 'DELETE FROM running WHERE session = ? AND call_id = ?',
  running:
    'SELECT session, call_id AS callId FROM running JOIN sessions ON sessions.id = running.session WHERE sessions.workspace = ?',
  read: 'SELECT seq, time, json, hash FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?',
  changed: `SELECT session, events.seq FROM events JOIN sessions ON sessions.id = events.session WHERE workspace = ?
    AND ${isChange} ORDER BY time DESC, events.seq DESC LIMIT ?`,
  sessions: 'SELECT id, seq, hash, opened_at, last_at, workspace FROM sessions ORDER BY last_at DESC, id',
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
