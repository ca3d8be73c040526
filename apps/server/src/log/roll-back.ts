// Ends a transaction without a trace. A full or broken disk may have ended it already, and the error that says so is the one to hear.
import type { DatabaseSync } from 'node:sqlite';

export function rollBack(db: DatabaseSync): void {
  if (db.isTransaction) db.exec('ROLLBACK');
}
