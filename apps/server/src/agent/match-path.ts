// How well a path fits what somebody types to find it: its letters in order, better together, at the beginnings of words, and in the name.

/** Undefined when it does not fit; less is better. */
export function matchPath(query: string, path: string): number | undefined {
  if (query === '') return path.length;
  const lower = path.toLowerCase();
  const nameAt = lower.lastIndexOf('/') + 1;
  const whole = lower.indexOf(query, nameAt);
  if (whole >= 0) return path.length + (whole === nameAt ? 0 : isStart(path, whole) ? 100 : 200);
  const within = lower.indexOf(query);
  if (within >= 0) return path.length + (isStart(path, within) ? 300 : 400);
  const gaps = gapsFrom(query, path, lower, 0);
  const inName = gapsFrom(query, path, lower, nameAt);
  const fewest = Math.min(gaps ?? Number.POSITIVE_INFINITY, (inName ?? Number.POSITIVE_INFINITY) - 500);
  return Number.isFinite(fewest) ? path.length + 1500 + fewest : undefined;
}

/** What lies between the letters; undefined when they are not all there in this order. */
function gapsFrom(query: string, path: string, lower: string, from: number): number | undefined {
  let at = from;
  let gaps = 0;
  for (const letter of query) {
    const found = lower.indexOf(letter, at);
    if (found < 0) return undefined;
    if (found > at && !isStart(path, found)) gaps += Math.min(50, found - at);
    at = found + letter.length;
  }
  return gaps * 10;
}

/** A word begins there: after a separator, or where capitals begin. */
function isStart(path: string, at: number): boolean {
  const before = path[at - 1];
  if (before === undefined || /[/\\._\- ]/.test(before)) return true;
  return /[A-Z]/.test(path[at] ?? '') && !/[A-Z]/.test(before);
}
