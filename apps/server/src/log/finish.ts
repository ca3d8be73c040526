// Runs work that pauses to its end: at once, or with a turn for everybody else at each pause.
import { setImmediate as otherWork } from 'node:timers/promises';

export function finish<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Ends the work where it is when the signal aborts. */
export async function finishInTurns<T>(work: Generator<undefined, T>, signal: AbortSignal): Promise<T> {
  try {
    for (;;) {
      signal.throwIfAborted();
      const step = work.next();
      if (step.done === true) return step.value;
      await otherWork();
    }
  } finally {
    work.return(undefined as never);
  }
}
