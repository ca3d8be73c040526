// Transactions of the log: whole or without a trace.
import type { DatabaseSync } from 'node:sqlite';

/** Holds off all other writers while it works. */
export function transact<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
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
