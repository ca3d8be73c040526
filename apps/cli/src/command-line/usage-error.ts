// Somebody typed what can't be understood: told on standard error, exit code 2.

export class UsageError extends Error {
  override readonly name = 'UsageError';
}
