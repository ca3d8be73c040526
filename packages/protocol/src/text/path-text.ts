// Paths as texts: nothing is looked up, and links are not known.

/** Whether a relative path leads above the folder it starts in. */
export function leavesFolder(path: string): boolean {
  return !path.startsWith('/') && namesOf(path)[0] === '..';
}

/** `a/../b` becomes `b`. A path that leaves its folder stays as it is, to be refused by its user. */
export function normalizePath(path: string): string {
  if (!path.split('/').includes('..') || leavesFolder(path)) return path;
  const names = namesOf(path).join('/');
  return path.startsWith('/') ? `/${names}` : names || '.';
}

/** The names that are left when `.` and `a/..` are taken out; nothing is above the root. */
export function namesOf(path: string): string[] {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    const last = names.at(-1);
    if (name === '..' && last !== undefined && last !== '..') names.pop();
    else if (name !== '..' || !path.startsWith('/')) names.push(name);
  }
  return names;
}
