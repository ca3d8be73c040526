// The session log on a disk that is full.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { openSqliteLog } from '../../apps/server/src/log/sqlite/sqlite-log.ts';
import { makeOlder } from '../support/older-log.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { canMount, fillDisk, mountTmpfs } from '../support/tmpfs.ts';

describe.runIf(canMount())('the disk of the log is full', () => {
  test('a log of the format before stays as it is and says why, and is brought up to date once there is room', async () => {
    using scratch = scratchFolder();
    const home = join(scratch.folder, 'log');
    using _disk = mountTmpfs(home, 'size=4m');
    const log = openSqliteLog(home);
    const titledEvent = { type: 'session.titled' as const, title: 'x'.repeat(500) };
    const opened = { type: 'session.opened' as const, workspace: scratch.root };
    await log.append('s', [opened, ...Array.from({ length: 999 }, () => titledEvent)], { expected: 0 });
    await log.close();
    makeOlder(join(home, 'sessions.db'), 1);
    using db = new DatabaseSync(join(home, 'sessions.db'));
    // Opens the write-ahead file and its index while there is room for them.
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const filler = fillDisk(home);
    expect(() => openSqliteLog(home)).toThrow(
      /No space is left for the session log, on the disk of the state folder \(\$CODELAB_HOME\)/,
    );
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
    rmSync(filler);
    const reopened = openSqliteLog(home);
    expect(await reopened.read('s')).toHaveLength(1000);
    expect(reopened.verify()).toBeUndefined();
    await reopened.close();
  });
});
