// Deleting a session: gone at once, removed piece by piece, and never a text that anybody refers to.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, truncateSync, watch } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EventBody } from '@codelab/protocol';
import { createBlobStore, sha256 } from '@codelab/runtime';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWalSyncs } from '../../apps/server/src/log/sqlite/database.ts';
import { removeLeftovers } from '../../apps/server/src/log/sqlite/delete-session.ts';
import { openSqliteLog, type SqliteLog } from '../../apps/server/src/log/sqlite/sqlite-log.ts';
import { prepareStatements } from '../../apps/server/src/log/sqlite/statements.ts';
import { hasStrace } from '../support/crash-bench.ts';
import { expectExit, logScript } from '../support/in-child.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { turnsDuring } from '../support/turns-during.ts';

const opened: EventBody = { type: 'session.opened', workspace: '/w' };
const titledEvent = (title: string): EventBody => ({ type: 'session.titled', title });
const longText = (n: number | string): string => `text ${n} `.padEnd(50_000, '.');

function blobFile(home: string, text: string): string {
  const key = sha256(text);
  return join(home, 'blobs', key.slice(0, 2), key.slice(2));
}

function storedTexts(home: string): string[] {
  const names = readdirSync(join(home, 'blobs'), { recursive: true }) as string[];
  return names.filter((name) => name.includes('/')).map((name) => name.replace('/', ''));
}

function rowsOf(home: string, sql: string): Record<string, unknown>[] {
  using db = new DatabaseSync(join(home, 'sessions.db'));
  return db.prepare(sql).all();
}

describe('a long text', () => {
  test('that another process removes before the entry is committed is stored again', async () => {
    using scratch = scratchFolder();
    const text = longText('shared');
    const log = openSqliteLog(scratch.home);
    await log.append('first', [opened], { expected: 0 });
    const body = `await log.append('second', ${JSON.stringify([opened, titledEvent(text)])}, { expected: 0 });`;
    using db = new DatabaseSync(join(scratch.home, 'sessions.db'));
    db.exec('BEGIN IMMEDIATE');
    const child = spawn(process.execPath, logScript(scratch.home, body), { stdio: 'inherit' });
    const ended = expectExit(child);
    // The child has stored the text and waits for its transaction, during ours.
    await appears(blobFile(scratch.home, text), scratch.home);
    rmSync(blobFile(scratch.home, text));
    db.exec('ROLLBACK');
    await ended;
    expect((await log.read('second')).map(({ body: { type } }) => type)).toEqual([
      'session.opened',
      'session.titled',
    ]);
    expect(log.verify()).toBeUndefined();
    await log.close();
  });

  test.each([{ durable: false }, { durable: true }])(
    'that was torn is whole again when it is stored again (%o)',
    async (options) => {
      using scratch = scratchFolder();
      const log = openSqliteLog(scratch.home);
      const text = longText(1);
      await log.append('a', [opened, titledEvent(text)], { expected: 0 });
      truncateSync(blobFile(scratch.home, text), 0);
      await log.append('b', [opened, titledEvent(text)], { expected: 0, ...options });
      expect((await log.read('b')).at(-1)?.body).toEqual(titledEvent(text));
      expect(log.verify()).toBeUndefined();
      await log.close();
    },
  );

  test.runIf(hasStrace)('of a durable entry is synced though it was stored before without', () => {
    using scratch = scratchFolder();
    const bodies = JSON.stringify([opened, titledEvent(longText(1))]);
    const body = `await log.append('a', ${bodies}, { expected: 0 });
      await log.append('b', ${bodies}, { expected: 0, durable: true }); await log.close();`;
    const traced = ['-f', '-y', '-e', 'trace=fsync', process.execPath, ...logScript(scratch.home, body)];
    const { stderr } = spawnSync('strace', traced, { encoding: 'utf8' });
    expect(stderr).toContain(`<${blobFile(scratch.home, longText(1))}>`);
  });

  test('is not taken for one that is referred to because a string looks like it', async () => {
    using scratch = scratchFolder();
    const log = openSqliteLog(scratch.home);
    const text = longText(1);
    await log.append('a', [opened, titledEvent(text)], { expected: 0 });
    const lookalike = titledEvent(`x"\0blob:${sha256(text)}`);
    await log.append('b', [opened, lookalike], { expected: 0 });
    expect(log.verify()).toBeUndefined();
    await log.delete('b');
    expect((await log.read('a')).at(-1)?.body).toEqual(titledEvent(text));
    await log.close();
  });

  test('that was stored for an entry nobody committed goes with the next deletion', async () => {
    using scratch = scratchFolder();
    const log = openSqliteLog(scratch.home);
    await log.append('a', [opened, titledEvent(longText(1))], { expected: 0 });
    await log.append('b', [opened], { expected: 0 });
    createBlobStore(join(scratch.home, 'blobs')).put(longText('orphan'), { durable: false });
    await log.delete('b');
    expect(storedTexts(scratch.home)).toEqual([sha256(longText(1))]);
    await log.close();
  });
});

