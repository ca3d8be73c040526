import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventBody } from '@codelab/protocol';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteLog, type SqliteLog } from './sqlite-log.ts';

let home: string;
let log: SqliteLog;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'codelab-log-'));
  log = openSqliteLog(home);
});
afterEach(async () => {
  await log.close();
  rmSync(home, { recursive: true, force: true });
});

const opened: EventBody = { type: 'session.opened', workspace: '/w' };
const warned = (n: number): EventBody => ({
  type: 'approval.warned',
  callId: `c${n}`,
  approvalId: `a${n}`,
  secondsLeft: n,
});

test('of appends made at once only the one that came too late is refused', async () => {
  const results = await Promise.allSettled([
    log.append('s1', [opened], { expected: 0 }),
    log.append('s1', [warned(1)], { expected: 0 }),
    log.append('s1', [warned(2)], { expected: 1, durable: true }),
    log.append('s2', [opened], { expected: 0 }),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: { code: 'LOG_CONFLICT' } });
  expect((await log.read('s1')).map(({ body }) => body)).toEqual([opened, warned(2)]);
  expect(log.verify()).toBeUndefined();
});

test('one that can’t be written does not take the others along', async () => {
  const unwritable = { ...opened, title: 1n } as unknown as EventBody;
  const results = await Promise.allSettled([
    log.append('s1', [opened], { expected: 0 }),
    log.append('s2', [unwritable], { expected: 0 }),
    log.append('s3', [opened], { expected: 0 }),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await log.sessions()).map(({ id }) => id).sort()).toEqual(['s1', 's3']);
});

test('what was appended before the log is closed is in it', async () => {
  const pendingAppend = log.append('s', [opened], { expected: 0 });
  await log.close();
  expect(await pendingAppend).toHaveLength(1);
  log = openSqliteLog(home);
  expect(await log.read('s')).toHaveLength(1);
});

test('what comes after the log was closed is refused, and ends nothing else', async () => {
  await log.append('s', [opened], { expected: 0 });
  await log.close();
  const laterAppend = log.append('s', [warned(1)], { expected: 1, durable: true });
  await expect(laterAppend).rejects.toMatchObject({ code: 'IO_ERROR' });
  log = openSqliteLog(home);
  expect(await log.read('s')).toHaveLength(1);
});

test('law: appended at once or one after the other, the log says the same', async () => {
  const appends = fc.array(
    fc.record({ session: fc.constantFrom('a', 'b', 'c'), count: fc.integer({ min: 1, max: 4 }) }),
    { maxLength: 12 },
  );
  let round = 0;
  await fc.assert(
    fc.asyncProperty(appends, async (wantedAppends) => {
      round++;
      const heads = new Map<string, number>();
      const plan = wantedAppends.map(({ session, count }, n) => {
        const expected = heads.get(session) ?? 0;
        const bodies = Array.from({ length: count }, (_, i) =>
          expected + i === 0 ? opened : warned(n * 10 + i),
        );
        heads.set(session, expected + count);
        return { session, bodies, expected };
      });
      await Promise.all(
        plan.map((append) => log.append(`${append.session}${round}x`, append.bodies, append)),
      );
      for (const append of plan) await log.append(`${append.session}${round}y`, append.bodies, append);
      for (const session of heads.keys()) {
        const [atOnce, inTurn] = [
          await log.read(`${session}${round}x`),
          await log.read(`${session}${round}y`),
        ];
        expect(atOnce.map(({ seq, body }) => [seq, body])).toEqual(
          inTurn.map(({ seq, body }) => [seq, body]),
        );
      }
    }),
    { numRuns: 30 },
  );
  expect(log.verify()).toBeUndefined();
});

test('what another connection has written or deleted is seen at the next look', async () => {
  const other = openSqliteLog(home);
  await log.append('s', [opened], { expected: 0 });
  expect(await log.read('s', { since: 1 })).toEqual([]);
  expect(await log.read('s', { since: 1 })).toEqual([]);
  await other.append('s', [warned(1)], { expected: 1 });
  expect((await log.read('s', { since: 1 })).map(({ body }) => body)).toEqual([warned(1)]);
  await log.append('s', [warned(2)], { expected: 2 });
  expect(await log.read('s', { since: 3 })).toEqual([]);
  await other.delete('s');
  await other.append('s', [opened, warned(3), warned(4), warned(5)], { expected: 0 });
  expect((await log.read('s', { since: 3 })).map(({ body }) => body)).toEqual([warned(5)]);
  await other.close();
});
