// Sets a database to write-ahead logging, which stays with its file. When two processes make the file at the same moment, SQLite tells one
// of them at once that it is locked, whatever its busy timeout says; a moment later the other one is done.
import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from './wait-for-lock.ts';

const longestMs = 5000;
const pauseMs = 2;

export function useWriteAhead(db: DatabaseSync): void {
  const until = performance.now() + longestMs;
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
