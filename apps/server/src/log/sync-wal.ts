// Brings everything that was committed so far, by whichever process, to the disk.
import { closeSync, fsyncSync, openSync } from 'node:fs';

/**
 * The write-ahead file may be opened and closed beside SQLite, which has no locks on it. The database file and its `-shm` may not:
 * POSIX drops all locks of a process on a file as soon as the process closes any descriptor of it.
 */
export function syncWal(file: string): void {
  const fd = openSync(`${file}-wal`, 'r+');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
