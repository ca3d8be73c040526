// A large record is proven while the process goes on with its work.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EventBody } from '@codelab/protocol';
import { createBlobStore, runNow } from '@codelab/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bellOf } from '../../apps/server/src/log/sqlite/change-signal.ts';
import { openSqliteLog, type SqliteLog } from '../../apps/server/src/log/sqlite/sqlite-log.ts';
import { verifyEntries } from '../../apps/server/src/log/sqlite/verify-log.ts';
import { readWal, walDamage } from '../../apps/server/src/log/sqlite/verify-wal.ts';
import { turnsDuring } from '../support/turns-during.ts';

let home: string;
let log: SqliteLog;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'codelab-'));
  log = openSqliteLog(home);
});

afterEach(async () => {
  await log.close();
  rmSync(home, { recursive: true, force: true });
});

const opened: EventBody = { type: 'session.opened', workspace: '/w' };
const titledEvent = (n: number, chars = 2000): EventBody => ({
  type: 'session.titled',
  title: `${n}`.padEnd(chars, '.'),
});
const never = new AbortController().signal;

async function fill(entries: number): Promise<void> {
  const bodies = Array.from({ length: entries - 1 }, (_, n) => titledEvent(n));
  await log.append('s', [opened, ...bodies], { expected: 0 });
}

test('others get their turn again and again, and can write meanwhile', async () => {
  await fill(4000);
  const proof = log.prove('s', never);
  let seq = 4000;
  const writing = (async () => {
    for (let n = 0; n < 20; n++) await log.append('s', [titledEvent(n)], { expected: seq++ });
  })();
  // 4,000 entries of 2,000 characters are looked at in pieces of 256 K.
  expect(await turnsDuring(proof)).toBeGreaterThan(60);
  await writing;
  expect(await proof).toBeUndefined();
  expect(await log.prove('s', never)).toBeUndefined();
});

test('its steps are small: a piece of the entries, a piece of the write-ahead file', async () => {
  await fill(4000);
  const file = join(home, 'sessions.db');
  const db = new DatabaseSync(file);
  const blobs = createBlobStore(join(home, 'blobs'));
  expect([...verifyEntries({ db, file, blobs, bell: bellOf(home), keys: home }, 's')].length).toBeGreaterThan(
    40,
  );
  expect([...walDamage(readWal(file))].length).toBeGreaterThan(20);
  db.close();
});

test('who goes away ends it', async () => {
  await fill(4000);
  const disconnect = new AbortController();
  const proof = log.prove('s', disconnect.signal);
  setImmediate(() => disconnect.abort());
  await expect(proof).rejects.toThrow('aborted');
});

test('it finds what the whole check finds', async () => {
  await fill(300);
  const db = new DatabaseSync(join(home, 'sessions.db'));
  db.exec(`UPDATE events SET json = replace(json, '"7.', '"8.') WHERE seq = 9`);
  const damage = { session: 's', seq: 9, problem: 'Entry 9 was changed: its hash does not fit.' };
  expect(await log.prove('s', never)).toEqual(damage);
  expect(log.verify()).toEqual(damage);
  db.exec(`INSERT INTO events VALUES ('aa', 1, 0, '{}', '')`);
  expect(await log.prove('s', never)).toMatchObject({
    session: 'aa',
    problem: expect.stringContaining('no known session'),
  });
  db.close();
});

test('a session that is deleted meanwhile is no damage', async () => {
  await fill(1000);
  await log.append('old', [opened, titledEvent(1, 100_000)], { expected: 0 });
  const file = join(home, 'sessions.db');
  const db = new DatabaseSync(file);
  const blobs = createBlobStore(join(home, 'blobs'));
  const looking = verifyEntries({ db, file, blobs, bell: bellOf(home), keys: home });
  looking.next();
  await log.delete('old');
  expect(runNow(looking).damage).toBeUndefined();
  db.close();
});
