// Mounts as bubblewrap's options, in order.
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mount } from './mount.ts';
import { privateTmp } from './private-tmp.ts';

export function writeMounts(mounts: readonly Mount[], home: string): string[] {
  return ['--ro-bind', '/', '/', ...mounts.flatMap((mount) => write(mount, mounts, home))];
}

function write({ path, as }: Mount, mounts: readonly Mount[], home: string): string[] {
  switch (as) {
    case 'devices':
      return ['--dev', path];
    case 'processes':
      // For its switches the kernel asks who owns them, not what he may: root without any right could still turn them.
      return ['--proc', path, ...(process.geteuid?.() === 0 ? ['--remount-ro', path] : [])];
    case 'hidden':
      return hide(path, home);
    case 'scratch':
      return ['--perms', '1777', '--tmpfs', path];
    case 'tmp': {
      const root = mounts.find((mount) => mount.as === 'writable')?.path ?? '';
      return ['--bind', privateTmp(home, root), path];
    }
    case 'shown':
    case 'kept':
      return ['--ro-bind', path, path];
    case 'writable':
      return ['--bind', path, path];
  }
}

// Closed rather than read-only: making a mount read-only afterwards costs ten times as much.
function hide(path: string, home: string): string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  const isFile = stat !== undefined && !stat.isDirectory();
  return isFile ? ['--ro-bind', emptyFile(home), path] : ['--perms', '0500', '--tmpfs', path];
}

/** What stands in for a hidden file: most programs take an empty one for one with nothing in it. */
function emptyFile(home: string): string {
  const path = join(home, 'empty');
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.size === 0) return path;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(path, '', { mode: 0o400 });
  return path;
}
