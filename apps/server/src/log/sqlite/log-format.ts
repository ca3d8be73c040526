// The tables of the log, format 4.
import { sealTables } from '../seals/seal.ts';

export const logFormat = 4;

// `heads`: where each session stands. `changes`: the calls that changed files; `at` is the row of the entry, and rows are numbered as
// they are appended, whatever the clock does. `texts`: how many references entries make to each text kept apart. `deletions`:
// sessions that are gone, whose entries are still to be removed. One row of `events` may belong to no session, '': it keeps the numbering
// from going back when the latest entries are removed.
const newTables = `
  CREATE TABLE heads (session TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash TEXT NOT NULL, opened_at INTEGER NOT NULL, last_at INTEGER NOT NULL, workspace TEXT NOT NULL, forked_from TEXT) WITHOUT ROWID;
  CREATE INDEX forks ON heads (forked_from) WHERE forked_from IS NOT NULL;
  CREATE TABLE changes (workspace TEXT NOT NULL, at INTEGER NOT NULL, session TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (workspace, at)) WITHOUT ROWID;
  CREATE TABLE texts (key TEXT PRIMARY KEY, uses INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX unused_texts ON texts (key) WHERE uses = 0;
  CREATE TABLE deletions (session TEXT PRIMARY KEY, workspace TEXT NOT NULL) WITHOUT ROWID;
`;

export const tables = `
  CREATE TABLE events (session TEXT NOT NULL, seq INTEGER NOT NULL, time INTEGER NOT NULL, json TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (session, seq));
  CREATE TABLE running (session TEXT NOT NULL, call_id TEXT NOT NULL, PRIMARY KEY (session, call_id)) WITHOUT ROWID;
  ${newTables}
  ${sealTables}
`;

// A process of an older CodeLab that has the log open would go on without counting what it refers to: without the table `sessions`
// every append of it fails instead.
export const tablesFrom2 = `
  DROP INDEX IF EXISTS changes;
  ${newTables}
  INSERT INTO heads SELECT id, seq, hash, opened_at, last_at, workspace, NULL FROM sessions;
  DROP TABLE sessions;
`;

export const tablesFrom3 = sealTables;
