// Sorts effects into an order in which they can have happened, so that undone from the end each finds the folders it needs: content, then
// folders deleted from the inside out, folders created from the outside in, new files. The mode of a folder comes first or last, so that
// it never blocks changes inside the folder.
import type { Effect, FileState } from '@codelab/protocol';
import type { PlanContext } from '../tool/define-tool.ts';
import { isFolderMode } from './find-changes.ts';

export function orderEffects(effects: readonly Effect[]): Effect[] {
  const ranked = effects.map((effect) => ({
    effect,
    rank: rankOf(effect),
    depth: effect.path.split('/').length,
  }));
  ranked.sort(
    (a, b) =>
      a.rank - b.rank ||
      (a.rank === rankOfRemoved ? b.depth - a.depth : a.depth - b.depth) ||
      (a.effect.path < b.effect.path ? -1 : 1),
  );
  return ranked.map(({ effect }) => effect);
}

const rankOfRemoved = 2;

function rankOf(effect: Effect): number {
  const { op, before } = effect;
  if (isFolderMode(effect)) return isWritable(before) ? 5 : 0;
  if (op === 'delete' && before?.type === 'directory') return rankOfRemoved;
  if (op === 'mkdir') return 3;
  return op === 'create' ? 4 : 1;
}

function isWritable(folder: FileState | null): boolean {
  return ((folder?.mode ?? 0) & 0o200) !== 0;
}

// Hard links among the changes to undo. Where the change made several names one file, restoring one must not change the others;
// where they were one file before, restoring one is enough.

/** `apart`: paths that share a file only since the change. `along`: paths that are restored together with another one. */
type SharedNames = { apart: ReadonlySet<string>; along: ReadonlySet<string> };

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
    // Names that did not exist before are all removed.
    const isOne = !isNew && effects[0]?.before !== null;
    for (const { path } of isNew ? effects : []) apart.add(path);
    for (const { path } of isOne ? effects.slice(1) : []) along.add(path);
  }
  return { apart, along };
}

/** Undefined for a file with one name, or a missing one. */
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
