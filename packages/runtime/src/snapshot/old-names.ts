// Tells which new entries of a tree a command renamed: a rename keeps the inode and its time of birth, a copy has its own. Undo removes a
// copy, but never what may be the only one.
import { grainOf, type TreeDifference, type TreeEntry } from './tree-entry.ts';
import type { Tree } from './walk-tree.ts';

type Before = { tree: Pick<Tree, 'entries'>; startedAt: number };

/**
 * By new path: the old one, or null for an entry that was there before the command in a place that the first walk left out. `isLost` tells
 * whether anything of those places is gone; it decides where the time of birth does not.
 */
export function findOldNames(
  differences: readonly TreeDifference[],
  { tree, startedAt }: Before,
  { entries: present, isLost }: { entries: Tree['entries']; isLost: boolean },
): Map<string, string | null> {
  const arrived = differences.flatMap(({ path, before, after }) => {
    if (after === undefined || (before?.ino === after.ino && before.device === after.device)) return [];
    return isOlder(after, startedAt) === false ? [] : [{ path, after }];
  });
  const oldNames = new Map<string, string | null>();
  if (arrived.length === 0) return oldNames;
  const known = namesOf(tree, new Set(arrived.map(({ after }) => after.ino)));
  for (const { path, after } of arrived) {
    const names = known(after);
    // Where the old name is still there, the new one is a hard link.
    const isLink = names.some((name) => present.get(name)?.ino === after.ino);
    if (isLink) continue;
    const [oldName] = names;
    if (oldName !== undefined) oldNames.set(path, oldName);
    else if (isOlder(after, startedAt) ?? isLost) oldNames.set(path, null);
  }
  return oldNames;
}

/** Undefined where the disk has no time of birth, or one too near to the start of the command. */
function isOlder({ bornMs }: TreeEntry, startedAt: number): boolean | undefined {
  if (bornMs === 0) return undefined;
  if (bornMs + grainOf(bornMs) < startedAt) return true;
  return bornMs > startedAt ? false : undefined;
}

/** Finds the old names of an entry. The number of an inode alone proves nothing: a new file may get that of a deleted one. */
function namesOf({ entries }: Before['tree'], inodes: ReadonlySet<number>): (entry: TreeEntry) => string[] {
  const byInode = new Map<number, { path: string; entry: TreeEntry }[]>();
  for (const [path, entry] of entries) {
    if (!inodes.has(entry.ino)) continue;
    const names = byInode.get(entry.ino);
    if (names === undefined) byInode.set(entry.ino, [{ path, entry }]);
    else names.push({ path, entry });
  }
  return (now) =>
    (byInode.get(now.ino) ?? []).filter(({ entry }) => isSameInode(entry, now)).map(({ path }) => path);
}

function isSameInode(old: TreeEntry, now: TreeEntry): boolean {
  if (old.ino !== now.ino || old.device !== now.device || old.type !== now.type) return false;
  if (old.bornMs !== now.bornMs) return false;
  return old.bornMs > 0 || (old.size === now.size && old.mtimeMs === now.mtimeMs);
}