describe('a deletion', () => {
  test('law: every text is counted as often as entries refer to it, and kept exactly as long', async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({
          session: fc.integer({ min: 0, max: 3 }),
          texts: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 }),
        }),
        fc.record({ session: fc.integer({ min: 0, max: 3 }) }),
      ),
      { maxLength: 14 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (stepsToRun) => {
        using scratch = scratchFolder();
        const log = openSqliteLog(scratch.home);
        const sessions = new Map<string, number[]>();
        const seqs = new Map<string, number>();
        for (const step of stepsToRun) {
          const session = `s${step.session}`;
          if ('texts' in step) {
            const expected = seqs.get(session) ?? 0;
            const bodies = [opened, ...step.texts.map((n) => titledEvent(longText(n)))];
            await log.append(session, bodies, { expected });
            seqs.set(session, expected + bodies.length);
            sessions.set(session, [...(sessions.get(session) ?? []), ...step.texts]);
          } else {
            await log.delete(session);
            sessions.delete(session);
            seqs.delete(session);
          }
        }
        const counts = new Map<string, number>();
        for (const n of [...sessions.values()].flat())
          counts.set(sha256(longText(n)), (counts.get(sha256(longText(n))) ?? 0) + 1);
        expect(log.verify()).toBeUndefined();
        await log.close();
        const rows = rowsOf(scratch.home, 'SELECT key, uses FROM texts');
        expect(new Map(rows.map(({ key, uses }) => [key, uses]))).toEqual(counts);
        if (existsSync(join(scratch.home, 'blobs')))
          expect(new Set(storedTexts(scratch.home))).toEqual(new Set(counts.keys()));
      }),
      { numRuns: 25 },
    );
  });

  test('that was broken off is seen by nobody, and the next opening goes on with it', async () => {
    using scratch = scratchFolder();
    const log = openSqliteLog(scratch.home);
    const bodies = [opened, ...Array.from({ length: 60 }, (_, n) => titledEvent(`${n}`.padEnd(20_000, '.')))];
    for (let n = 0; n < 5; n++) bodies.push(titledEvent(longText(n)));
    await log.append('gone', bodies, { expected: 0 });
    await log.append('kept', [opened, titledEvent(longText(0))], { expected: 0 });
    const deleting = log.delete('gone');
    await log.close();
    await deleting;
    const count = `SELECT count(*) AS n FROM events WHERE session = 'gone'`;
    expect(rowsOf(scratch.home, count)).not.toEqual([{ n: 0 }]);
    expect(storedTexts(scratch.home)).toHaveLength(5);
    const next = openSqliteLog(scratch.home);
    expect(await next.read('gone')).toEqual([]);
    expect((await next.sessions()).map(({ id }) => id)).toEqual(['kept']);
    expect(next.verify()).toBeUndefined();
    await expect.poll(() => rowsOf(scratch.home, count)).toEqual([{ n: 0 }]);
    await expect.poll(() => storedTexts(scratch.home)).toEqual([sha256(longText(0))]);
    expect((await next.read('kept')).at(-1)?.body).toEqual(titledEvent(longText(0)));
    await next.close();
  });

  test('that was broken off does not keep a new session from the name', async () => {
    using scratch = scratchFolder();
    const log = openSqliteLog(scratch.home);
    await log.append('s', [opened, titledEvent(longText(1)), titledEvent('x')], { expected: 0 });
    const deleting = log.delete('s');
    await log.append('s', [opened, titledEvent('new')], { expected: 0 });
    await deleting;
    expect((await log.read('s')).map(({ body }) => body)).toEqual([opened, titledEvent('new')]);
    expect(log.verify()).toBeUndefined();
    expect(storedTexts(scratch.home)).toEqual([]);
    await log.close();
  });

  test('is refused for the forks of that very session, not of one whose name is like it', async () => {
    using scratch = scratchFolder();
    const log = openSqliteLog(scratch.home);
    for (const id of ['my_app', 'MyXApp', 'MY_APP']) await log.append(id, [opened], { expected: 0 });
    const fork = (session: string): EventBody =>
      ({ ...opened, forkedFrom: { session, seq: 1 } }) as EventBody;
    await log.append('fork', [fork('MyXApp')], { expected: 0 });
    await log.append('other', [fork('MY_APP')], { expected: 0 });
    await log.delete('my_app');
    await expect(log.delete('MyXApp')).rejects.toThrow('fork was forked from MyXApp');
    await log.delete('fork');
    await log.delete('MyXApp');
    expect(log.verify()).toBeUndefined();
    await log.close();
  });

  test('is made of small pieces, between which others have their turn', async () => {
    using scratch = scratchFolder();
    const log = openSqliteLog(scratch.home);
    const bodies = [opened, ...Array.from({ length: 2000 }, (_, n) => titledEvent(`${n}`.padEnd(5000, '.')))];
    await log.append('big', [...bodies, ...Array.from({ length: 80 }, (_, n) => titledEvent(longText(n)))], {
      expected: 0,
    });
    await Promise.all([log.delete('big'), log.close()]);
    const file = join(scratch.home, 'sessions.db');
    using db = new DatabaseSync(file);
    const blobs = createBlobStore(join(scratch.home, 'blobs'));
    const syncs = createWalSyncs(file);
    const store = { db, file, sql: prepareStatements(db), blobs, syncs, onWritten: () => undefined };
    // Pieces of 256 K, and the folders of the texts one by one.
    expect(await turnsDuring(removeLeftovers(store, new AbortController().signal))).toBeGreaterThan(30 + 32);
    await syncs.close();
    expect(rowsOf(scratch.home, `SELECT * FROM events WHERE session <> ''`)).toEqual([]);
    expect(storedTexts(scratch.home)).toEqual([]);
  });

  test('verify finds a text that is counted too low', async () => {
    using scratch = scratchFolder();
    const log: SqliteLog = openSqliteLog(scratch.home);
    await log.append('s', [opened, titledEvent(longText(1)), titledEvent(longText(1))], { expected: 0 });
    rowsOf(scratch.home, 'UPDATE texts SET uses = 1');
    expect(log.verify()).toMatchObject({
      problem: expect.stringContaining('counted 1 times, but entries refer to it 2'),
    });
    await log.close();
  });
});

async function appears(file: string, home: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = (): void => {
    if (existsSync(file)) resolve();
  };
  const watcher = watch(home, { recursive: true }, check);
  check();
  await promise;
  watcher.close();
}
