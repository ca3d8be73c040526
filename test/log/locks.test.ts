// The protection of SQLite's locks: no other process may treat a log that is open here as abandoned.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { checkSqlite, refuseUnsafeSqlite } from '../../apps/server/src/log/sqlite/database.ts';
import { openSqliteLog } from '../../apps/server/src/log/sqlite/sqlite-log.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const opened: EventBody = { type: 'session.opened', workspace: '/w' };

/** The locks this process has on a file, as the kernel lists them. */
function locksOn(file: string): string[] {
  const { ino } = statSync(file);
  const lines = readFileSync('/proc/locks', 'utf8').split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/).slice(1))
    .filter(([, , , pid, place]) => Number(pid) === process.pid && place?.endsWith(`:${ino}`))
    .map((words) => words.join(' '))
    .sort();
}

describe.runIf(existsSync('/proc/locks'))('the locks on an open log', () => {
  test('outlive a proof, a verification, a deletion and a second opening', async () => {
    using scratch = scratchFolder();
    const files = ['sessions.db', 'sessions.db-shm'].map((name) => join(scratch.home, name));
    const locks = (): string[][] => files.map(locksOn);
    const log = openSqliteLog(scratch.home);
    await log.append('s', [opened, { type: 'session.titled', title: 'x'.repeat(50_000) }], { expected: 0 });
    const before = locks();
    expect(before.flat().length).toBeGreaterThan(1);
    expect(await log.prove('s', new AbortController().signal)).toBeUndefined();
    expect(locks()).toEqual(before);
    expect(log.verify()).toBeUndefined();
    expect(locks()).toEqual(before);
    await openSqliteLog(scratch.home).close();
    expect(locks()).toEqual(before);
    await log.delete('s');
    expect(locks()).toEqual(before);
    await log.close();
  });
});

describe('a SQLite older than 3.51', () => {
  test.each(['3.50.4', '3.9.2', '2.8.17', undefined])(
    'is refused, with the Node to use instead: %s',
    (version) => {
      const check = checkSqlite(version ?? '0.0.0');
      expect(check).toMatchObject({
        isSafe: false,
        advice: expect.stringContaining('Node.js 24.14 or newer'),
      });
      expect(() => refuseUnsafeSqlite(version ?? '0.0.0')).toThrow('Use Node.js 24.14 or newer');
    },
  );

  test.each(['3.51.0', '3.51.2', '3.53.4', '4.0.0', process.versions.sqlite ?? ''])(
    'is not %s',
    (version) => {
      expect(checkSqlite(version)).toMatchObject({ isSafe: true, found: version });
      expect(() => refuseUnsafeSqlite(version)).not.toThrow();
    },
  );
});
