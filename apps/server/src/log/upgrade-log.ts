// Brings a log of an older format to the present one. The entries stay as they are, and so do their hashes; what is kept beside them to
// find them faster is made from them, entry by entry, so that a log may be larger than the memory.
import type { DatabaseSync } from 'node:sqlite';
import { blobKeys } from './event-text.ts';
import { tablesFrom2, tablesFrom3 } from './log-format.ts';
import { changesFiles, originOf } from './look-aside.ts';
import { prepareStatements, type Statements } from './statements.ts';

type Row = { at: number; session: string; seq: number; json: string; workspace: string };

/** Within the caller's transaction. */
export function upgradeLog(db: DatabaseSync, version: number): void {
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
