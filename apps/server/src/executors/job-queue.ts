// The jobs of one session, and which of the connected clients gets each. The log records the executor of a job before the executor gets it.
// From then on no other executor gets the job, unless the job only reads.
import { type Executor, ToolError } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';

/** A call for a client to carry out, with the messages to and from it. */
export type CallJob = {
  session: string;
  callId: string;
  tool: string;
  args: Record<string, unknown>;
  /** The call changes nothing, so running it twice does no harm. */
  isRepeatable: boolean;
  report(progress: Record<string, unknown>): void;
};

/** The result of a job; the tool's own data. */
export type JobEnd = Record<string, unknown> | ToolError;

export type Order =
  /** `isAgain`: the job was handed to the same executor before. */
  | { type: 'execute'; job: CallJob; isAgain: boolean; approvalId: string | undefined }
  | { type: 'cancel'; job: CallJob };

/** The reporter of a job's end; `executor` is missing where only the person is known. */
export type Reporter = { who: string; executor?: Executor };

export type JobQueue = {
  readonly isEmpty: boolean;
  /** `taker` is the executor that already has the job. The job can be found immediately. */
  carryOut(job: CallJob, signal: AbortSignal, taker: Executor | undefined): Promise<Record<string, unknown>>;
  attach(executor: Executor, give: (order: Order) => void): () => void;
  get(callId: string): CallJob | undefined;
  mayReport(callId: string, by: Reporter): boolean;
  settle(callId: string, end: JobEnd): void;
};

// A cancelled client must report its state within this time.
const cancelMs = 1500;

/** `host` provides the sessions. */
export function createJobQueue(host: Pick<Host, 'session'>): JobQueue {
  const jobs = new Map<string, QueuedJob>();
  const connections = new Set<ExecutorConnection>();
  const { offer, offerTo, leave } = createAssignment(host, jobs, connections);
  return {
    get isEmpty() {
      return jobs.size === 0 && connections.size === 0;
    },
    async carryOut(job, signal, taker) {
      const { promise, resolve: end } = Promise.withResolvers<JobEnd>();
      const queued: QueuedJob = { job, taker, connection: undefined, end };
      jobs.set(job.callId, queued);
      let grace: NodeJS.Timeout | undefined;
      const stop = (): void => {
        grace = stopJob(queued, signal);
      };
      signal.addEventListener('abort', stop, { once: true });
      offer(queued);
      try {
        return dataOf(await promise);
      } finally {
        clearTimeout(grace);
        signal.removeEventListener('abort', stop);
        if (jobs.get(job.callId) === queued) jobs.delete(job.callId);
      }
    },
    attach(executor, give) {
      const connection: ExecutorConnection = { executor, give };
      connections.add(connection);
      for (const queued of jobs.values()) offerTo(queued, connection);
      return () => leave(connection);
    },
    get: (callId) => jobs.get(callId)?.job,
    mayReport(callId, by) {
      const queued = jobs.get(callId);
      return queued !== undefined && isReporter(queued.taker, by);
    },
    settle(callId, end) {
      const queued = jobs.get(callId);
      jobs.delete(callId);
      queued?.end(end);
    },
  };
}

function stopJob(queued: QueuedJob, signal: AbortSignal): NodeJS.Timeout | undefined {
  const end = givenUp(queued, signal);
  queued.connection?.give({ type: 'cancel', job: queued.job });
  if (queued.connection !== undefined && !queued.job.isRepeatable)
    return setTimeout(() => queued.end(end), cancelMs).unref();
  queued.end(end);
  return undefined;
}

/** A client that is connected. */
type ExecutorConnection = { executor: Executor; give(order: Order): void };

type QueuedJob = {
  job: CallJob;
  /** The executor that has the job, and its connection while it is connected. */
  taker: Executor | undefined;
  connection: ExecutorConnection | undefined;
  end(end: JobEnd): void;
};

type Assignment = {
  offer(queued: QueuedJob): void;
  /** False when the job is not for this executor. */
  offerTo(queued: QueuedJob, connection: ExecutorConnection): boolean;
  leave(connection: ExecutorConnection): void;
};

