// Calls that clients carry out, where the files are, in all sessions of a gateway.
import type { Executor } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import type { CallJob, JobEnd, Order, Reporter } from './job-queue.ts';
import { createJobQueue, dataOf, type JobQueue } from './job-queue.ts';

export type Executors = {
  carryOut(job: CallJob, signal: AbortSignal): Promise<Record<string, unknown>>;
  /** Gives this executor the jobs of the session from now on: those that wait, then new ones. */
  attach(session: string, executor: Executor, give: (order: Order) => void): Disposable;
  find(callId: string): CallJob[];
  get(session: string, callId: string): CallJob | undefined;
  mayReport(job: CallJob, by: Reporter): boolean;
  /** False when nobody waits for the job any more, or another executor has it. */
  settle(job: CallJob, end: JobEnd, by: Reporter): boolean;
  /** Stores the end of a call that was carried out before it was handed out; returns a function that removes it. */
  foresee(session: string, callId: string, end: JobEnd): () => void;
  /** The stored end of a call that a client reported before it was run here; returned once. */
  takeForeseen(session: string, callId: string): JobEnd | undefined;
};

export function createExecutors(host: Pick<Host, 'session'>): Executors {
  const queues = new Map<string, JobQueue>();
  const foreseen = createForeseen();

  function queueOf(session: string): JobQueue {
    const queue = queues.get(session) ?? createJobQueue(host);
    queues.set(session, queue);
    return queue;
  }
  function tidy(session: string): void {
    if (queues.get(session)?.isEmpty) queues.delete(session);
  }

  return {
    async carryOut(job, signal) {
      const live = await host.session(job.session);
      signal.throwIfAborted();
      // No await from here until the job can be found: a result finds the job, or the job finds the result.
      const early = foreseen.take(job.session, job.callId);
      if (early !== undefined) return dataOf(early);
      try {
        return await queueOf(job.session).carryOut(job, signal, live.pass(job.callId).executor);
      } finally {
        tidy(job.session);
      }
    },
    attach(session, executor, give) {
      const leave = queueOf(session).attach(executor, give);
      return {
        [Symbol.dispose]() {
          leave();
          tidy(session);
        },
      };
    },
    find: (callId) => [...queues.values()].flatMap((queue) => queue.get(callId) ?? []),
    get: (session, callId) => queues.get(session)?.get(callId),
    mayReport: ({ session, callId }, by) => queues.get(session)?.mayReport(callId, by) ?? false,
    settle(job, end, by) {
      const queue = queues.get(job.session);
      if (queue?.get(job.callId) !== job || !queue.mayReport(job.callId, by)) return false;
      queue.settle(job.callId, end);
      return true;
    },
    foresee: foreseen.add,
    takeForeseen: foreseen.take,
  };
}

/** Ends of calls that were reported before the calls were handed out. */
function createForeseen(): { add: Executors['foresee']; take: Executors['takeForeseen'] } {
  const ends = new Map<string, JobEnd>();
  return {
    add(session, callId, end) {
      const key = keyOf(session, callId);
      ends.set(key, end);
      return () => {
        if (ends.get(key) === end) ends.delete(key);
      };
    },
    take(session, callId) {
      const key = keyOf(session, callId);
      const end = ends.get(key);
      ends.delete(key);
      return end;
    },
  };
}

function keyOf(session: string, callId: string): string {
  return JSON.stringify([session, callId]);
}
