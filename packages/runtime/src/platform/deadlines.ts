// Deadlines of work that almost always ends long before: those of the same length share a timer, since starting and clearing one takes longer
// than noting a deadline.

type Queue = { waiting: Set<Deadline>; timer: NodeJS.Timeout };
export type Deadline = { ms: number; at: number; onTime(): void };

const queues = new Map<number, Queue>();
const mostLengths = 16;

/** Calls `onTime` after this many milliseconds, unless `clearDeadline` comes first. It does not keep the process running. */
export function setDeadline(ms: number, onTime: () => void): Deadline {
  const deadline = { ms, at: performance.now() + ms, onTime };
  const queue = queues.get(ms);
  // All are equally long, so the first one is due first.
  if (queue !== undefined) queue.waiting.add(deadline);
  else queues.set(ms, { waiting: new Set([deadline]), timer: nextLook(ms, ms) });
  return deadline;
}

/** The timer goes on without deadlines, for those to come, unless there are many of other lengths. */
export function clearDeadline(deadline: Deadline): void {
  const queue = queues.get(deadline.ms);
  queue?.waiting.delete(deadline);
  if (queue === undefined || queue.waiting.size > 0 || queues.size <= mostLengths) return;
  clearTimeout(queue.timer);
  queues.delete(deadline.ms);
}

function nextLook(ms: number, afterMs: number): NodeJS.Timeout {
  return setTimeout(endDue, afterMs, ms).unref();
}

function endDue(ms: number): void {
  const queue = queues.get(ms);
  if (queue === undefined) return;
  const now = performance.now();
  for (const deadline of queue.waiting) {
    if (deadline.at > now) {
      queue.timer = nextLook(ms, Math.ceil(deadline.at - now));
      return;
    }
    queue.waiting.delete(deadline);
    deadline.onTime();
  }
  queues.delete(ms);
}
