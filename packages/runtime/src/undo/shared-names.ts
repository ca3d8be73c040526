// Names of one file (hard links) among the changes that are to be taken back. Where the change made them one file, giving one its old
// content must not give it to the others; where they were one before, one is enough.
import type { Effect } from '@codelab/protocol';
import type { PlanContext } from '../tool/define-tool.ts';

/** `apart`: paths that share a file only since the change. `along`: paths that come along with another one. */
export type SharedNames = { apart: ReadonlySet<string>; along: ReadonlySet<string> };

export function sharedNames(group: readonly Effect[], context: PlanContext): SharedNames {
  const names = new Map<string, Effect[]>();
  for (const effect of group) {
    const inode = inodeOf(effect, context);
    if (inode !== undefined) names.set(inode, [...(names.get(inode) ?? []), effect]);
  }
  const apart = new Set<string>();
  const along = new Set<string>();
  for (const effects of names.values()) {
    const isNew = new Set(effects.map(({ before }) => before?.digest)).size > 1;
    // Names that were not there before are all removed.
    const isOne = !isNew && effects[0]?.before !== null;
    for (const { path } of isNew ? effects : []) apart.add(path);
    for (const { path } of isOne ? effects.slice(1) : []) along.add(path);
  }
  return { apart, along };
}

/** Undefined for what has only one name, or is not there. */
function inodeOf({ path, after }: Effect, { workspace }: PlanContext): string | undefined {
  if (after?.type !== 'file') return undefined;
  try {
    const options = { followLast: false, access: 'read', pathChars: Number.MAX_SAFE_INTEGER } as const;
    using place = workspace.locate(path, options);
    const { stat } = place;
    return stat?.isFile() && stat.nlink > 1n ? `${stat.dev}:${stat.ino}` : undefined;
  } catch {
    return undefined;
  }
}
