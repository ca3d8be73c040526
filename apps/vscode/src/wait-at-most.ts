// Waits for the end of something, but not longer than the editor lets an extension close.

/** Returns when the work has ended, however it ended, or the time is over. The work goes on then. */
export async function waitAtMost(ms: number, work: PromiseLike<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([Promise.allSettled([work]), late]);
  clearTimeout(timer);
}
