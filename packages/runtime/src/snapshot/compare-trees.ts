// What differs between two looks at a tree.
import { grainOf, isSameEntry, type TreeEntry } from './tree-entry.ts';
import type { Tree } from './walk-tree.ts';

export type Difference = { path: string; before: TreeEntry | undefined; after: TreeEntry | undefined };

/** What was changed just before `startedAt` may have been changed again within the clock's grain, so it is looked at in any case. */
export function compareTrees(before: Tree, after: Tree, startedAt: number): Difference[] {
  const differences: Difference[] = [];
  for (const [path, old] of before.entries) {
    const now = after.entries.get(path);
    const isTrusted = old.type === 'directory' || old.ctimeMs + 2 * grainOf(old.ctimeMs) < startedAt;
    if (now !== undefined && isTrusted && isSameEntry(old, now)) continue;
    // Left out by now, which says nothing about it.
    if (now === undefined && after.leftOut.has(path)) continue;
    differences.push({ path, before: old, after: now });
  }
  for (const [path, now] of after.entries)
    if (!before.entries.has(path)) differences.push({ path, before: undefined, after: now });
  return differences;
}
