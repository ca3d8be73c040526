// The least that a record costs: entries in SQLite, each with the hash of the one before, and a sync where the disk must have them.
import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

export function openRecord(file) {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  db.exec('CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, time INT, json TEXT, hash TEXT)');
  db.exec('DELETE FROM events');
  const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?)');
  let last = '';
  let seq = 0;
  return {
    append(entries, { isSynced = false } = {}) {
      if (isSynced) db.exec('PRAGMA synchronous = FULL');
      db.exec('BEGIN IMMEDIATE');
      for (const entry of entries) {
        const json = JSON.stringify(entry);
        last = hash('sha256', `${last}${json}`);
        insert.run(++seq, Date.now(), json, last);
      }
      db.exec('COMMIT');
      if (isSynced) db.exec('PRAGMA synchronous = NORMAL');
    },
  };
}
