// One place as a command in the sandbox sees it, and how many of them become a list in which each changes something.

import { lstatSync, realpathSync } from 'node:fs';
import { isWithin } from '../../workspace/state-folder.ts';

/**
 * `hidden`: empty; `closed`: a file that can't be read; `scratch`: empty and writable; `tmp`: another folder, which lasts for the session;
 * `shown`: read-only as it is on the machine; `writable`: as it is; `kept`: read-only inside something writable; `link`: the symbolic link
 * that stands there; `devices` and `processes`: only the harmless ones, only its own.
 */
export type Mount =
  | {
      path: string;
      as: 'devices' | 'processes' | 'hidden' | 'closed' | 'scratch' | 'shown' | 'writable' | 'kept' | 'link';
    }
  | { path: string; as: 'tmp'; from: string; isReadOnly: boolean };

type Plain = Exclude<Mount, { as: 'tmp' }>;

/** What a sandbox is built from: an empty root or the machine's own, read-only, and what is put over it, outer places first. */
export type MountPlan = { isEmptyRoot: boolean; mounts: readonly Mount[] };

/** Outer places first, without those that change nothing. */
export function settleMounts(mounts: readonly Mount[], isEmptyRoot: boolean): Mount[] {
  const settled: Mount[] = [];
  for (const mount of mounts.toSorted((a, b) => depthOf(a.path) - depthOf(b.path))) {
    const around = settled.findLast(({ path }) => isWithin(mount.path, path))?.as;
    const isGone = around === undefined ? isEmptyRoot : isReplaced(around);
    if ((isGone ? idleInEmpty : idleInShown).has(mount.as)) continue;
    settled.push(mount);
  }
  return settled;
}

const idleInEmpty = new Set<Mount['as']>(['hidden', 'closed', 'kept']);
const idleInShown = new Set<Mount['as']>(['shown', 'link']);

/** Whether nothing of what stands at such a place is left. */
function isReplaced(as: Mount['as']): boolean {
  return as !== 'shown' && as !== 'writable' && as !== 'kept';
}

/** A link's target is what has to be hidden or shown; what does not exist is left out. */
export function realPlaces(paths: readonly string[], as: Plain['as']): Mount[] {
  return paths.flatMap((path): Mount[] => {
    // Most of them are not there, and a failure costs far more than a look.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
    try {
      return [{ path: realpathSync.native(path), as }];
    } catch {
      return [];
    }
  });
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}
