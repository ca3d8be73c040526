/** Seconds from a wire as the core counts; what is more than any limit is cut there anyway. */
export function toMs(seconds: unknown): number | undefined {
  return typeof seconds === 'number' ? Math.ceil(Math.min(seconds, 1e9) * 1000) : undefined;
}
