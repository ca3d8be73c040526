// The files of a tree that have several names: the first name is copied, the others become names of that copy.
import { type BigIntStats, linkSync, lstatSync, unlinkSync } from 'node:fs';
import { hasProc } from '../../platform/system.ts';
import type { Directory, Name } from '../directory.ts';
import { errno } from '../fault.ts';

type KnownFile = { names: readonly Name[]; copy: BigIntStats; namesLeft: bigint };

export type KnownFiles = {
  /** Records that a name of this file was copied; `copy` is the entry now at its target. */
  add(stat: BigIntStats, names: () => readonly Name[], copy: () => BigIntStats): void;
  /** Adds another name for the copy, if there is one. Refused when the disk or the system does not allow it. */
  link(stat: BigIntStats, to: Directory, toName: Name): 'linked' | 'refused' | 'unknown';
  /** Whether this is a name of the copy, or the first one that would be. */
  isCopyOf(present: BigIntStats, stat: BigIntStats): boolean;
  /** The files that also have names outside the tree. */
  withNamesElsewhere(): (readonly Name[])[];
};

/** `to` and `toName` are the target of the tree; the names of files are relative to it. */
export function knownFiles(to: Directory, toName: Name): KnownFiles {
  const filesByKey = new Map<string, KnownFile>();
  return {
    add(stat, names, copy) {
      if (stat.nlink < 2n) return;
      const file = filesByKey.get(keyOf(stat));
      if (file !== undefined) file.namesLeft--;
      else filesByKey.set(keyOf(stat), { names: names(), copy: copy(), namesLeft: stat.nlink - 1n });
    },
    link(stat, target, name) {
      const file = stat.nlink < 2n ? undefined : filesByKey.get(keyOf(stat));
      if (file === undefined) return 'unknown';
      // Except on Linux (known by its /proc), a hard link to a symbolic link may become one to its target.
      if (stat.isSymbolicLink() && !hasProc()) return 'refused';
      return linkTo(file, to, toName, target.at(name));
    },
    isCopyOf(present, stat) {
      const copy = stat.nlink < 2n ? undefined : filesByKey.get(keyOf(stat))?.copy;
      return copy === undefined || isSameFile(present, copy);
    },
    withNamesElsewhere: () =>
      [...filesByKey.values()].filter(({ namesLeft }) => namesLeft > 0n).map(({ names }) => names),
  };
}

export function isSameFile(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

function keyOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

// Opens folder by folder, none of them a link: a path through the copy could be redirected meanwhile, and its target would be linked.
function linkTo(file: KnownFile, to: Directory, toName: Name, target: string | Buffer): 'linked' | 'refused' {
  const names = [toName, ...file.names];
  const last = names.pop() ?? toName;
  using folder = openFolder(to, names);
  try {
    linkSync(folder.at(last), target);
  } catch (error) {
    if (['EMLINK', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP'].includes(errno(error) ?? '')) return 'refused';
    throw error;
  }
  if (isSameFile(lstatSync(target, { bigint: true }), file.copy)) return 'linked';
  unlinkSync(target);
  throw Object.assign(new Error(`swapped while it was copied: ${last}`), { code: 'ELOOP' });
}

function openFolder(root: Directory, names: readonly Name[]): Directory {
  let folder = root.share();
  for (const name of names) {
    using above = folder;
    folder = above.openBelow(name);
  }
  return folder;
}
