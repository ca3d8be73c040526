// Decides when a call may run: a few at once, readers side by side, a writer alone on its path and everything below it.
import type { Touch } from '@codelab/protocol';
import { ToolError } from '@codelab/protocol';

type Job = { touches: readonly Touch[]; start: () => void };

export type Scheduler = {
  /** Waits for a place, runs, frees the place. `waited` tells whether anything else ran in between. */
  run<T>(touches: readonly Touch[], work: (waited: boolean) => Promise<T>, signal: AbortSignal): Promise<T>;
};

export function createScheduler(limits: { parallel: number; queued: number }): Scheduler {
  const running = new Set<Job>();
  const waiting: Job[] = [];

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
        job.start();
      }
    }
  }

  async function place(
    touches: readonly Touch[],
    signal: AbortSignal,
  ): Promise<{ job: Job; waited: boolean }> {
    signal.throwIfAborted();
    const job: Job = { touches, start: () => undefined };
    waiting.push(job);
    startWhatCan();
    if (running.has(job)) return { job, waited: false };
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
    return { job, waited: true };
  }

  return {
    async run(touches, work, signal) {
      const { job, waited } = await place(touches, signal);
      try {
        return await work(waited);
      } finally {
        running.delete(job);
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
