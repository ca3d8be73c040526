// Takes a session out of the log, with the long texts that only it refers to.
import type { DatabaseSync } from 'node:sqlite';
import { ToolError } from '@codelab/protocol';
import type { BlobStore } from '@codelab/runtime';
import type { ChangeSignal } from './change-signal.ts';
import { blobKeys } from './event-text.ts';
import { rollBack } from './roll-back.ts';

type Store = { db: DatabaseSync; blobs: BlobStore; changes: ChangeSignal };

export function deleteSession({ db, blobs, changes }: Store, session: string): void {
  db.exec('BEGIN IMMEDIATE');
  let texts: string[];
  try {
    checkUnused(db, session);
    const rows = db.prepare('SELECT json FROM events WHERE session = ?').all(session) as { json: string }[];
    texts = [...new Set(rows.flatMap(({ json }) => blobKeys(json)))];
    for (const table of ['events', 'running'])
      db.prepare(`DELETE FROM ${table} WHERE session = ?`).run(session);
    db.prepare('DELETE FROM sessions WHERE id = ?').run(session);
    db.exec('COMMIT');
  } catch (error) {
    rollBack(db);
    throw error;
  }
  const used = db.prepare(`SELECT 1 FROM events WHERE json LIKE '%' || ? || '%' LIMIT 1`);
  changes.tell();
  for (const key of texts) if (used.get(key) === undefined) blobs.remove(key);
}

function checkUnused(db: DatabaseSync, session: string): void {
  const running = db.prepare('SELECT call_id FROM running WHERE session = ? LIMIT 1').get(session);
  if (running !== undefined)
    throw new ToolError('STALE', `A call of ${session} is still running. End it first.`);
  const fork = db
    .prepare(
      `SELECT session FROM events WHERE seq = 1 AND json LIKE '%"forkedFrom":{"session":' || ? || ',%' LIMIT 1`,
    )
    .get(JSON.stringify(session));
  if (fork !== undefined)
    throw new ToolError(
      'STALE',
      `${String(fork.session)} was forked from ${session} and needs it. Delete that one first.`,
    );
}
