// Calls that clients carry out, where the files are, in all sessions of a gateway; also those that were left when it went down.
import { type CallState, type DialectName, type Executor, type Outcome, ToolError } from '@codelab/protocol';
import { completed, endedBadly, finishCall, type Host, type Tool, thisProcess } from '@codelab/runtime';
import {
  type CallJob,
  createJobQueue,
  dataOf,
  type JobEnd,
  type JobQueue,
  type Order,
  type Reporter,
} from './job-queue.ts';

export type Executors = {
  carryOut(job: CallJob, signal: AbortSignal): Promise<Record<string, unknown>>;
  /** Gives this executor the jobs of the session from now on: those that wait, then new ones. */
  attach(session: string, executor: Executor, give: (order: Order) => void): Disposable;
  find(callId: string): CallJob[];
  get(session: string, callId: string): CallJob | undefined;
  mayReport(job: CallJob, by: Reporter): boolean;
  /** False when the job is no longer waited for, or another executor has it. */
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

// Calls that a client had taken, or was to take, when the gateway stopped. The gateway waits for them again, as long as each may take: the
// client may have finished its work meanwhile, and no other client gets them.

type OrphanedJobs = {
  /** Resolves when all orphaned jobs wait for their executors. */
  ready: Promise<void>;
  /** Adopts the jobs of one session, which this process has taken over. */
  adopt(session: string): Promise<void>;
  /** Ends those of one session. */
  cancel(session: string): Promise<void>;
};

/** The host of clients' calls, and the folder under which their sessions are recorded. */
type ClientCalls = {
  host: Host;
  root: string;
  clientOf(session: string): Promise<DialectName | undefined>;
  executors: Executors;
};

type Running = Extract<CallState, { state: 'running' }>;
type Waiting = { stop: AbortController; ended: Promise<void> };

export function awaitOrphanedJobs(
  clientSessions: ClientCalls,
  { onFault, isShared }: { onFault(error: unknown): void; isShared: boolean },
): OrphanedJobs {
  const waiting = new Map<string, Set<Waiting>>();

  function wait(session: string, state: Running, tool: Tool): void {
    const stop = new AbortController();
    const jobs = waiting.get(session) ?? new Set();
    const ended = finish(clientSessions, state, tool, stop.signal)
      .catch(onFault)
      .finally(() => {
        jobs.delete(ownWaiting);
        if (jobs.size === 0) waiting.delete(session);
      });
    const ownWaiting: Waiting = { stop, ended };
    waiting.set(session, jobs.add(ownWaiting));
  }

  async function start(): Promise<void> {
    const { host, root, clientOf } = clientSessions;
    for (const { session, callId } of await host.log.unfinished(root)) {
      if ((await clientOf(session)) === undefined) continue;
      await waitIfLeft(session, callId);
    }
  }

  async function waitIfLeft(session: string, callId: string): Promise<void> {
    const { host } = clientSessions;
    const live = await host.session(session);
    const state = live.openCalls.get(callId);
    if (state?.state !== 'running' || isAnothers(state, host)) return;
    const tool = host.tools.get(state.call.tool);
    if (tool !== undefined) wait(session, state, tool);
  }

  return {
    ready: isShared ? Promise.resolve() : start(),
    async adopt(session) {
      if (waiting.has(session)) return;
      const live = await clientSessions.host.session(session);
      await live.catchUp();
      for (const callId of [...live.openCalls.keys()]) await waitIfLeft(session, callId);
    },
    async cancel(session) {
      const jobs = [...(waiting.get(session) ?? [])];
      for (const { stop } of jobs) stop.abort();
      await Promise.all(jobs.map(({ ended }) => ended));
    },
  };
}

/** Whether another gateway over the same log is running the call. */
function isAnothers({ owner }: Running, { isAlive }: Pick<Host, 'isAlive'>): boolean {
  const current = thisProcess();
  return isAlive(owner) && !(owner.pid === current.pid && owner.startedAt === current.startedAt);
}

async function finish(
  { host, executors }: ClientCalls,
  { call, args, startedAt }: Running,
  tool: Tool,
  stopped: AbortSignal,
): Promise<void> {
  const live = await host.session(call.session);
  const mostMs = call.timeoutMs ?? host.limits(call.dialect).runMs;
  const remainingMs = Math.max(0, startedAt + mostMs - Date.now());
  const report = (progress: Record<string, unknown>): void => host.progress.tell(call, progress);
  const callRef = { session: call.session, callId: call.id, tool: call.tool };
  const job: CallJob = { ...callRef, args, isRepeatable: false, report };
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(remainingMs)]);
  const travelled = { call, startedAt, changedBy: undefined };
  const outcome: Outcome = await executors.carryOut(job, signal).then(
    (data) => completed(travelled, tool, { data, effects: [] }),
    (error: unknown) => {
      if (!(error instanceof ToolError) && !signal.aborted) throw error;
      return endedBadly(travelled, error);
    },
  );
  await finishCall(live, { call, outcome });
}
