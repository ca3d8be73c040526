// A process killed inside a commit leaves pieces of it in the write-ahead file: that is no damage. A changed byte of a commit is.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EventBody } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { lastAppendText } from '../../apps/server/src/log/sqlite/change-signal.ts';
import { openSqliteLog, type SqliteLog } from '../../apps/server/src/log/sqlite/sqlite-log.ts';
import { hasStrace } from '../support/crash-bench.ts';
import { logScript } from '../support/in-child.ts';
import { makeOlder } from '../support/older-log.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const opened: EventBody = { type: 'session.opened', workspace: '/w' };
const titledEvent = (n: number, chars = 9000): EventBody => ({
  type: 'session.titled',
  title: `${n}`.padEnd(chars, '.'),
});

/** A log whose write-ahead file was folded in, so that the next commits write over frames of before. */
async function foldedLog(home: string): Promise<SqliteLog> {
  const log = openSqliteLog(home);
  await log.append('old', [opened, ...Array.from({ length: 20 }, (_, n) => titledEvent(n))], { expected: 0 });
  using db = new DatabaseSync(join(home, 'sessions.db'));
  db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  return log;
}

const append = (session: string, first: number): string =>
  `await log.append('${session}', ${JSON.stringify([opened, titledEvent(first), titledEvent(first + 1)])}, { expected: 0, durable: true });`;

/** Appends in a process that is killed on entering its n-th write to the write-ahead file. Returns whether it came to that. */
async function killedInCommit(home: string, nth: number): Promise<boolean> {
  return await killedInScript(
    home,
    nth,
    logScript(home, `${append('k1', 1)} ${append('k2', 3)} process.exit(0);`),
  );
}

async function killedInScript(home: string, nth: number, script: readonly string[]): Promise<boolean> {
  const inject = `inject=pwrite64:signal=KILL:when=${nth}`;
  const wal = join(home, 'sessions.db-wal');
  const traced = ['-f', '-o', '/dev/null', '-P', wal, '-e', 'trace=pwrite64', '-e', inject];
  const child = spawn('strace', [...traced, process.execPath, ...script], { stdio: 'ignore' });
  const [code, signal] = await once(child, 'exit');
  return code === 137 || signal === 'SIGKILL';
}

// Between the header and the page of a frame, between two frames, in the first and in the second commit.
const points = [2, 3, 9, 12, 16, 21, 24, 25];

describe.runIf(hasStrace)('killed inside a commit', { timeout: 120_000 }, () => {
  test('while another process has the log open, whether or not that one goes on writing', async () => {
    let killed = 0;
    for (const nth of points) {
      using scratch = scratchFolder();
      const log = await foldedLog(scratch.home);
      if (await killedInCommit(scratch.home, nth)) killed++;
      expect(log.verify(), `at write ${nth}`).toBeUndefined();
      await log.append('next', [opened], { expected: 0 });
      expect(log.verify(), `after write ${nth} and one more`).toBeUndefined();
      expect(await log.prove('next', new AbortController().signal), `at write ${nth}`).toBeUndefined();
      await log.close();
    }
    expect(killed).toBe(points.length);
  });

  test('and nobody else was there', async () => {
    let killed = 0;
    for (const nth of points) {
      using scratch = scratchFolder();
      // Left as a killed process leaves it: with its write-ahead file.
      await (await foldedLog(join(scratch.home, 'first'))).leave();
      for (const name of ['sessions.db', 'sessions.db-wal'])
        copyFileSync(join(scratch.home, 'first', name), join(scratch.home, name));
      if (await killedInCommit(scratch.home, nth)) killed++;
      const log = openSqliteLog(scratch.home);
      expect(log.verify(), `at write ${nth}`).toBeUndefined();
      await log.close();
    }
    expect(killed).toBe(points.length);
  });

  test('a log of an older format is brought up to date all the same', async () => {
    using scratch = scratchFolder();
    const file = join(scratch.home, 'sessions.db');
    await (await foldedLog(scratch.home)).close();
    makeOlder(file, 2);
    using db = new DatabaseSync(file);
    db.exec('UPDATE sessions SET last_at = last_at + 1');
    const rewrite = `new (process.getBuiltinModule('node:sqlite').DatabaseSync)(${JSON.stringify(file)}).exec("UPDATE events SET json = json || ' '")`;
    expect(await killedInScript(scratch.home, 9, ['-e', rewrite])).toBe(true);
    // Writes over the first of what the killed one left; the rest stays as it is.
    db.exec('UPDATE sessions SET last_at = last_at - 1');
    const copy = join(scratch.home, 'copy');
    mkdirSync(copy);
    for (const name of ['sessions.db', 'sessions.db-wal'])
      writeFileSync(join(copy, name), readFileSync(join(scratch.home, name)));
    const log = openSqliteLog(copy);
    expect(await log.read('old')).toHaveLength(21);
    expect(log.verify()).toBeUndefined();
    await log.close();
  });
});

describe('a changed byte of a commit', () => {
  test('is found though it is known what was appended last', async () => {
    using scratch = scratchFolder();
    const log = openSqliteLog(scratch.home);
    await log.append('a', [opened, ...Array.from({ length: 5 }, (_, n) => titledEvent(n, 500))], {
      expected: 0,
    });
    await log.append('b', [opened, titledEvent(1, 500)], { expected: 0 });
    const wal = readFileSync(join(scratch.home, 'sessions.db-wal'));
    const missed: number[] = [];
    for (let i = 0; i < 100; i++) {
      const at = Math.floor((i * wal.length) / 100);
      const copy = join(scratch.home, `copy${i}`);
      const file = join(copy, 'sessions.db');
      mkdirSync(copy);
      copyFileSync(join(scratch.home, 'sessions.db'), file);
      const flipped = Buffer.from(wal);
      flipped.writeUInt8(flipped.readUInt8(at) ^ 0x40, at);
      writeFileSync(`${file}-wal`, flipped);
      writeFileSync(join(copy, 'sessions.bell'), lastAppendText({ file, session: 'b', seq: 2 }));
      if (!(await isFoundOrHarmless(copy))) missed.push(at);
    }
    expect(missed).toEqual([]);
    await log.close();
  });

  test('is found while the log is open, though SQLite still reads past it', async () => {
    using scratch = scratchFolder();
    const log = openSqliteLog(scratch.home);
    await log.append('a', [opened, titledEvent(1, 500)], { expected: 0 });
    const file = join(scratch.home, 'sessions.db-wal');
    const wal = readFileSync(file);
    // In the unused middle of the last page, where nothing else would notice.
    const at = wal.length - 2000;
    wal.writeUInt8(wal.readUInt8(at) ^ 1, at);
    writeFileSync(file, wal);
    const damage = {
      session: '',
      seq: 0,
      problem: expect.stringContaining('of the write-ahead file was changed'),
    };
    const advice = expect.stringContaining('To go on with a new log');
    expect(log.verify()).toEqual({ ...damage, advice });
    expect(await log.prove('a', new AbortController().signal)).toEqual(damage);
    await log.close();
  });
});

async function isFoundOrHarmless(home: string): Promise<boolean> {
  let log: SqliteLog;
  try {
    log = openSqliteLog(home);
  } catch {
    return true;
  }
  try {
    const heads = (await log.sessions()).map(({ id, head }) => [id, head.seq]);
    return log.verify() !== undefined || JSON.stringify(heads.sort()) === '[["a",6],["b",2]]';
  } finally {
    await log.close().catch(() => undefined);
  }
}
