/** What the two names of a file in a plain diff have to do with each other. */
import type { PlainNames } from './file-patch.ts';

/** The one of two names that git takes: the new one, unless the old one is its beginning (`x` and `x.new`). */
export function plainPath({ old, new: name }: PlainNames): string {
  if (old === null || name === null) return old ?? name ?? '';
  return name.startsWith(old) ? old : name;
}

/** The same name, or that of a copy which was made of it for comparing; git and patch then mean the file itself. */
export function isCopyOf(name: string, path: string): boolean {
  return name === path || (name.startsWith(path) && COPY.test(name.slice(path.length)));
}

const COPY = /^(?:[~+]|[._-](?:orig|old|bak|new))$/i;

/** Whether both can be names of one file: a copy of it, or it in another folder. Anything else would be a rename. */
export function areOfOneFile({ old, new: name, isPrefixed }: PlainNames): boolean {
  if (old === null || name === null || isCopyOf(old, name) || isCopyOf(name, old)) return true;
  return !isPrefixed && lastOf(old) === lastOf(name);
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
