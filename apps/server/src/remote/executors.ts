// Calls that a client carries out, where the files are. Each is handed to one executor, once; what it says of it counts, whoever it
// has become by then. Only what changes nothing is handed out again when an executor comes back.
import { type SessionLog, ToolError } from '@codelab/protocol';
import { opensRemote } from './opens-remote.ts';

export type Job = {
  session: string;
  callId: string;
  tool: string;
  args: Record<string, unknown>;
  /** It changes nothing, so doing it twice does no harm. */
  isRepeatable: boolean;
};

/** What an executor made of a job; the tool's own data. */
export type JobEnd = Record<string, unknown> | ToolError;

export type Executors = {
  /** Whether the calls of a session are for a client; that was said when it was opened. */
  isRemote(session: string): Promise<boolean>;
  carryOut(job: Job, signal: AbortSignal): Promise<Record<string, unknown>>;
  /** The jobs nobody has taken, then those that come, until the signal aborts. Each goes to one of those who take. */
  take(session: string, signal: AbortSignal): AsyncIterable<Job>;
  /** The jobs under this id whose end somebody waits for; sessions may use the same ids. */
  find(callId: string): Job[];
  /** False when nobody waits for it any more. */
  settle(job: Job, end: JobEnd): boolean;
};

type Waiting = { job: Job; isTaken: boolean; end(end: JobEnd): void };

export function createExecutors(log: SessionLog): Executors {
  const remote = new Map<string, Promise<boolean>>();
  const waiting = new Map<string, Waiting>();
  const wakers = new Map<string, Set<() => void>>();

  function wake(session: string): void {
    for (const waker of wakers.get(session) ?? []) waker();
  }

  return {
    isRemote(session) {
      const found = remote.get(session) ?? opensRemote(log, session);
      remote.set(session, found);
      found.catch(() => remote.delete(session));
      return found;
    },
    async carryOut(job, signal) {
      signal.throwIfAborted();
      const key = keyOf(job.session, job.callId);
      const { promise, resolve } = Promise.withResolvers<JobEnd>();
      const entry: Waiting = { job, isTaken: false, end: resolve };
      const giveUp = (): void => resolve(givenUp(entry, signal));
      waiting.set(key, entry);
      signal.addEventListener('abort', giveUp, { once: true });
      wake(job.session);
      try {
        const end = await promise;
        if (end instanceof ToolError) throw end;
        return end;
      } finally {
        waiting.delete(key);
        signal.removeEventListener('abort', giveUp);
      }
    },
    take: (session, signal) => takeFrom({ waiting, wakers }, session, signal),
    find: (callId) => [...waiting.values()].map(({ job }) => job).filter((job) => job.callId === callId),
    settle(job, end) {
      const entry = waiting.get(keyOf(job.session, job.callId));
      if (entry?.job !== job) return false;
      waiting.delete(keyOf(job.session, job.callId));
      entry.end(end);
      return true;
    },
  };
}

type Queues = { waiting: ReadonlyMap<string, Waiting>; wakers: Map<string, Set<() => void>> };

async function* takeFrom(
  { waiting, wakers }: Queues,
  session: string,
  signal: AbortSignal,
): AsyncGenerator<Job> {
  const own = new Set<Waiting>();
  const here = wakers.get(session) ?? new Set();
  wakers.set(session, here);
  let waker = (): void => undefined;
  const ring = (): void => waker();
  here.add(ring);
  signal.addEventListener('abort', ring, { once: true });
  try {
    while (!signal.aborted) {
      const next = [...waiting.values()].find(
        (one) => one.job.session === session && !one.isTaken && !own.has(one),
      );
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          waker = resolve;
        });
        continue;
      }
      next.isTaken = true;
      own.add(next);
      yield next.job;
    }
  } finally {
    for (const one of own) if (one.job.isRepeatable) one.isTaken = false;
    here.delete(ring);
    if (here.size === 0) wakers.delete(session);
    else for (const other of here) other();
    signal.removeEventListener('abort', ring);
  }
}

// One that was handed out may have been done: nobody here can say it was not.
function givenUp({ job, isTaken }: Waiting, signal: AbortSignal): ToolError {
  if (isTaken && !job.isRepeatable)
    return new ToolError(
      'OUTCOME_UNKNOWN',
      'The client that carries this out has not said how it ended. Look at the files before repeating it.',
    );
  if (signal.reason instanceof Error && signal.reason.name === 'TimeoutError')
    return new ToolError('TIMEOUT', 'No client carried this out in time. Connect one that has the files.');
  return new ToolError('CANCELLED', 'The call was cancelled.');
}

function keyOf(session: string, callId: string): string {
  return JSON.stringify([session, callId]);
}
