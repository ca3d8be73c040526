// Watches a log that other processes write as well; where several gateways share the log, a session is taken before it is opened. One watch
// serves all sessions: with one for each, every entry would wake them all.
import type { FSWatcher } from 'node:fs';
import { type DialectName, type SessionSummary, ToolError } from '@codelab/protocol';
import { type Host, watchFolder } from '@codelab/runtime';
import { type Cluster, type LeftSessions, SessionElsewhere } from '../cluster/cluster.ts';
import type { SessionHeaders } from './session-header.ts';

const soonestMs = 50;
/** The time before a folder that can't be watched is tried again. */
const retryMs = 5000;
/** Reading the list of sessions takes at most one part in this many of the time. */
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
    await onChange(new Map(sessions.map((session) => [session.id, session])));
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

// Handles sessions of a log that several gateways share: a session is taken before it is opened, handed back when it is closed, and dropped
// when another gateway has taken it.

type Parts = {
  headers: Pick<SessionHeaders, 'of'>;
  host: { forget(id: string): void };
  /** Ends calls of processes that are gone, where the files are here. */
  recover(id: string): Promise<void>;
  orphaned: { adopt(session: string): Promise<void> };
  onFault(error: unknown): void;
};

type InCluster = {
  /** From here on no other gateway uses the session; calls of a dead gateway are ended, or waited for. */
  take(id: string, client: DialectName | undefined): Promise<void>;
  forget(id: string): void;
  follow(shared: { leave(id: string): Promise<void> }, adopting: { again(left: LeftSessions): void }): void;
};

/** Without a cluster all sessions belong to this gateway. */
export function inCluster(
  cluster: Cluster | undefined,
  { headers, host, recover, orphaned, onFault }: Parts,
): InCluster {
  return {
    async take(id, client) {
      if (cluster === undefined) return;
      const header = client === undefined ? await headers.of(id) : undefined;
      // The owner of a workspace also owns its worktrees.
      await cluster.acquire(id, header?.worktree?.of ?? header?.workspace);
      if (client === undefined) await recover(id);
      else await orphaned.adopt(id);
    },
    forget(id) {
      host.forget(id);
      cluster?.release(id).catch(onFault);
    },
    follow(shared, adopting) {
      cluster?.onLost((id) => void shared.leave(id).catch(onFault));
      cluster?.onNodeGone(adopting.again);
    },
  };
}

/** A session that has moved to another gateway is not a defect of this one. */
export function exceptMoved(onFault: ((error: unknown) => void) | undefined): (error: unknown) => void {
  return (error) => {
    const isMoved = error instanceof ToolError && error.details?.moved === true;
    if (!isMoved && !(error instanceof SessionElsewhere)) onFault?.(error);
  };
}
