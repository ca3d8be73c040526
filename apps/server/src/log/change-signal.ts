// Wakes whoever follows a log: at once for appends of this process, through the file system for those of others. No polling.
import { type FSWatcher, watch as watchFile } from 'node:fs';

export type Watch = Disposable & {
  /** Resolves at the next change after this call, or when the signal aborts. */
  next(signal: AbortSignal): Promise<void>;
};

export type ChangeSignal = { tell(): void; watch(): Watch; close(): void };

export function createChangeSignal(folder: string): ChangeSignal {
  let waiting = new Set<() => void>();
  let followers = 0;
  let files: FSWatcher | undefined;

  function tell(): void {
    const woken = waiting;
    waiting = new Set();
    for (const wake of woken) wake();
  }

  function stop(): void {
    files?.close();
    files = undefined;
  }

  // The write-ahead file grows with every commit of any process.
  function follow(): FSWatcher {
    const watcher = watchFile(folder, (_event, name) => {
      if (name === null || name.startsWith('sessions.db')) tell();
    });
    return watcher.on('error', stop);
  }

  return {
    tell,
    watch() {
      followers++;
      files ??= follow();
      return {
        next: (signal) =>
          new Promise((resolve) => {
            const wake = (): void => {
              waiting.delete(wake);
              signal.removeEventListener('abort', wake);
              resolve();
            };
            if (signal.aborted) return resolve();
            waiting.add(wake);
            signal.addEventListener('abort', wake, { once: true });
          }),
        [Symbol.dispose]() {
          if (--followers === 0) stop();
        },
      };
    },
    close: stop,
  };
}
