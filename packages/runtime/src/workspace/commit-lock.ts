// One writer at a time, across processes, for the moment between "is it still what was approved?" and the rename.
// SQLite's file lock is used because the kernel drops it when its holder dies. The same file holds the ledger of the quarantine, so
// that a slot is entered in the very moment its first item is kept.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ToolError } from '@codelab/protocol';
import { useWriteAhead } from '../platform/use-write-ahead.ts';
import { beginInTurns } from '../platform/wait-for-lock.ts';
import { createLedger, type Ledger } from './quarantine-ledger.ts';

/** The work itself is done in one go; waiting for others who write leaves the event loop free. */
export type CommitLock = Disposable & { hold<T>(work: (ledger: Ledger) => T): Promise<T> };

const longestWaitMs = 5000;

export function openCommitLock(home: string): CommitLock {
  let opened: { db: DatabaseSync; ledger: Ledger } | undefined;
  return {
    async hold(work) {
      opened ??= open(home);
      const { db, ledger } = opened;
      let hasBegun = false;
      try {
        return await beginInTurns(db, longestWaitMs, () => {
          hasBegun = true;
          try {
            return work(ledger);
          } finally {
            finish(db);
          }
        });
      } catch (error) {
        if (hasBegun) throw error;
        throw new ToolError(
          'IO_ERROR',
          `Another CodeLab process is stuck while writing (${String(error)}). Nothing was changed; try again.`,
        );
      }
    },
    [Symbol.dispose]: () => opened?.db.close(),
  };
}

function open(home: string): { db: DatabaseSync; ledger: Ledger } {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(join(home, 'commit.lock'), { timeout: longestWaitMs });
  // Nothing here needs to survive a power failure: slots that the ledger does not know are entered again.
  useWriteAhead(db);
  db.exec('PRAGMA synchronous = OFF');
  return { db, ledger: createLedger(db) };
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
