// Decides when a call may run: a few at once, readers side by side, a writer alone on its path and everything below it.
import type { Touch } from '@codelab/protocol';
import { ToolError } from '@codelab/protocol';

/** What a call touches, and whether it may change anything at all. */
type Wish = { touches: readonly Touch[]; changes: boolean };
type Job = Wish & { start: () => void };

export type Scheduler = {
  /** Waits for a place, runs, frees the place. `isLate`: since it was planned others may have changed what it touches. */
  run<T>(wish: Wish, work: (isLate: boolean) => Promise<T>, signal: AbortSignal): Promise<T>;
};

// Behind others that only read, a wait this short is no more than the time between planning and running without one.
const shortMs = 5;

export function createScheduler(limits: { parallel: number; queued: number }): Scheduler {
  const running = new Set<Job>();
  const waiting: Job[] = [];
  /** How often one that may change things has begun or ended. */
  let turns = 0;

  function startWhatCan(): void {
    for (let i = 0; i < waiting.length && running.size < limits.parallel; ) {
      const job = waiting[i];
      // First come, first served: nobody overtakes a waiting call that wants the same path.
      const blocked =
        job === undefined || [...running, ...waiting.slice(0, i)].some((other) => conflict(job, other));
      if (blocked) i++;
      else {
        waiting.splice(i, 1);
        running.add(job);
        if (job.changes) turns++;
        job.start();
      }
    }
  }

  async function place(wish: Wish, signal: AbortSignal): Promise<{ job: Job; isLate: boolean }> {
    signal.throwIfAborted();
    const job: Job = { ...wish, start: () => undefined };
    const before = turns;
    const asked = performance.now();
    waiting.push(job);
    startWhatCan();
    if (running.has(job)) return { job, isLate: false };
    if (waiting.length > limits.queued) {
      waiting.splice(waiting.indexOf(job), 1);
      throw new ToolError(
        'CONCURRENT_LIMIT_EXCEEDED',
        `${limits.queued} calls are waiting already. Wait for some to finish.`,
      );
    }
    await new Promise<void>((resolve, reject) => {
      job.start = resolve;
      signal.addEventListener('abort', () => (waiting.includes(job) ? reject(signal.reason) : undefined), {
        once: true,
      });
    }).catch((error: unknown) => {
      waiting.splice(waiting.indexOf(job), 1);
      startWhatCan();
      throw error;
    });
    const isAlone = turns === before && ![...running].some(({ changes }) => changes);
    return { job, isLate: !isAlone || performance.now() - asked > shortMs };
  }

  return {
    async run(wish, work, signal) {
      const { job, isLate } = await place(wish, signal);
      try {
        return await work(isLate);
      } finally {
        running.delete(job);
        if (job.changes) turns++;
        startWhatCan();
      }
    },
  };
}

function conflict(a: Job, b: Job): boolean {
  return a.touches.some((x) =>
    b.touches.some((y) => (x.access !== 'read' || y.access !== 'read') && overlap(x.path, y.path)),
  );
}

function overlap(a: string, b: string): boolean {
  return a === b || a === '.' || b === '.' || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
