// The delay before the next try: doubled each time, up to a limit, with jitter so that clients do not retry at the same moment.

export type Backoff = { firstMs: number; mostMs: number };

/** `attempt` counts from 0. The result is between half of the step and the whole step. */
export function backoffMs({ firstMs, mostMs }: Backoff, attempt: number): number {
  const step = Math.min(mostMs, firstMs * 2 ** Math.min(attempt, 30));
  return step / 2 + (Math.random() * step) / 2;
}

/** Returns early, without an error, when the signal aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
