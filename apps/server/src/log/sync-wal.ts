// Brings everything that was committed so far, by whichever process, to the disk.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';

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

/** The same without keeping others waiting. */
export async function syncWalAside(file: string): Promise<void> {
  const wal = await open(`${file}-wal`, 'r+');
  try {
    await wal.sync();
  } finally {
    await wal.close();
  }
}
