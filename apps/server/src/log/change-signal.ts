// Wakes whoever follows a log: at once for appends of this process, through the file system for those of others. No polling.
import { closeSync, type FSWatcher, futimesSync, openSync, watch as watchFile } from 'node:fs';
import { join } from 'node:path';

// Touched after every commit. The database's own files change before a commit can be seen, so watching them wakes too early.
const bell = 'sessions.bell';
const quietMs = 20;

type Watch = Disposable & {
  /** Resolves at the next change after this call, or when the signal aborts. */
  next(signal: AbortSignal): Promise<void>;
};

export type ChangeSignal = { tell(): void; watch(): Watch; close(): void };

export function createChangeSignal(folder: string): ChangeSignal {
  const waiting = new Set<() => void>();
  let followers = 0;
  let files: FSWatcher | undefined;
  let touched: number | undefined;
  let starting: NodeJS.Timeout | undefined;

  function wakeAll(): void {
    for (const wake of [...waiting]) wake();
  }

  function tell(): void {
    wakeAll();
    try {
      touched ??= openSync(join(folder, bell), 'a', 0o600);
      const now = Date.now() / 1000;
      futimesSync(touched, now, now);
    } catch {
      // What was told of is in the log; whoever follows from another process finds it at the next ring.
    }
  }

  function stop(): void {
    files?.close();
    files = undefined;
  }

  function follow(): FSWatcher {
    const watcher = watchFile(folder, (_event, name) => {
      if (name === null || name === bell) wakeAll();
    });
    return watcher.on('error', stop);
  }

  // Most waits are over before it would be worth to watch the disk. What happened there meanwhile is looked for once.
  function start(): void {
    starting = undefined;
    if (followers === 0 || files !== undefined) return;
    files = follow();
    wakeAll();
  }

  function close(): void {
    clearTimeout(starting);
    stop();
    if (touched !== undefined) closeSync(touched);
    touched = undefined;
  }

  return {
    tell,
    watch() {
      followers++;
      starting ??= setTimeout(start, quietMs);
      return {
        next: (signal) => wokenOrAborted(waiting, signal),
        [Symbol.dispose]() {
          if (--followers > 0) return;
          clearTimeout(starting);
          starting = undefined;
          stop();
        },
      };
    },
    close,
  };
}

function wokenOrAborted(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      waiting.delete(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    if (signal.aborted) return resolve();
    waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
  });
}
