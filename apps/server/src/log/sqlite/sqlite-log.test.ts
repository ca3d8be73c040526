import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventBody, SessionEvent } from '@codelab/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqliteLog, type SqliteLog } from './sqlite-log.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'codelab-log-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const opened = {
  type: 'session.opened' as const,
  workspace: '/w',
  title: 'a title that is written down',
} satisfies EventBody;
const warned = (n: number): EventBody => ({
  type: 'approval.warned',
  callId: `c${n}`,
  approvalId: `a${n}`,
  secondsLeft: n,
});

async function everything(log: SqliteLog): Promise<unknown> {
  const sessions = await log.sessions();
  return [sessions, await Promise.all(sessions.map(({ id }) => log.read(id)))];
}

describe('appending', () => {
  test('two writers with the same expectation: one wins, the other is told', async () => {
    const firstLog = openSqliteLog(home);
    const two = openSqliteLog(home);
    await firstLog.append('s', [opened], { expected: 0 });
    await two.append('s', [warned(1)], { expected: 1, durable: true });
    await expect(firstLog.append('s', [warned(2)], { expected: 1 })).rejects.toMatchObject({
      code: 'LOG_CONFLICT',
    });
    expect((await firstLog.read('s')).map((event) => event.body)).toEqual([opened, warned(1)]);
    await firstLog.close();
    await two.close();
  });

  test('long strings and strings that look like our own marks come back as they were', async () => {
    const log = openSqliteLog(home);
    const titles = ['x'.repeat(100_000), '\0blob:abc', '\0', '\0\0blob:', 'é'.repeat(9000), ''];
    const bodies = titles.map((title): EventBody => ({ ...opened, title }));
    await log.append('s', bodies, { expected: 0 });
    expect((await log.read('s')).map((event) => event.body)).toEqual(bodies);
    expect(log.verify()).toBeUndefined();
    await log.close();
  });

  test('a follower in another process sees appends without polling', async () => {
    const writer = openSqliteLog(home);
    const reader = openSqliteLog(home);
    const stop = new AbortController();
    const events: SessionEvent[] = [];
    const following = (async () => {
      for await (const event of reader.subscribe('s', { since: 0, signal: stop.signal })) {
        events.push(event);
        if (events.length === 20) stop.abort();
      }
    })();
    for (let n = 0; n < 20; n++) await writer.append('s', [n === 0 ? opened : warned(n)], { expected: n });
    await following;
    expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    await writer.close();
    await reader.close();
  });

  test('the files are private', async () => {
    const log = openSqliteLog(join(home, 'new'));
    await log.append('s', [opened], { expected: 0 });
    const { statSync } = await import('node:fs');
    expect(statSync(join(home, 'new')).mode & 0o077).toBe(0);
    for (const name of readdirSync(join(home, 'new'), { recursive: true }) as string[])
      expect(statSync(join(home, 'new', name)).mode & 0o077).toBe(0);
    await log.close();
  });
});

