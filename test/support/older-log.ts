// Reverts a log to the format of an older CodeLab.
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { keyFolder } from '@codelab/runtime';
import { noteFile } from '../../apps/server/src/log/seals/seal-note.ts';

const isChange = `json LIKE '{"type":"call.finished"%' AND json LIKE '%"effects":[{%'`;

export function makeOlder(file: string, format: 1 | 2 | 3, keys = keyFolder()): void {
  using db = new DatabaseSync(file);
  db.exec(`DROP TABLE seals; PRAGMA user_version = ${format}`);
  rmSync(noteFile(keys, file), { force: true });
  if (format === 3) return;
  db.exec(`
    CREATE TABLE sessions (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash TEXT NOT NULL, opened_at INTEGER NOT NULL, last_at INTEGER NOT NULL, workspace TEXT NOT NULL) WITHOUT ROWID;
    INSERT INTO sessions SELECT session, seq, hash, opened_at, last_at, workspace FROM heads;
    DROP TABLE heads; DROP TABLE changes; DROP TABLE texts; DROP TABLE deletions;
    DELETE FROM events WHERE session = '';
  `);
  if (format === 2) db.exec(`CREATE INDEX changes ON events (time, seq, session) WHERE ${isChange}`);
}
