// The open sessions of a gateway, each opened once: at its first use, or because a call waits in it. Closed when unused.
import { DialectName, type SessionSummary } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import type { LeftSessions } from '../cluster/cluster.ts';
import { type Clock, systemClock } from '../log/clock.ts';
import { logPages } from '../log/entries.ts';
import { lateMs } from './session-calls.ts';
import type { OpenSession } from './shared-session.ts';

// The sessions in use here, each opened once. A session without listeners and running work is dropped from memory after a while; it can be
// read from the log again.
/** The used parts of an open session. */
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
  /** Called for a session that was dropped. */
  forget(id: string): void;
  onFault(error: unknown): void;
  idleMs: number;
  clock?: Clock;
};

type Kept<S extends Shared> = { opening: Promise<S>; usedAt: number };

export function createSharedSessions<S extends Shared>(options: Options<S>): SharedSessions<S> {
  const { share, forget, onFault, idleMs, clock = systemClock } = options;
  const entries = new Map<string, Kept<S>>();
  const closes = createCloses({ isOpenAgain: (id) => entries.has(id) });

  async function close(id: string): Promise<void> {
    const open = entries.get(id);
    entries.delete(id);
    await closes.run(id, async () => {
      const session = await open?.opening.catch(() => undefined);
      await session?.[Symbol.asyncDispose]();
      forget(id);
    });
  }

  // A caller that recently got a session may be about to use it, so it is left alone.
  async function sweep(): Promise<void> {
    for (const [id, entry] of [...entries]) {
      if (entry.usedAt + idleMs > clock.now()) continue;
      const session = await entry.opening.catch(() => undefined);
      if (session?.isIdle && entry.usedAt + idleMs <= clock.now() && entries.get(id) === entry)
        await close(id);
    }
  }
  const stopSweeping = clock.every(idleMs / 2, () => void sweep().catch(onFault));

  return {
    open(id) {
      const before = entries.get(id);
      const opening = before?.opening ?? closes.under(id)?.then(() => share(id)) ?? share(id);
      entries.set(id, { opening, usedAt: clock.now() });
      if (before === undefined) opening.catch(() => entries.delete(id));
      return opening;
    },
    opened: (id) => entries.get(id)?.opening,
    *all() {
      for (const [id, { opening }] of entries) yield [id, opening] as const;
    },
    close,
    async leave(id) {
      const open = await entries.get(id)?.opening.catch(() => undefined);
      open?.noteMoved();
      await close(id);
    },
    async [Symbol.asyncDispose]() {
      stopSweeping();
      await Promise.all([...entries.keys()].map(close));
    },
  };
}

type Closes = {
  /** Resolves when the session's work has ended; undefined when it is not being closed. */
  under(id: string): Promise<void> | undefined;
  run(id: string, work: () => Promise<void>): Promise<void>;
};

/** The closes of one session run one after the other. */
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

// At the start of a gateway, and when another one is gone: opens the sessions in which calls wait for a human, or were decided but not
// begun, so that each decision starts its call even before a client connects. Where the log shows it, also those with a call left running.
type AdoptOptions = {
  clock?: Clock;
  open(id: string): Promise<Pick<OpenSession, 'client' | 'startDecided'>>;
  onFault(error: unknown): void;
  /** Whether this gateway may open the sessions of a folder; by default only those of its workspace. */
  isHere?(workspace: string): boolean;
};

/** The used parts of a host. */
type Waited = Pick<Host, 'log' | 'limits'> & { workspace: { root: { real: string } } };

/** `again`: a gateway is gone whose sessions may have such calls. */
type Adopting = AsyncDisposable & { again(left: LeftSessions): void };

const adoptedAtOnce = 8;

export function adoptSessions(host: Waited, options: AdoptOptions): Adopting {
  const stop = new AbortController();
  const adopt = (left?: LeftSessions): Promise<unknown> =>
    adoptAll(host, options, { signal: stop.signal, left }).catch(options.onFault);
  let adopted = adopt();
  return {
    again(left) {
      adopted = Promise.all([adopted, adopt(left)]);
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await adopted;
    },
  };
}

type Scope = { signal: AbortSignal; left: LeftSessions | undefined };

async function adoptAll(host: Waited, options: AdoptOptions, { signal, left }: Scope): Promise<void> {
  const root = host.workspace.root.real;
  const { isHere = (workspace: string) => workspace === root } = options;
  const mayWait = await findWaiting(host, options);
  const waiting = (await host.log.sessions()).filter(
    (session) => isHere(session.workspace) && (left?.sessions.has(session.id) ?? true) && mayWait(session),
  );
  // Every gateway starts at a different position, so that two of them seldom try the same session; recently used ones come first.
  const [first, then] = [waiting.filter(({ id }) => left?.isFirst(id)), waiting];
  const candidates = new Set([...first, ...then]).values();
  const worker = async (): Promise<void> => {
    for (const { id } of candidates) if (!signal.aborted) await adoptOne(host, id, options);
  };
  await Promise.all(Array.from({ length: adoptedAtOnce }, worker));
}

/** The sessions that may have waiting calls; no others have any. */
async function findWaiting(
  { log, limits }: Waited,
  { clock = systemClock }: AdoptOptions,
): Promise<(session: SessionSummary) => boolean> {
  const open = await log.withOpenCalls?.();
  const asking = new Set(open ?? (await log.asking()));
  const since =
    open === undefined ? clock.time() - longestApprovalMs({ limits }) - lateMs : Number.POSITIVE_INFINITY;
  return ({ id, lastAt }) => lastAt >= since || asking.has(id);
}

async function adoptOne(host: Waited, id: string, { open, onFault }: AdoptOptions): Promise<void> {
  try {
    const isTold = host.log.withOpenCalls !== undefined;
    if (!isTold && !(await hasOpenQuestion(host, id))) return;
    const session = await open(id);
    // A client's calls are started when the client connects.
    if (session.client === undefined) session.startDecided();
  } catch (error) {
    onFault(error);
  }
}

/** A session that rested longer has nothing that waits, unless a person is at it: then the log finds it by its latest entries. */
export function longestApprovalMs(host: Pick<Host, 'limits'>): number {
  return Math.max(...DialectName().options.map((name) => host.limits(name).approvalMs));
}

async function hasOpenQuestion({ log }: Waited, id: string): Promise<boolean> {
  const askedCalls = new Set<string>();
  for await (const page of logPages(log, id))
    for (const { body } of page) {
      if (body.type === 'approval.requested') askedCalls.add(body.callId);
      if (body.type === 'call.finished') askedCalls.delete(body.callId);
    }
  return askedCalls.size > 0;
}
