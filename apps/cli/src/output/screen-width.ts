// How wide standard output is; a pipe or a file takes lines of any length.

export function screenWidth(): number {
  return process.stdout.columns ?? Number.POSITIVE_INFINITY;
}
