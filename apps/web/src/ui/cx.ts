// Class names, leaving out what does not apply.
export function cx(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
