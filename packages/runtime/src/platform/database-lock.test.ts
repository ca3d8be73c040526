import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { beginInTurns, useWriteAhead } from './database-lock.ts';

test('the first transaction of a connection also leaves turns to others while another one writes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-lock-'));
  const file = join(folder, 'a.db');
  const [db, other] = [new DatabaseSync(file), new DatabaseSync(file)];
  try {
    useWriteAhead(db);
    other.exec('CREATE TABLE t (n); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)');
    const begun = beginInTurns(db, 1_000_000, () => {
      const count = db.prepare('SELECT count(*) AS n FROM t').get()?.n;
      db.exec('COMMIT');
      return count;
    });
    // If it blocked this thread instead, the other transaction could never end.
    other.exec('COMMIT');
    expect(await begun).toBe(1);
    expect(db.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 1_000_000 });
  } finally {
    db.close();
    other.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