type Sessions = Pick<Host, 'session'>;

function createAssignment(
  host: Sessions,
  jobs: ReadonlyMap<string, QueuedJob>,
  connections: Set<ExecutorConnection>,
): Assignment {
  function offer(queued: QueuedJob): void {
    const load = (connection: ExecutorConnection): number =>
      [...jobs.values()].filter((job) => job.connection === connection).length;
    for (const connection of [...connections].sort((a, b) => load(a) - load(b)))
      if (offerTo(queued, connection)) return;
  }

  function offerTo(queued: QueuedJob, connection: ExecutorConnection): boolean {
    if (queued.taker === undefined) void hand(queued, connection);
    else if (isSame(queued.taker, connection.executor)) void give(host, queued, connection, true);
    else return false;
    return true;
  }

  async function hand(queued: QueuedJob, connection: ExecutorConnection): Promise<void> {
    queued.taker = connection.executor;
    queued.connection = connection;
    try {
      if (!queued.job.isRepeatable) await writeDown(host, queued.job, connection.executor);
      if (queued.connection === connection) return await give(host, queued, connection, false);
      // The executor disconnected before it got the job, so it was never begun.
      if (queued.connection !== undefined || jobs.get(queued.job.callId) !== queued) return;
      queued.taker = undefined;
      offer(queued);
    } catch (error) {
      queued.end(
        error instanceof ToolError
          ? error
          : new ToolError('INTERNAL', 'The job could not be sent to an executor.'),
      );
    }
  }

  // Jobs that only read go back to every executor; other jobs wait for the same executor to return.
  function leave(connection: ExecutorConnection): void {
    connections.delete(connection);
    for (const queued of jobs.values()) {
      if (queued.connection !== connection) continue;
      queued.connection = undefined;
      if (!queued.job.isRepeatable) continue;
      queued.taker = undefined;
      offer(queued);
    }
  }

  return { offer, offerTo, leave };
}

async function writeDown(
  host: Sessions,
  { session, callId }: CallJob,
  { id, who, isNamed }: Executor,
): Promise<void> {
  const live = await host.session(session);
  const takenEvent = { type: 'call.taken' as const, callId, executor: { id, who, isNamed } };
  await live.commit(() => (live.finished(callId) ? [] : [takenEvent]), { durable: true });
}

async function give(
  host: Sessions,
  queued: QueuedJob,
  connection: ExecutorConnection,
  isAgain: boolean,
): Promise<void> {
  const { job } = queued;
  queued.connection = connection;
  const live = await host.session(job.session);
  const { approvalId } = live.pass(job.callId);
  if (queued.connection === connection) connection.give({ type: 'execute', job, isAgain, approvalId });
}

// After a reconnect, an executor without a name can't be distinguished from others of the same person.
function isSame(taker: Executor, executor: Executor): boolean {
  return taker.isNamed && executor.isNamed && taker.id === executor.id && taker.who === executor.who;
}

/** Whether the reporter may report the end of a job that this executor has. */
function isReporter(taker: Executor | undefined, { who, executor }: Reporter): boolean {
  if (taker === undefined) return true;
  if (taker.isNamed) return executor !== undefined && isSame(taker, executor);
  return taker.who === who;
}

/** The error of a job that is no longer waited for. A job that was handed out may have run, so its outcome is unknown. */
function givenUp({ job, taker }: QueuedJob, signal: AbortSignal): ToolError {
  if (taker !== undefined && !job.isRepeatable)
    return new ToolError(
      'OUTCOME_UNKNOWN',
      'The client did not report how this call ended. Check the files before you repeat it.',
    );
  if (signal.reason instanceof Error && signal.reason.name === 'TimeoutError')
    return new ToolError('TIMEOUT', 'No client ran this call in time. Connect a client that has the files.');
  const { reason } = signal;
  return reason instanceof ToolError ? reason : new ToolError('CANCELLED', 'The call was cancelled.');
}

/** The data of a job that was carried out; a failure is thrown. */
export function dataOf(end: JobEnd): Record<string, unknown> {
  if (end instanceof ToolError) throw end;
  return end;
}
