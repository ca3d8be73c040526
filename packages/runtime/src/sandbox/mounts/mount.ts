// One path as a command in the sandbox sees it, and the reduction of many such paths to those that change something.

import { lstatSync, realpathSync } from 'node:fs';
import { isWithin } from '../../workspace/state-folder.ts';

/**
 * `hidden`: empty; `closed`: a file that cannot be read; `scratch`: empty and writable; `tmp`: another folder, which lasts for the
 * session; `copy`: another file, read-only; `shown`: read-only as on the machine; `writable`: as on the machine; `kept`: read-only inside something writable; `link`: the
 * symbolic link itself; `devices` and `processes`: only harmless devices, only the command's own processes.
 */
export type Mount =
  | {
      path: string;
      as: 'devices' | 'processes' | 'hidden' | 'closed' | 'scratch' | 'shown' | 'writable' | 'kept' | 'link';
    }
  | { path: string; as: 'tmp'; from: string; isReadOnly: boolean }
  | { path: string; as: 'copy'; from: string };

type Plain = Exclude<Mount, { as: 'tmp' | 'copy' }>;

/** The mounts of a sandbox: an empty root or the machine's own, read-only, and the mounts over it, outer paths first. */
export type MountPlan = { isEmptyRoot: boolean; mounts: readonly Mount[] };

/** Sorts outer paths first and removes mounts that change nothing. */
export function settleMounts(mounts: readonly Mount[], isEmptyRoot: boolean): Mount[] {
  const needed: Mount[] = [];
  for (const mount of mounts.toSorted((a, b) => depthOf(a.path) - depthOf(b.path))) {
    const outer = needed.findLast(({ path }) => isWithin(mount.path, path))?.as;
    const isGone = outer === undefined ? isEmptyRoot : isReplaced(outer);
    if ((isGone ? idleInEmpty : idleInShown).has(mount.as)) continue;
    needed.push(mount);
  }
  return needed;
}

const idleInEmpty = new Set<Mount['as']>(['hidden', 'closed', 'kept']);
const idleInShown = new Set<Mount['as']>(['shown', 'link']);

/** Whether such a mount replaces everything at its path. */
function isReplaced(kind: Mount['as']): boolean {
  return kind !== 'shown' && kind !== 'writable' && kind !== 'kept';
}

/** The target of a link is what must be hidden or shown; missing paths are left out. */
export function realPlaces(paths: readonly string[], kind: Plain['as']): Mount[] {
  return paths.flatMap((path): Mount[] => {
    // Most of these paths do not exist, and a thrown error costs far more than a check.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
    try {
      return [{ path: realpathSync.native(path), as: kind }];
    } catch {
      return [];
    }
  });
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}
