// The session log in SQLite: one transaction per append, the sequence checked inside it, decisions and starts synced to disk.
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  type AppendOptions,
  type EventBody,
  type Head,
  type SessionEvent,
  type SessionLog,
  type SessionSummary,
  ToolError,
} from '@codelab/protocol';
import { type BlobStore, createBlobStore } from '@codelab/runtime';
import { type ChangeSignal, createChangeSignal } from './change-signal.ts';
import { deleteSession } from './delete-session.ts';
import { readEvent, writeEvent } from './event-text.ts';
import { chainHash, chainStart } from './hash-chain.ts';
import { openDatabase, storeFault } from './open-database.ts';
import { type Damage, verifyLog } from './verify-log.ts';

export type SqliteLog = SessionLog & {
  /** The first damage of one session, or of any. */
  verify(session?: string): Damage | undefined;
  /**
   * For a process that is about to end: while it is small, the write-ahead file is left to the next one, since folding it in costs
   * two syncs. A large one would be read again at every start, and folded in at every commit.
   */
  leave(): void;
};

const leftBytes = 256 * 1024;

type EventRow = { seq: number; time: number; json: string; hash: string };

export function openSqliteLog(home: string): SqliteLog {
  const file = join(home, 'sessions.db');
  const db = openDatabase(file);
  const blobs = createBlobStore(join(home, 'blobs'));
  const changes = createChangeSignal(home);
  const sql = prepare(db);

  function append(
    session: string,
    bodies: readonly EventBody[],
    { expected, durable = false }: AppendOptions,
  ): SessionEvent[] {
    try {
      // Long texts are kept before the entry that refers to them: a crash in between leaves one nobody refers to.
      const texts = bodies.map((body) => writeEvent(body, (text) => blobs.put(text, { durable })));
      if (durable) sql.full.run();
      sql.begin.run();
      try {
        const events = insert(sql, session, bodies, texts, expected);
        sql.commit.run();
        return events;
      } catch (error) {
        if (db.isTransaction) sql.rollback.run();
        throw error;
      }
    } catch (error) {
      throw storeFault(error);
    } finally {
      if (durable) sql.normal.run();
    }
  }

  function read(session: string, since: number, limit: number): SessionEvent[] {
    const rows = sql.read.all(session, since, limit) as EventRow[];
    return rows.map(({ seq, time, json, hash }) => ({
      session,
      seq,
      time,
      hash,
      body: readEvent(json, (key) => longText(blobs, key)),
    }));
  }

  return {
    async append(session, bodies, options) {
      const events = append(session, bodies, options);
      changes.tell();
      return events;
    },
    read: async (session, { since = 0, limit = -1 } = {}) => read(session, since, limit),
    subscribe: (session, { since, signal }) =>
      follow(changes, (last) => read(session, last, -1), since, signal),
    unfinished: async (workspace) => sql.running.all(workspace) as { session: string; callId: string }[],
    changed: async (workspace, limit) =>
      sql.changed.all(workspace, limit) as { session: string; seq: number }[],
    sessions: async () => (sql.sessions.all() as SessionRow[]).map(summary),
    delete: async (session) => deleteSession({ db, blobs, changes }, session),
    verify: (session) => verifyLog({ db, file, blobs }, session),
    leave() {
      changes.close();
      if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > leftBytes) db.close();
    },
    async close() {
      changes.close();
      db.close();
    },
  };
}

async function* follow(
  changes: ChangeSignal,
  readAfter: (seq: number) => SessionEvent[],
  since: number,
  signal: AbortSignal,
): AsyncGenerator<SessionEvent> {
  using watch = changes.watch();
  for (let last = since; !signal.aborted; ) {
    // Listened for before it is looked: what is appended in between is not missed.
    const next = watch.next(signal);
    const events = readAfter(last);
    yield* events;
    last = events.at(-1)?.seq ?? last;
    if (events.length === 0) await next;
  }
}

function longText(blobs: BlobStore, key: string): string {
  const bytes = blobs.get(key);
  if (bytes !== undefined && hash('sha256', bytes, 'hex') === key) return bytes.toString('utf8');
  throw new ToolError('LOG_DAMAGED', `A text of the session log is missing or was changed (${key}).`);
}

type Statements = Record<
  | 'begin'
  | 'commit'
  | 'rollback'
  | 'full'
  | 'normal'
  | 'head'
  | 'open'
  | 'advance'
  | 'event'
  | 'start'
  | 'finish'
  | 'running'
  | 'read'
  | 'changed'
  | 'sessions',
  StatementSync
>;

// Prepared when first used: a short-lived command needs only a few of them.
function prepare(db: DatabaseSync): Statements {
  const texts: Record<keyof Statements, string> = {
    begin: 'BEGIN IMMEDIATE',
    commit: 'COMMIT',
    rollback: 'ROLLBACK',
    full: 'PRAGMA synchronous = FULL',
    normal: 'PRAGMA synchronous = NORMAL',
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
      AND json LIKE '{"type":"call.finished"%' AND json LIKE '%"effects":[{%' ORDER BY time DESC, events.seq DESC LIMIT ?`,
    sessions: 'SELECT id, seq, hash, opened_at, last_at, workspace FROM sessions ORDER BY last_at DESC, id',
  };
  const ready: Partial<Statements> = {};
  return new Proxy(ready as Statements, {
    get: (_target, name: keyof Statements) => (ready[name] ??= db.prepare(texts[name])),
  });
}

function insert(
  sql: Statements,
  session: string,
  bodies: readonly EventBody[],
  texts: readonly string[],
  expected: number,
): SessionEvent[] {
  const head = (sql.head.get(session) as Head | undefined) ?? { seq: 0, hash: chainStart };
  if (head.seq !== expected)
    throw new ToolError('LOG_CONFLICT', `The log of ${session} is at ${head.seq}, not at ${expected}.`);
  const time = Date.now();
  let { seq, hash } = head;
  const events = bodies.map((body, i): SessionEvent => {
    const json = texts[i] ?? '';
    seq++;
    hash = chainHash(hash, { session, seq, time, json });
    sql.event.run(session, seq, time, json, hash);
    if (body.type === 'call.started') sql.start.run(session, body.callId);
    if (body.type === 'call.finished') sql.finish.run(session, body.callId);
    return { session, seq, time, hash, body };
  });
  const [first] = bodies;
  const workspace = first?.type === 'session.opened' ? first.workspace : '';
  if (expected === 0) sql.open.run(session, seq, hash, time, time, workspace);
  else sql.advance.run(seq, hash, time, session);
  return events;
}

type SessionRow = {
  id: string;
  seq: number;
  hash: string;
  opened_at: number;
  last_at: number;
  workspace: string;
};

function summary(row: SessionRow): SessionSummary {
  return {
    id: row.id,
    head: { seq: row.seq, hash: row.hash },
    openedAt: row.opened_at,
    lastAt: row.last_at,
    workspace: row.workspace,
  };
}
