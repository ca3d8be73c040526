// The sessions that are open here, each once: opened at the first use or because a call waits in them, told what other processes append,
// closed when nobody uses them.

import type { FSWatcher } from 'node:fs';
import { DialectName, type SessionSummary } from '@codelab/protocol';
import { type Host, watchFolder } from '@codelab/runtime';
import { logPages } from '../log/read-log.ts';
import { lateMs } from './session-calls.ts';
import type { OpenSession } from './shared-session.ts';

// The sessions that somebody here uses, each opened once. One that nobody listens to and that has nothing under way is let go of after
// a while: the log has it all.
type SharedSessions = AsyncDisposable & {
  open(id: string): Promise<OpenSession>;
  opened(id: string): Promise<OpenSession> | undefined;
  all(): Iterable<readonly [string, Promise<OpenSession>]>;
  close(id: string): Promise<void>;
};

type Options = {
  share(id: string): Promise<OpenSession>;
  /** Told of one that was let go of. */
  forget(id: string): void;
  onFault(error: unknown): void;
  idleMs: number;
};

type Kept = { opening: Promise<OpenSession>; usedAt: number };

export function createSharedSessions({ share, forget, onFault, idleMs }: Options): SharedSessions {
  const kept = new Map<string, Kept>();

  async function close(id: string): Promise<void> {
    const open = kept.get(id);
    kept.delete(id);
    await (await open?.opening)?.[Symbol.asyncDispose]();
    forget(id);
  }

  // Whoever was given one may be about to use it, so one that was asked for lately is left alone.
  async function sweep(): Promise<void> {
    for (const [id, one] of [...kept]) {
      if (one.usedAt + idleMs > Date.now()) continue;
      const session = await one.opening.catch(() => undefined);
      if (session?.isIdle && one.usedAt + idleMs <= Date.now() && kept.get(id) === one) await close(id);
    }
  }
  const sweeping = setInterval(() => void sweep().catch(onFault), idleMs / 2).unref();

  return {
    open(id) {
      const before = kept.get(id);
      const opening = before?.opening ?? share(id);
      kept.set(id, { opening, usedAt: Date.now() });
      if (before === undefined) opening.catch(() => kept.delete(id));
      return opening;
    },
    opened: (id) => kept.get(id)?.opening,
    *all() {
      for (const [id, { opening }] of kept) yield [id, opening] as const;
    },
    close,
    async [Symbol.asyncDispose]() {
      clearInterval(sweeping);
      await Promise.all([...kept.keys()].map(close));
    },
  };
}

// At the start of a gateway: opens the sessions in which calls wait for a human, or were decided and not begun, so that each decision starts
// its call although nobody has connected yet.
type AdoptOptions = {
  open(id: string): Promise<OpenSession>;
  onFault(error: unknown): void;
};

export function adoptSessions(host: Host, options: AdoptOptions): AsyncDisposable {
  const stop = new AbortController();
  const adopted = adoptAll(host, options, stop.signal).catch(options.onFault);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await adopted;
    },
  };
}

async function adoptAll(host: Host, { open, onFault }: AdoptOptions, signal: AbortSignal): Promise<void> {
  const root = host.workspace.root.real;
  const since = Date.now() - longestApprovalMs(host) - lateMs;
  const sessions = await host.log.sessions();
  const recent = sessions.filter(({ workspace, lastAt }) => workspace === root && lastAt >= since);
  for (const { id } of recent) {
    if (signal.aborted) return;
    try {
      if (!(await hasOpenQuestion(host, id)) || signal.aborted) continue;
      const session = await open(id);
      // A client's calls are started when the client connects.
      if (session.client === undefined) session.startDecided();
    } catch (error) {
      onFault(error);
    }
  }
}

/** Nothing waits longer than an approval may, so a session that rested longer has nothing that waits. */
export function longestApprovalMs(host: Host): number {
  return Math.max(...DialectName().options.map((name) => host.limits(name).approvalMs));
}

async function hasOpenQuestion({ log }: Host, id: string): Promise<boolean> {
  const asked = new Set<string>();
  for await (const page of logPages(log, id))
    for (const { body } of page) {
      if (body.type === 'approval.requested') asked.add(body.callId);
      if (body.type === 'call.finished') asked.delete(body.callId);
    }
  return asked.size > 0;
}

/** Notices what other processes append to the log. One watch for all sessions: with one for each, every entry would wake them all. */
const soonestMs = 50;
/** Before a folder that can't be watched is tried once more. */
const retryMs = 5000;
/** Looking takes at most one part in so many of the time. */
const share = 20;

/** `onChange` is told which sessions there are and where they stand, soon after anything has changed in the folder of the log. */
export function followLog(
  host: Host,
  {
    onChange,
    onFault,
  }: {
    onChange(sessions: ReadonlyMap<string, SessionSummary>): Promise<void>;
    onFault(error: unknown): void;
  },
): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  let restMs = soonestMs;
  let isFailing = false;
  function lookSoon(): void {
    timer ??= setTimeout(() => void look().catch(onFault), restMs);
  }
  // Known to have changed, it is not watched until it was looked at: every entry of this process would wake it once more.
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
  // Reported once, not at every try.
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
