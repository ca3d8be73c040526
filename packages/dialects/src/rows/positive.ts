// A number of lines or a line: zero, less and nothing at all mean the default.
export function positive(given: unknown): number | undefined {
  return typeof given === 'number' && given > 0 ? given : undefined;
}
