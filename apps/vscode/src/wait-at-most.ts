// Waits for work to end, but no longer than the editor gives an extension to close.

/** Returns when the work has ended, well or badly, or the time is over. The work then continues. */
export async function waitAtMost(ms: number, work: PromiseLike<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([Promise.allSettled([work]), late]);
  clearTimeout(timer);
}
