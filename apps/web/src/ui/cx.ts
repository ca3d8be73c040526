// Joins class names and drops falsy ones.
export function cx(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
