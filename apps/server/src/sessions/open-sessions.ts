// The open sessions of a gateway, each opened once: at the first use or because a call waits in it. Closed when nobody uses it.
import { DialectName } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { type Clock, systemClock } from '../log/clock.ts';
import { logPages } from '../log/entries.ts';
import { lateMs } from './session-calls.ts';
import type { OpenSession } from './shared-session.ts';

// A session without subscribers in which nothing runs is closed after a while: the log has everything.
/** What is used here of a session that is open. */
type Shared = Pick<OpenSession, 'isIdle' | 'noteMoved'> & AsyncDisposable;

type SharedSessions<S extends Shared> = AsyncDisposable & {
  open(id: string): Promise<S>;
  opened(id: string): Promise<S> | undefined;
  all(): Iterable<readonly [string, Promise<S>]>;
  close(id: string): Promise<void>;
  /** Closes one that another gateway serves now. */
  leave(id: string): Promise<void>;
};

type Options<S extends Shared> = {
  share(id: string): Promise<S>;
  /** Called with a session that was closed. */
  forget(id: string): void;
  onFault(error: unknown): void;
  idleMs: number;
  clock?: Clock;
};

type OpenEntry<S extends Shared> = { opening: Promise<S>; usedAt: number };

export function createSharedSessions<S extends Shared>(options: Options<S>): SharedSessions<S> {
  const { share, forget, onFault, idleMs, clock = systemClock } = options;
  const sessions = new Map<string, OpenEntry<S>>();
  const closes = createCloses({ isOpenAgain: (id) => sessions.has(id) });

  async function close(id: string): Promise<void> {
    const open = sessions.get(id);
    sessions.delete(id);
    await closes.run(id, async () => {
      const session = await open?.opening.catch(() => undefined);
      await session?.[Symbol.asyncDispose]();
      forget(id);
    });
  }

  // A caller may be about to use a session it was just given, so a session requested lately stays open.
  async function sweep(): Promise<void> {
    for (const [id, one] of [...sessions]) {
      if (one.usedAt + idleMs > clock.now()) continue;
      const session = await one.opening.catch(() => undefined);
      if (session?.isIdle && one.usedAt + idleMs <= clock.now() && sessions.get(id) === one) await close(id);
    }
  }
  const stopSweeping = clock.every(idleMs / 2, () => void sweep().catch(onFault));

  return {
    open(id) {
      const before = sessions.get(id);
      const opening = before?.opening ?? closes.under(id)?.then(() => share(id)) ?? share(id);
      sessions.set(id, { opening, usedAt: clock.now() });
      if (before === undefined) opening.catch(() => sessions.delete(id));
      return opening;
    },
    opened: (id) => sessions.get(id)?.opening,
    *all() {
      for (const [id, { opening }] of sessions) yield [id, opening] as const;
    },
    close,
    async leave(id) {
      const open = await sessions.get(id)?.opening.catch(() => undefined);
      open?.noteMoved();
      await close(id);
    },
    async [Symbol.asyncDispose]() {
      stopSweeping();
      await Promise.all([...sessions.keys()].map(close));
    },
  };
}

type Closes = {
  /** Resolves when what was under way in the session has ended; undefined when it is not being closed. */
  under(id: string): Promise<void> | undefined;
  run(id: string, work: () => Promise<void>): Promise<void>;
};

/** Closes of the same session run one after the other. */
function createCloses({ isOpenAgain }: { isOpenAgain(id: string): boolean }): Closes {
  const closing = new Map<string, Promise<void>>();
  return {
    under: (id) => closing.get(id),
    async run(id, work) {
      const ended = Promise.resolve(closing.get(id)).then(work);
      closing.set(
        id,
        ended.catch(() => undefined),
      );
      await ended.finally(() => {
        if (!isOpenAgain(id)) closing.delete(id);
      });
    },
  };
}

// At the start of a gateway: opens the sessions in which calls wait for a human, or were decided and not started, so that a decision starts its call
// although nobody has connected yet.
type AdoptOptions = {
  clock?: Clock;
  open(id: string): Promise<Pick<OpenSession, 'client' | 'startDecided'>>;
  onFault(error: unknown): void;
  /** Whether the sessions of a folder are this gateway's to open; default: those of its workspace alone. */
  isHere?(workspace: string): boolean;
};

/** What is used of a host. */
type Waited = Pick<Host, 'log' | 'limits'> & { workspace: { root: { real: string } } };

/** `again`: a gateway is gone whose sessions may have such calls. */
type Adopting = AsyncDisposable & { again(sessions: ReadonlySet<string>): void };

const adoptedAtOnce = 8;

export function adoptSessions(host: Waited, options: AdoptOptions): Adopting {
  const stop = new AbortController();
  const adopt = (only?: ReadonlySet<string>): Promise<unknown> =>
    adoptAll(host, options, { signal: stop.signal, only }).catch(options.onFault);
  let adopted = adopt();
  return {
    again(sessions) {
      adopted = Promise.all([adopted, adopt(sessions)]);
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await adopted;
    },
  };
}

type Scope = { signal: AbortSignal; only: ReadonlySet<string> | undefined };

async function adoptAll(host: Waited, options: AdoptOptions, { signal, only }: Scope): Promise<void> {
  const root = host.workspace.root.real;
  const { clock = systemClock, isHere = (workspace: string) => workspace === root } = options;
  const since = clock.time() - longestApprovalMs(host) - lateMs;
  const sessions = await host.log.sessions();
  const asking = new Set(await host.log.asking());
  const waiting = sessions.filter(
    ({ id, workspace, lastAt }) =>
      isHere(workspace) && (only?.has(id) ?? true) && (lastAt >= since || asking.has(id)),
  );
  const remaining = waiting.values();
  const worker = async (): Promise<void> => {
    for (const { id } of remaining) if (!signal.aborted) await adoptOne(host, id, options);
  };
  await Promise.all(Array.from({ length: adoptedAtOnce }, worker));
}

async function adoptOne(host: Waited, id: string, { open, onFault }: AdoptOptions): Promise<void> {
  try {
    if (!(await hasOpenQuestion(host, id))) return;
    const session = await open(id);
    // A client's calls are started when the client connects.
    if (session.client === undefined) session.startDecided();
  } catch (error) {
    onFault(error);
  }
}

/** A session at rest for longer has nothing pending, unless a person is at it: then the log finds it by its latest entries. */
export function longestApprovalMs(host: Pick<Host, 'limits'>): number {
  return Math.max(...DialectName().options.map((name) => host.limits(name).approvalMs));
}

async function hasOpenQuestion({ log }: Waited, id: string): Promise<boolean> {
  const awaited = new Set<string>();
  for await (const page of logPages(log, id))
    for (const { body } of page) {
      if (body.type === 'approval.requested') awaited.add(body.callId);
      if (body.type === 'call.finished') awaited.delete(body.callId);
    }
  return awaited.size > 0;
}
