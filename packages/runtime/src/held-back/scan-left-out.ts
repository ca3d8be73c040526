// Searches for repositories and protected names where the walk for undo did not go, by their times.

import { isNeverBuilt, isProtectedPath } from '../policy/protected-names.ts';
import { scanForRepositories } from '../snapshot/repositories.ts';
import type { TreeBefore } from '../snapshot/tree-before.ts';
import { isBuildFolder } from '../snapshot/tree-entry.ts';
import type { LeftOutReason, Tree } from '../snapshot/walk-tree.ts';
import type { Directory } from '../workspace/directory.ts';

export type Budget = { entries: number; ms: number };

type RepositoryScan = ReturnType<typeof scanForRepositories>;

/**
 * In ignored folders builds create manifests, and packages contain them, so only names count there that no build creates. Folders that
 * were too large for the walk, or have a name that is not UTF-8, are treated like any other.
 */
export async function scanLeftOut(
  root: Directory,
  before: TreeBefore,
  after: Tree,
  budget: Budget,
): Promise<Omit<Awaited<RepositoryScan>, 'found'>> {
  const leftOut = [...new Map([...before.tree.leftOut, ...after.leftOut])];
  const scan = (
    isWanted: (path: string) => boolean,
    isThere: (reason: LeftOutReason) => boolean,
  ): RepositoryScan =>
    scanForRepositories({
      root,
      folders: leftOut.filter(([, reason]) => isThere(reason)).map(([path]) => path),
      known: before.tree.repositories,
      isWanted: (path) => isWanted(path) && !path.split('/').some(isBuildFolder),
      startedAt: before.startedAt,
      budget,
    });
  const isIgnored = (reason: LeftOutReason): boolean => reason === 'ignored';
  const ignored = await scan(isNeverBuilt, isIgnored);
  const others = await scan(isProtectedPath, (reason) => !isIgnored(reason));
  return {
    created: [...ignored.created, ...others.created],
    matches: [...ignored.matches, ...others.matches],
    unseen: [...ignored.unseen, ...others.unseen],
  };
}
