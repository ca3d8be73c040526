// Where programs are looked for: the user's own PATH without relative folders and without anything that leads into the workspace.
import { realpathSync } from 'node:fs';

const usual = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'];

const known = new Map<string, string[]>();

export function trustedPath(root: string, path: string = process.env.PATH ?? ''): string[] {
  const key = `${root}\0${path}`;
  const found =
    known.get(key) ??
    [...new Set([...path.split(':'), ...usual])].filter((folder) => isOutside(folder, root));
  known.set(key, found);
  return found;
}

function isOutside(folder: string, root: string): boolean {
  if (!folder.startsWith('/') || folder.split('/').includes('..') || isWithin(folder, root)) return false;
  try {
    return !isWithin(realpathSync(folder), root);
  } catch {
    return false;
  }
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
