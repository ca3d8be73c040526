// Runs a bounded number of tasks concurrently, the others in order; a task is refused only when too many wait.

export type WorkQueue = {
  readonly running: number;
  /** False when the queue is full. */
  add(work: () => Promise<void>): boolean;
};

export function createWorkQueue({ parallel, queued }: { parallel: number; queued: number }): WorkQueue {
  const queue: (() => Promise<void>)[] = [];
  let running = 0;
  function next(): void {
    if (running >= parallel) return;
    const work = queue.shift();
    if (work === undefined) return;
    running++;
    void work().finally(() => {
      running--;
      next();
    });
  }
  return {
    get running() {
      return running;
    },
    add(work) {
      if (running >= parallel && queue.length >= queued) return false;
      queue.push(work);
      next();
      return true;
    },
  };
}
