// Whether two JSON values say the same, whatever the order of their keys.

export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSame(valueAt(a, key), valueAt(b, key)));
}

function valueAt(object: object, key: string): unknown {
  return (object as Record<string, unknown>)[key];
}
