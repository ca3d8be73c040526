// The calls that changed files are found in the order they were appended, whatever the clock said, without going through all others.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ChangedAt, EventBody } from '@codelab/protocol';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openChanges } from '../../apps/server/src/http/changes/open-changes.ts';
import { openSqliteLog } from '../../apps/server/src/log/sqlite/sqlite-log.ts';
import { prepareStatements } from '../../apps/server/src/log/sqlite/statements.ts';
import { makeOlder } from '../support/older-log.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { workbench } from '../support/workbench.ts';

let scratch: ReturnType<typeof scratchFolder>;
let home: string;
let file: string;

beforeEach(() => {
  scratch = scratchFolder();
  home = scratch.home;
  file = join(home, 'sessions.db');
});

afterEach(() => {
  vi.useRealTimers();
  scratch[Symbol.dispose]();
});

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

async function fill(workspace: string): Promise<ChangedAt[]> {
  const log = openSqliteLog(home);
  const bodies = Array.from({ length: 60 }, (_, n) => finished(n, n % 20 === 0));
  await log.append('s1', [{ type: 'session.opened', workspace }, ...bodies], { expected: 0 });
  const forkedFrom = { session: 's1', seq: 2 };
  const other = [{ type: 'session.opened' as const, workspace: '/other', forkedFrom }, finished(0, true)];
  const long: EventBody = { type: 'session.titled', title: 'x'.repeat(50_000) };
  await log.append('s2', [...other, long, long], { expected: 0 });
  const changed = await log.changed(workspace, 10);
  await log.close();
  return changed;
}

const changedCalls = [42, 22, 2].map((seq) => ({ session: 's1', seq, at: seq }));

function planOf(db: DatabaseSync): string[] {
  const text = prepareStatements(db).changed.sourceSQL;
  return db
    .prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all('/w', 10)
    .map(({ detail }) => String(detail));
}

test('they are looked up, the latest first, without going through the others or sorting', async () => {
  expect(await fill('/w')).toEqual(changedCalls);
  using db = new DatabaseSync(file);
  const plan = [
    'SEARCH changes USING PRIMARY KEY (workspace=? AND at<?)',
    'SEARCH heads USING PRIMARY KEY (session=?)',
  ];
  expect(planOf(db)).toEqual(plan);
  // The same when SQLite has counted what there is.
  db.exec('ANALYZE');
  expect(planOf(db)).toEqual(plan);
});

describe('the clock goes back', () => {
  test('and the latest append is still the latest', async () => {
    const log = openSqliteLog(home);
    vi.useFakeTimers({ toFake: ['Date'], now: 2_000_000_000_000 });
    await log.append('a', [{ type: 'session.opened', workspace: '/w' }, finished(1, true)], { expected: 0 });
    const before = await log.position();
    vi.setSystemTime(1_999_000_000_000);
    await log.append('b', [{ type: 'session.opened', workspace: '/w' }, finished(2, true)], { expected: 0 });
    await log.append('a', [finished(3, true)], { expected: 2 });
    const changed = await log.changed('/w', 10);
    expect(changed.map(({ session, seq }) => `${session}${seq}`)).toEqual(['a3', 'b2', 'a2']);
    expect(changed.map(({ at }) => at > before)).toEqual([true, true, false]);
    expect(log.verify()).toBeUndefined();
    await log.close();
  });

  test('and undo takes back the latest change, not the one with the latest time', async () => {
    await using bench = await workbench({ files: { 'f.txt': 'f\n', 'g.txt': 'g\n' }, mode: 'trusted' });
    const hour = 3_600_000;
    const now = Date.now();
    await bench.call('write_file', { path: 'f.txt', content: 'F\n' });
    vi.useFakeTimers({ toFake: ['Date'], now: now - hour });
    await bench.call('write_file', { path: 'g.txt', content: 'G\n' });
    const { standing } = await openChanges(bench.host).index();
    expect(standing.map(({ groups }) => groups.flat().map(({ path }) => path))).toEqual([
      ['g.txt'],
      ['f.txt'],
    ]);
    expect(await bench.call('undo', {})).toMatchObject({
      status: 'completed',
      effects: [{ path: 'g.txt' }],
    });
  });
});

test('a position does not come again when the latest entries are deleted', async () => {
  const log = openSqliteLog(home);
  await log.append('a', [{ type: 'session.opened', workspace: '/w' }, finished(1, true)], { expected: 0 });
  await log.append('b', [{ type: 'session.opened', workspace: '/w' }, finished(2, true)], { expected: 0 });
  const before = await log.position();
  await log.delete('b');
  expect(await log.changed('/w', 10)).toMatchObject([{ session: 'a' }]);
  await log.append('c', [{ type: 'session.opened', workspace: '/w' }, finished(3, true)], { expected: 0 });
  const [latest] = await log.changed('/w', 1);
  expect(latest).toMatchObject({ session: 'c', seq: 2 });
  expect(latest?.at).toBeGreaterThan(before);
  expect(log.verify()).toBeUndefined();
  await log.close();
});

test.each([1, 2, 3] as const)(
  'a log of format %i has all it had, can be verified, and counts from then on',
  async (format) => {
    await fill('/w');
    makeOlder(file, format);
    const before = rows('SELECT * FROM events');
    // Two that open it at the same time both find it done.
    const [log, other] = [openSqliteLog(home), openSqliteLog(home)];
    expect(log.verify()).toBeUndefined();
    expect(await other.changed('/w', 10)).toEqual(changedCalls);
    expect(rows('SELECT uses FROM texts')).toEqual([{ uses: 2 }]);
    await expect(log.delete('s1')).rejects.toThrow('s2 was forked from s1');
    await log.append('s1', [finished(99, true)], { expected: 61 });
    expect(await other.changed('/w', 1)).toMatchObject([{ session: 's1', seq: 62 }]);
    expect(other.verify()).toBeUndefined();
    await log.close();
    await other.close();
    expect(rows(`SELECT * FROM events WHERE NOT (session = 's1' AND seq = 62)`)).toEqual(before);
    expect(rows('PRAGMA user_version')).toEqual([{ user_version: 4 }]);
  },
);

test('a process of an older format that has the log open can append no more', async () => {
  await fill('/w');
  makeOlder(file, 2);
  using older = new DatabaseSync(file);
  const head = older.prepare('SELECT seq, hash FROM sessions WHERE id = ?');
  expect(head.get('s1')).toMatchObject({ seq: 61 });
  await openSqliteLog(home).close();
  expect(() => head.get('s1')).toThrow('no such table: sessions');
});

test.each([
  ['that is missing', `DELETE FROM changes WHERE seq = 22`, 's1'],
  ['of another place', `UPDATE changes SET at = 100 WHERE seq = 22`, 's1'],
  ['that none has made', `INSERT INTO changes VALUES ('/w', 3, 's1', 3)`, ''],
])('a change %s is found by the verification', async (_name, sql, session) => {
  await fill('/w');
  rows(sql);
  const log = openSqliteLog(home);
  expect(log.verify()).toMatchObject({ session, problem: expect.any(String) });
  await log.close();
});

test('a log of a later format is refused and left alone', async () => {
  await fill('/w');
  rows('PRAGMA user_version = 5');
  expect(() => openSqliteLog(home)).toThrow('written by another version of CodeLab (format 5)');
  expect(rows('PRAGMA user_version')).toEqual([{ user_version: 5 }]);
});

function rows(sql: string): Record<string, unknown>[] {
  using db = new DatabaseSync(file);
  return db.prepare(sql).all();
}
