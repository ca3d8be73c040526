// The calls that changed files are found by an index of their own; logs from before it get it when they are opened.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EventBody } from '@codelab/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteLog } from './sqlite-log.ts';
import { prepareStatements } from './statements.ts';

let home: string;
let file: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'codelab-'));
  file = join(home, 'sessions.db');
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

function finished(n: number, isChange: boolean): EventBody {
  const state = { type: 'file' as const, hash: 'a'.repeat(64), mode: 0o644 };
  const effects = isChange ? [{ op: 'create', path: `f${n}`, after: state }] : [];
  const outcome = {
    status: 'completed',
    callId: `c${n}`,
    tool: 'write_file',
    data: { text: '"effects":[{' },
    effects,
  };
  return { type: 'call.finished', callId: `c${n}`, outcome } as unknown as EventBody;
}

async function fill(workspace: string): Promise<{ session: string; seq: number }[]> {
  const log = openSqliteLog(home);
  const bodies = Array.from({ length: 60 }, (_, n) => finished(n, n % 20 === 0));
  await log.append('s1', [{ type: 'session.opened', workspace }, ...bodies], { expected: 0 });
  await log.append('s2', [{ type: 'session.opened', workspace: '/other' }, finished(0, true)], {
    expected: 0,
  });
  const changed = await log.changed(workspace, 10);
  await log.close();
  return changed;
}

const changedCalls = [42, 22, 2].map((seq) => ({ session: 's1', seq }));

function planOf(db: DatabaseSync): string[] {
  const text = prepareStatements(db).changed.sourceSQL;
  return db
    .prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all('/w', 10)
    .map(({ detail }) => String(detail));
}

test('they are looked up, newest first, without going through the others or sorting', async () => {
  expect(await fill('/w')).toEqual(changedCalls);
  const db = new DatabaseSync(file);
  expect(planOf(db)).toEqual(['SCAN events USING INDEX changes', 'SEARCH sessions USING PRIMARY KEY (id=?)']);
  // The same when SQLite has counted what there is.
  db.exec('ANALYZE');
  expect(planOf(db)[0]).toBe('SCAN events USING INDEX changes');
  db.close();
});

test('a log of the format before has all it had, can be verified, and is fast from then on', async () => {
  await fill('/w');
  const db = new DatabaseSync(file);
  db.exec('DROP INDEX changes; PRAGMA user_version = 1');
  const before = db.prepare('SELECT * FROM events').all();
  db.close();
  // Two that open it at the same time both find it done.
  const [log, other] = [openSqliteLog(home), openSqliteLog(home)];
  expect(log.verify()).toBeUndefined();
  expect(await other.changed('/w', 10)).toEqual(changedCalls);
  await log.append('s1', [finished(99, true)], { expected: 61 });
  expect(await other.changed('/w', 1)).toEqual([{ session: 's1', seq: 62 }]);
  expect(other.verify()).toBeUndefined();
  await log.close();
  await other.close();
  const after = new DatabaseSync(file);
  expect(after.prepare('SELECT * FROM events WHERE NOT (session = ? AND seq = 62)').all('s1')).toEqual(
    before,
  );
  expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 });
  after.close();
});

test('an entry that the index lost is found by the proof', async () => {
  await fill('/w');
  // Known to Node, not yet to its types: otherwise the schema can't be changed.
  const undefended: object = { defensive: false };
  const db = new DatabaseSync(file, undefended);
  db.exec(`DROP INDEX changes; CREATE INDEX changes ON events (time, seq, session) WHERE seq < 10;
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, 'seq < 10', 'seq < 30') WHERE name = 'changes'`);
  db.close();
  const log = openSqliteLog(home);
  expect(log.verify()).toMatchObject({ problem: expect.stringContaining('changes') });
  await log.close();
});

test('a log of a later format is refused and left alone', async () => {
  await fill('/w');
  const db = new DatabaseSync(file);
  db.exec('PRAGMA user_version = 3');
  expect(() => openSqliteLog(home)).toThrow('written by another version of CodeLab (format 3)');
  expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 3 });
  db.close();
});
