// Files with the time they were changed last, newest first; those of the same moment in the order of their paths.
import { lstatSync } from 'node:fs';
import type { Directory } from '../workspace/directory.ts';

/** Only times are read, so the way to a file need not be walked by descriptor. */
export function newestFirst(
  directory: Directory,
  paths: readonly string[],
): { path: string; modified: string }[] {
  return paths
    .flatMap((path) => {
      const stat = lstatSync(directory.at(path), { throwIfNoEntry: false });
      return stat === undefined ? [] : [{ path, time: stat.mtimeMs, modified: stat.mtime.toISOString() }];
    })
    .sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1))
    .map(({ path, modified }) => ({ path, modified }));
}
