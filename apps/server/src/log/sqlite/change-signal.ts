// Wakes followers of a log: immediately for appends of this process, through the file system for those of others. Where no more files can
// be watched (Linux has 128 watchers for all programs of a user) the database is polled instead.
import {
  closeSync,
  constants,
  type FSWatcher,
  openSync,
  readFileSync,
  watch as watchFile,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

const bell = 'sessions.bell';
const quietMs = 20;
const pollMs = 250;
/** Polls before watching is tried again. */
const pollsPerTry = 20;

type Watch = Disposable & {
  /** Resolves at the next change after this call, or when the signal aborts. */
  next(signal: AbortSignal): Promise<void>;
};

export type ChangeSignal = { tell(last: LastAppend): void; watch(): Watch; close(): void };

/** Written to after every commit. The database's own files change before a commit can be seen, so watching them wakes too early. */
export function bellOf(folder: string): string {
  return join(folder, bell);
}

/** `version` is another number after another process has written to the log. */
export function createChangeSignal(folder: string, version: () => unknown): ChangeSignal {
  const waiting = new Set<() => void>();
  let followers = 0;
  let source: Disposable | undefined;
  let noted: number | undefined;
  let starting: NodeJS.Timeout | undefined;

  function wakeAll(): void {
    for (const wake of [...waiting]) wake();
  }

  function tell(last: LastAppend): void {
    wakeAll();
    try {
      noted ??= openSync(bellOf(folder), constants.O_WRONLY | constants.O_CREAT, 0o600);
      writeSync(noted, lastAppendText(last), 0);
    } catch {
      // The entry is in the log; followers in other processes find it at the next signal.
    }
  }

  function stop(): void {
    clearTimeout(starting);
    starting = undefined;
    source?.[Symbol.dispose]();
    source = undefined;
  }

  // Most waits end before a watch would be worthwhile. Changes meanwhile are found by one check.
  function start(): void {
    starting = undefined;
    if (followers === 0 || source !== undefined) return;
    source = watchOrPoll(folder, { version, onChange: wakeAll });
    wakeAll();
  }

  return {
    tell,
    watch() {
      followers++;
      starting ??= setTimeout(start, quietMs);
      return {
        next: (signal) => wokenOrAborted(waiting, signal),
        [Symbol.dispose]() {
          if (--followers === 0) stop();
        },
      };
    },
    close() {
      stop();
      if (noted !== undefined) closeSync(noted);
      noted = undefined;
    },
  };
}

type Following = { version(): unknown; onChange(): void };

/** Watches while that works, polls while it does not. */
function watchOrPoll(folder: string, { version, onChange }: Following): Disposable {
  let files: FSWatcher | undefined;
  let polling: NodeJS.Timeout | undefined;

  function follow(): void {
    try {
      const watcher = watchFile(folder, (_event, name) => {
        if (name === null || name === bell) onChange();
      });
      watcher.on('error', () => ended(watcher)).on('close', () => ended(watcher));
      files = watcher;
      clearInterval(polling);
      polling = undefined;
    } catch {
      poll();
    }
  }

  function ended(watcher: FSWatcher): void {
    if (files !== watcher) return;
    files = undefined;
    watcher.close();
    poll();
  }

  function poll(): void {
    if (polling !== undefined) return;
    let known: unknown;
    let polls = 0;
    polling = setInterval(() => {
      if (++polls % pollsPerTry === 0) follow();
      const now = attempt(version);
      if (now === known) return;
      known = now;
      onChange();
    }, pollMs);
  }

  follow();
  return {
    [Symbol.dispose]() {
      const watcher = files;
      files = undefined;
      watcher?.close();
      clearInterval(polling);
    },
  };
}

// A version that can't be read may have changed: the reader gets the reason.
function attempt(version: () => unknown): unknown {
  try {
    return version();
  } catch {
    return {};
  }
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

// The last acknowledged append, noted beside the log after every commit. An incomplete commit in the write-ahead file was either damaged,
// or cut short by the end of its process and never acknowledged: the note decides which.

/** The last entry of a session in the log of this file; 0 when the session was deleted. */
type LastAppend = { file: string; session: string; seq: number };

export function lastAppendText(last: LastAppend): string {
  return `${JSON.stringify(last)}\n`;
}

/** Whether the log has it, and with it everything before. False when the last append is unknown. */
export function hasLastAppend(db: DatabaseSync, { file, bell }: { file: string; bell: string }): boolean {
  const last = readLast(bell);
  if (last?.file !== file) return false;
  const head = db.prepare('SELECT seq FROM heads WHERE session = ?').get(last.session);
  return last.seq === 0 ? head === undefined : Number(head?.seq ?? 0) >= last.seq;
}

function readLast(bell: string): LastAppend | undefined {
  try {
    // Text of a longer one may follow.
    const [line = ''] = readFileSync(bell, 'utf8').split('\n');
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
