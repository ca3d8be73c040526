// Notices what other processes append to the log. One watch for all sessions: with one for each, every entry would wake them all.
import type { FSWatcher } from 'node:fs';
import type { SessionSummary } from '@codelab/protocol';
import { type Host, watchFolder } from '@codelab/runtime';

const soonestMs = 50;
/** The time before a folder that can't be watched is tried again. */
const retryMs = 5000;
/** Reading the list of sessions takes at most one part in so many of the time. */
const share = 20;

/** `onChange` gets the sessions and their heads, soon after anything has changed in the folder of the log. */
export type Following = {
  onChange(sessions: ReadonlyMap<string, SessionSummary>): Promise<void>;
  /** Called instead of `onChange` where the log itself reports every append. */
  onHead(session: string, seq: number): Promise<void>;
  onFault(error: unknown): void;
};

export function followLog(host: Host, { onHead, ...following }: Following): Disposable {
  const { watchHeads } = host.log;
  if (watchHeads === undefined) return followFolder(host, following);
  let isOver = false;
  const fail = (error: unknown): void => {
    // The log may be closed while it is read.
    if (!isOver) following.onFault(error);
  };
  const stop = watchHeads((session, seq) => void onHead(session, seq).catch(fail));
  return {
    [Symbol.dispose]() {
      isOver = true;
      stop();
    },
  };
}

function followFolder(host: Host, { onChange, onFault }: Omit<Following, 'onHead'>): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  let restMs = soonestMs;
  let isFailing = false;
  function lookSoon(): void {
    timer ??= setTimeout(() => void look().catch(onFault), restMs);
  }
  // After a change the folder is not watched until it was read: every entry of this process would cause another read.
  function listen(): void {
    try {
      watcher = watchFolder(host.home, () => {
        watcher?.close();
        lookSoon();
      });
      watcher.on('error', lookLater);
      isFailing = false;
    } catch (error) {
      lookLater(error);
    }
  }
  // The error is reported once, not at every try.
  function lookLater(error: unknown): void {
    watcher?.close();
    if (!isFailing) onFault(error);
    isFailing = true;
    restMs = retryMs;
    lookSoon();
  }
  async function look(): Promise<void> {
    timer = undefined;
    listen();
    const before = performance.now();
    const sessions = await host.log.sessions();
    await onChange(new Map(sessions.map((one) => [one.id, one])));
    restMs = Math.max(soonestMs, (performance.now() - before) * share);
  }
  listen();
  return {
    [Symbol.dispose]() {
      watcher?.close();
      clearTimeout(timer);
    },
  };
}
