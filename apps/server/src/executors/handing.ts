// Which client gets a job. Who takes one is written down before it hears of it; from then on nobody else is given it, and only what
// changes nothing is handed out again.
import { type Executor, ToolError } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import type { Job, JobEnd, Order, Teller } from './job.ts';

/** A client that is there. */
export type Desk = { executor: Executor; give(order: Order): void };

export type Entry = {
  job: Job;
  /** Who has it, and where, as long as he is there. */
  taker: Executor | undefined;
  desk: Desk | undefined;
  end(end: JobEnd): void;
};

export type Handing = {
  offer(entry: Entry): void;
  /** False when it is not for this one. */
  offerTo(entry: Entry, desk: Desk): boolean;
  leave(desk: Desk): void;
};

type Sessions = Pick<Host, 'session'>;

export function createHanding(
  host: Sessions,
  entries: ReadonlyMap<string, Entry>,
  desks: Set<Desk>,
): Handing {
  function offer(entry: Entry): void {
    const load = (desk: Desk): number => [...entries.values()].filter((one) => one.desk === desk).length;
    for (const desk of [...desks].sort((a, b) => load(a) - load(b))) if (offerTo(entry, desk)) return;
  }

  function offerTo(entry: Entry, desk: Desk): boolean {
    if (entry.taker === undefined) void hand(entry, desk);
    else if (isSame(entry.taker, desk.executor)) void give(host, entry, desk, true);
    else return false;
    return true;
  }

  async function hand(entry: Entry, desk: Desk): Promise<void> {
    entry.taker = desk.executor;
    entry.desk = desk;
    try {
      if (!entry.job.isRepeatable) await writeDown(host, entry.job, desk.executor);
      if (entry.desk === desk) return await give(host, entry, desk, false);
      // It went before it was told: so nobody has begun.
      if (entry.desk !== undefined || entries.get(entry.job.callId) !== entry) return;
      entry.taker = undefined;
      offer(entry);
    } catch (error) {
      entry.end(
        error instanceof ToolError ? error : new ToolError('INTERNAL', 'It could not be handed out.'),
      );
    }
  }

  // What only reads is for anybody again, the rest waits for the same one.
  function leave(desk: Desk): void {
    desks.delete(desk);
    for (const entry of entries.values()) {
      if (entry.desk !== desk) continue;
      entry.desk = undefined;
      if (!entry.job.isRepeatable) continue;
      entry.taker = undefined;
      offer(entry);
    }
  }

  return { offer, offerTo, leave };
}

async function writeDown(
  host: Sessions,
  { session, callId }: Job,
  { id, who, isNamed }: Executor,
): Promise<void> {
  const live = await host.session(session);
  const taken = { type: 'call.taken' as const, callId, executor: { id, who, isNamed } };
  await live.commit(() => (live.finished(callId) ? [] : [taken]), { durable: true });
}

async function give(host: Sessions, entry: Entry, desk: Desk, isAgain: boolean): Promise<void> {
  const { job } = entry;
  entry.desk = desk;
  const live = await host.session(job.session);
  const { approvalId } = live.pass(job.callId);
  if (entry.desk === desk) desk.give({ type: 'execute', job, isAgain, approvalId });
}

// One that has no name of its own can't be told from another of the same person when it comes back.
function isSame(taker: Executor, executor: Executor): boolean {
  return taker.isNamed && executor.isNamed && taker.id === executor.id && taker.who === executor.who;
}

/** Whether it is theirs to say how a job ended that this one has taken. */
export function maySay(taker: Executor | undefined, { who, executor }: Teller): boolean {
  if (taker === undefined) return true;
  if (taker.isNamed) return executor !== undefined && isSame(taker, executor);
  return taker.who === who;
}

/** How a job ended that is not waited for any more. One that was handed out may have been done: nobody here can say it was not. */
export function givenUp({ job, taker }: Entry, signal: AbortSignal): ToolError {
  if (taker !== undefined && !job.isRepeatable)
    return new ToolError(
      'OUTCOME_UNKNOWN',
      'The client that carries this out has not said how it ended. Look at the files before repeating it.',
    );
  if (signal.reason instanceof Error && signal.reason.name === 'TimeoutError')
    return new ToolError('TIMEOUT', 'No client carried this out in time. Connect one that has the files.');
  return new ToolError('CANCELLED', 'The call was cancelled.');
}
