// Where git keeps its own files when that is not `.git`: `.git` may be a link or a file that names another directory, and a
// worktree's directory names the one it shares. What lies outside the workspace is of no concern here.
import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Directory } from './directory.ts';
import { locate } from './locate.ts';
import { openRegular, readWhole } from './read-bytes.ts';

const maxPointerBytes = 4096n;

export function gitDirectories(root: Directory): string[] {
  const pointer = readPointer(root, '.git');
  const own = placeOf(root, '.', pointer === undefined ? '.git' : pointer.match(/^gitdir: (.+)/)?.[1]);
  if (own === undefined) return [];
  const shared = placeOf(root, own, readPointer(root, `${own}/commondir`));
  return [own, shared].filter((path) => path !== undefined).filter((path) => path !== '.git');
}

/** The text of a small file; undefined when there is none. */
function readPointer(root: Directory, path: string): string | undefined {
  try {
    using place = locate(root, path, path.split('/'), { followLast: true, access: 'read' });
    using file = openRegular(place);
    return file.stat.size > maxPointerBytes
      ? undefined
      : readWhole(file, path)
          .toString()
          .replace(/[\r\n]+$/, '');
  } catch {
    return undefined;
  }
}

// As git does it: relative to where the pointer stands, links followed by the system.
function placeOf(root: Directory, base: string, target: string | undefined): string | undefined {
  if (target === undefined || target.includes('\0')) return undefined;
  const named = isAbsolute(target) ? target : `${root.real}/${base}/${target}`;
  const inside = relative(root.real, realOf(named));
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`)) return undefined;
  return inside.replaceAll(sep, '/');
}

// What does not exist yet is protected where it would be.
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}
