// Brings everything that was committed so far, by whichever process, to the disk. A commit by itself leaves that to the kernel.
import { closeSync, existsSync, fdatasync, fsyncSync, open, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const openFile = promisify(open);
const syncData = promisify(fdatasync);

/**
 * The write-ahead file may be opened and closed beside SQLite, which has no locks on it. The database file and its `-shm` may not:
 * POSIX drops all locks of a process on a file as soon as the process closes any descriptor of it.
 */
export type WalSyncs = {
  /** On another thread, one sync for all who ask while one is under way. */
  aside(): Promise<void>;
  now(): void;
  close(): Promise<void>;
};

/** To be made before the database is opened. */
export function createWalSyncs(file: string): WalSyncs {
  const name = `${file}-wal`;
  let fd: number | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  // The name of a new file is in its folder, which has to be synced once, too.
  let isNamed = existsSync(name);

  async function sync(): Promise<void> {
    fd ??= await openFile(name, 'r+');
    await syncData(fd);
    if (isNamed) return;
    const folder = await openFile(dirname(file), 'r');
    await syncData(folder).finally(() => closeSync(folder));
    isNamed = true;
  }

  function aside(): Promise<void> {
    if (running === undefined) {
      running = sync().finally(() => {
        running = undefined;
      });
      return running;
    }
    // What was committed after the one under way had begun is not surely in it.
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return aside();
      });
    return next;
  }

  return {
    aside,
    now() {
      syncNow(name, 'r+');
      if (!isNamed) syncNow(dirname(file), 'r');
      isNamed = true;
    },
    async close() {
      await (next ?? running)?.catch(() => undefined);
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

function syncNow(path: string, flags: 'r' | 'r+'): void {
  const fd = openSync(path, flags);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