describe('verify', () => {
  async function filledLog(): Promise<{ log: SqliteLog; file: string }> {
    const log = openSqliteLog(home);
    await log.append('s1', [opened, ...Array.from({ length: 30 }, (_, i) => warned(i))], { expected: 0 });
    await log.append('s2', [{ ...opened, title: 'long '.repeat(8000) }, warned(1)], { expected: 0 });
    return { log, file: join(home, 'sessions.db') };
  }

  /** A reader's result for the database with one byte changed: damage, or exactly the same content. */
  async function judge(bytes: Buffer, name: string): Promise<{ isFound: boolean; content: unknown }> {
    const folder = join(home, 'copy');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    cpSync(join(home, 'blobs'), join(folder, 'blobs'), { recursive: true });
    if (name.endsWith('-wal')) copyFileSync(join(home, 'sessions.db'), join(folder, 'sessions.db'));
    writeFileSync(join(folder, name), bytes);
    let log: SqliteLog;
    try {
      log = openSqliteLog(folder);
    } catch {
      return { isFound: true, content: undefined };
    }
    try {
      return { isFound: log.verify() !== undefined, content: await everything(log).catch(() => undefined) };
    } finally {
      await log.close().catch(() => undefined);
    }
  }

  test('catches every flipped byte of every recorded entry, and any flip elsewhere is caught or harmless', async () => {
    const { log, file } = await filledLog();
    const original = await everything(log);
    await log.close();
    const bytes = readFileSync(file);
    const recorded = bytes.indexOf('a title that is written down');
    expect(recorded).toBeGreaterThan(0);
    // The checked bytes are one whole stored entry and an even sample over the file.
    const start = bytes.lastIndexOf('{"type":"session.opened"', recorded);
    const hashChars = 64;
    const inEntry = Array.from({ length: JSON.stringify(opened).length + hashChars }, (_, i) => start + i);
    const overall = Array.from({ length: 400 }, (_, i) => Math.floor((i * bytes.length) / 400));
    const missed: number[] = [];
    for (const at of [...inEntry, ...overall]) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(at) ^ 0x01, at);
      const { isFound, content } = await judge(flipped, 'sessions.db');
      const isHarmless = JSON.stringify(content) === JSON.stringify(original);
      if (!isFound && (!isHarmless || inEntry.includes(at))) missed.push(at);
    }
    expect(missed).toEqual([]);
  });

  test('every entry stands in the file once, so that a flip in any copy of it is caught', async () => {
    const log = openSqliteLog(home);
    let entries = 0;
    for (let n = 0; n < 40; n++) {
      const title = (i: number): string => `MARK ${'x'.repeat(200 + ((n * i * 37) % 900))}`;
      const bodies = [1, 2, 3, 4, 5].map((i): EventBody => ({ ...opened, title: title(i) }));
      await log.append(`s${(n * 7919) % 1000}`, bodies, { expected: 0 });
      entries += bodies.length;
    }
    await log.close();
    expect(readFileSync(join(home, 'sessions.db'), 'latin1').split('MARK').length - 1).toBe(entries);
  });

  test('catches flipped bytes in a write-ahead file that was left behind', async () => {
    const { log } = await filledLog();
    const original = await everything(log);
    const wal = readFileSync(join(home, 'sessions.db-wal'));
    const missed: number[] = [];
    for (let i = 0; i < 150; i++) {
      const at = Math.floor((i * wal.length) / 150);
      const flipped = Buffer.from(wal);
      flipped.writeUInt8(flipped.readUInt8(at) ^ 0x40, at);
      const { isFound, content } = await judge(flipped, 'sessions.db-wal');
      if (!isFound && JSON.stringify(content) !== JSON.stringify(original)) missed.push(at);
    }
    await log.close();
    expect(missed).toEqual([]);
  });

  test('catches a changed and a missing long text', async () => {
    const { log } = await filledLog();
    const [name = ''] = (readdirSync(join(home, 'blobs'), { recursive: true }) as string[]).filter((path) =>
      path.includes('/'),
    );
    const file = join(home, 'blobs', name);
    const bytes = readFileSync(file);
    bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100);
    writeFileSync(file, bytes);
    expect(log.verify()).toMatchObject({
      session: 's2',
      seq: 1,
      problem: expect.stringContaining('was changed'),
    });
    rmSync(file);
    expect(log.verify()).toMatchObject({
      session: 's2',
      seq: 1,
      problem: expect.stringContaining('is missing'),
    });
    await log.close();
  });

  test('names the first broken entry', async () => {
    const { log } = await filledLog();
    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(join(home, 'sessions.db'));
    db.exec(
      `UPDATE events SET json = replace(json, '"secondsLeft":4', '"secondsLeft":5') WHERE session = 's1' AND seq = 6`,
    );
    expect(log.verify()).toEqual({
      session: 's1',
      seq: 6,
      problem: 'Entry 6 was changed: its hash does not fit.',
    });
    expect(log.verify('s2')).toBeUndefined();
    db.exec(
      `UPDATE events SET json = replace(json, '"secondsLeft":5', '"secondsLeft":4') WHERE session = 's1' AND seq = 6`,
    );
    expect(log.verify()).toBeUndefined();
    db.exec(`DELETE FROM events WHERE session = 's1' AND seq = 31`);
    expect(log.verify()).toEqual({
      session: 's1',
      seq: 31,
      problem: 'The log ends at 30, but 31 entries were recorded.',
    });
    db.close();
    await log.close();
  });
});
