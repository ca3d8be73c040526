// Transactions of the log: whole or without a trace.
import type { DatabaseSync } from 'node:sqlite';
import { beginInTurns } from '@codelab/runtime';

/** How long others who write are waited for. */
export const longestWaitMs = 10_000;

/** Holds off all other writers while it works. The event loop stands still until they are done: only for a start or an end. */
export function transact<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  return endWith(db, work);
}

/** The same, with turns for other work until it can begin. */
export async function transactInTurns<T>(db: DatabaseSync, work: () => T): Promise<T> {
  return await beginInTurns(db, longestWaitMs, () => endWith(db, work));
}

function endWith<T>(db: DatabaseSync, work: () => T): T {
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

/** A full or broken disk may have ended the transaction already, and the error that says so is the one to report. */
export function rollBack(db: DatabaseSync): void {
  if (db.isTransaction) db.exec('ROLLBACK');
}
