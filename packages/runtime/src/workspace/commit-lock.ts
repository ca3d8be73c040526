// One writer at a time, across processes, for the moment between "is it still what was approved?" and the rename.
// SQLite's file lock is used because the kernel drops it when its holder dies.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ToolError } from '@codelab/protocol';

export type CommitLock = Disposable & { hold<T>(work: () => T): T };

export function openCommitLock(home: string): CommitLock {
  let db: DatabaseSync | undefined;
  const open = (): DatabaseSync => {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const opened = new DatabaseSync(join(home, 'commit.lock'));
    opened.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = MEMORY');
    return opened;
  };
  return {
    hold(work) {
      db ??= open();
      try {
        db.exec('BEGIN IMMEDIATE');
      } catch (error) {
        throw new ToolError(
          'IO_ERROR',
          `Another CodeLab process is stuck while writing (${String(error)}). Nothing was changed; try again.`,
        );
      }
      try {
        return work();
      } finally {
        db.exec('ROLLBACK');
      }
    },
    [Symbol.dispose]: () => db?.close(),
  };
}
