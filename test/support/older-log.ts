// Takes a log back to what an older CodeLab would have written.
import { DatabaseSync } from 'node:sqlite';

const isChange = `json LIKE '{"type":"call.finished"%' AND json LIKE '%"effects":[{%'`;

export function makeOlder(file: string, format: 1 | 2): void {
  using db = new DatabaseSync(file);
  db.exec(`
    CREATE TABLE sessions (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash TEXT NOT NULL, opened_at INTEGER NOT NULL, last_at INTEGER NOT NULL, workspace TEXT NOT NULL) WITHOUT ROWID;
    INSERT INTO sessions SELECT session, seq, hash, opened_at, last_at, workspace FROM heads;
    DROP TABLE heads; DROP TABLE changes; DROP TABLE texts; DROP TABLE deletions;
    DELETE FROM events WHERE session = '';
    PRAGMA user_version = ${format};
  `);
  if (format === 2) db.exec(`CREATE INDEX changes ON events (time, seq, session) WHERE ${isChange}`);
}
