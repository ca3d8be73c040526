// The jobs of one session and the clients that are there for them.
import type { Executor } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { createHanding, type Desk, type Entry, givenUp, maySay } from './handing.ts';
import { dataOf, type Job, type JobEnd, type Order, type Teller } from './job.ts';

export type Room = {
  readonly isEmpty: boolean;
  /** `taker` is who has it from before. It can be found at once. */
  carryOut(job: Job, signal: AbortSignal, taker: Executor | undefined): Promise<Record<string, unknown>>;
  attach(executor: Executor, give: (order: Order) => void): () => void;
  get(callId: string): Job | undefined;
  mayTell(callId: string, by: Teller): boolean;
  settle(callId: string, end: JobEnd): void;
};

// A client that is told to stop says within this time how far it came.
const cancelMs = 1500;

/** `host` is where the session is known from. */
export function createRoom(host: Pick<Host, 'session'>): Room {
  const entries = new Map<string, Entry>();
  const desks = new Set<Desk>();
  const { offer, offerTo, leave } = createHanding(host, entries, desks);
  return {
    get isEmpty() {
      return entries.size === 0 && desks.size === 0;
    },
    async carryOut(job, signal, taker) {
      const { promise, resolve: end } = Promise.withResolvers<JobEnd>();
      const entry: Entry = { job, taker, desk: undefined, end };
      entries.set(job.callId, entry);
      let grace: NodeJS.Timeout | undefined;
      const stop = (): void => {
        grace = stopEntry(entry, signal);
      };
      signal.addEventListener('abort', stop, { once: true });
      offer(entry);
      try {
        return dataOf(await promise);
      } finally {
        clearTimeout(grace);
        signal.removeEventListener('abort', stop);
        if (entries.get(job.callId) === entry) entries.delete(job.callId);
      }
    },
    attach(executor, give) {
      const desk: Desk = { executor, give };
      desks.add(desk);
      for (const entry of entries.values()) offerTo(entry, desk);
      return () => leave(desk);
    },
    get: (callId) => entries.get(callId)?.job,
    mayTell(callId, by) {
      const entry = entries.get(callId);
      return entry !== undefined && maySay(entry.taker, by);
    },
    settle(callId, end) {
      const entry = entries.get(callId);
      entries.delete(callId);
      entry?.end(end);
    },
  };
}

function stopEntry(entry: Entry, signal: AbortSignal): NodeJS.Timeout | undefined {
  const end = givenUp(entry, signal);
  entry.desk?.give({ type: 'cancel', job: entry.job });
  if (entry.desk !== undefined && !entry.job.isRepeatable)
    return setTimeout(() => entry.end(end), cancelMs).unref();
  entry.end(end);
  return undefined;
}
