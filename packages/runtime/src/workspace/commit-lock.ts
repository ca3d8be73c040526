// One writer at a time, across processes, for the moment between "is it still what was approved?" and the rename.
// SQLite's file lock is used because the kernel drops it when its holder dies. The same file holds the ledger of the quarantine, so
// that a slot is entered in the very moment its first item is kept.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ToolError } from '@codelab/protocol';
import { createLedger, type Ledger } from './quarantine-ledger.ts';

export type CommitLock = Disposable & { hold<T>(work: (ledger: Ledger) => T): T };

export function openCommitLock(home: string): CommitLock {
  let opened: { db: DatabaseSync; ledger: Ledger } | undefined;
  const open = (): { db: DatabaseSync; ledger: Ledger } => {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const db = new DatabaseSync(join(home, 'commit.lock'));
    // Nothing here needs to survive a power failure: slots that the ledger does not know are entered again.
    db.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    return { db, ledger: createLedger(db) };
  };
  return {
    hold(work) {
      opened ??= open();
      const { db, ledger } = opened;
      try {
        db.exec('BEGIN IMMEDIATE');
      } catch (error) {
        throw new ToolError(
          'IO_ERROR',
          `Another CodeLab process is stuck while writing (${String(error)}). Nothing was changed; try again.`,
        );
      }
      try {
        return work(ledger);
      } finally {
        finish(db);
      }
    },
    [Symbol.dispose]: () => opened?.db.close(),
  };
}

// What was entered stands also when the work failed: a slot that stays must be known. A ledger that cannot be written must not make
// a change fail that was made: the slot is entered when it is next looked through.
function finish(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('COMMIT');
  } catch {
    if (db.isTransaction) db.exec('ROLLBACK');
  }
}
