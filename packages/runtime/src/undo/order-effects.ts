// Sorts effects into an order in which they can have happened, so that undoing from the end finds every folder it needs: content, then
// folders deleted from the inside out, folders created from the outside in, new files. A folder's mode change comes first or last, so that
// it never blocks changes inside.
import type { Effect, ErrorCode, FileState } from '@codelab/protocol';
import type { PlanContext } from '../tool/define-tool.ts';
import type { Change } from '../workspace/commit/change.ts';
import { isFolderMode } from './find-changes.ts';
import {
  elsewhere,
  isRemoval,
  type LeftDeletion,
  leftAmong,
  onlyCopyOf,
  statOf,
  withoutNested,
} from './only-copy.ts';
import { reverseEffect } from './reverse-effect.ts';

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

// Effects that were made together are reversed as one set of changes.

export type UndoRefusal = { path: string; reason: string; code: ErrorCode };

/** Refusals for changed files beyond the recorded ones, which undo leaves. */
export function notRecorded(calls: readonly { notRecorded: number }[]): UndoRefusal[] {
  const count = calls.reduce((sum, call) => sum + call.notRecorded, 0);
  if (count === 0) return [];
  const files =
    count === 1
      ? '1 more file that this command changed is'
      : `${count} more files that this command changed are`;
  const reason = `${files} not recorded and left unchanged; see \`git status\`, and restore them with git`;
  return [{ path: '.', reason, code: 'FILE_NOT_FOUND' }];
}

/** `leftDeletions` are the deletions and replacements among the refused effects. */
export type ReversedSet = {
  changes: Change[];
  afterwards: Change[];
  paths: string[];
  refused: UndoRefusal[];
  leftDeletions: LeftDeletion[];
};

/** `older` are the effects of the same call that are reversed after the group; `left`, the deletions that the undo has left so far. */
type GroupOptions = {
  isForced: boolean;
  older: readonly Effect[];
  leftDeletions: readonly LeftDeletion[];
  item(): string;
};

export function reverseGroup(
  group: readonly Effect[],
  context: PlanContext,
  { isForced, item, older, leftDeletions: earlierLeft }: GroupOptions,
): ReversedSet {
  const { separatePaths, movedAlong } = sharedNames(group, context);
  const changed = new Set(group.map(({ path }) => path));
  const each = group.toReversed().map((effect) => {
    const isReplacing = separatePaths.has(effect.path);
    const options = { home: context.home, isForced, item, isReplacing, changed };
    return { effect, reversal: reverseEffect(effect, context, options) };
  });
  const reversed: ReversedSet = { changes: [], afterwards: [], paths: [], refused: [], leftDeletions: [] };
  for (const { effect, reversal } of each)
    if ('refused' in reversal && isRemoval(effect))
      reversed.leftDeletions.push({ effect, code: reversal.code });
  const leftDeletions = [
    ...earlierLeft,
    ...reversed.leftDeletions,
    ...leftAmong(older, group, context, isForced),
  ];
  const copies = { leftDeletions, isForced, isElsewhere: elsewhere(group, context) };
  for (const { effect, reversal: ownReversal } of each) {
    const isTaken = 'changes' in ownReversal && ownReversal.changes.length > 0;
    const reversal = (isTaken && onlyCopyOf(effect, copies)) || ownReversal;
    if ('refused' in reversal)
      reversed.refused.push({ path: reversal.path, reason: reversal.refused, code: reversal.code });
    else {
      if (!movedAlong.has(effect.path))
        reversed.changes.push(...reversal.changes.map((change) => withOldName(change, effect)));
      reversed.afterwards.push(...(reversal.afterwards ?? []));
      reversed.paths.push(reversal.path);
    }
  }
  reversed.refused = withoutNested(reversed.refused);
  return reversed;
}

/** The undo of a redo must know as well what the command renamed. */
function withOldName(change: Change, { oldName, oldNameBefore }: Effect): Change {
  if (oldName === undefined && oldNameBefore === undefined) return change;
  const names = {
    ...(oldNameBefore !== undefined && { oldName: oldNameBefore }),
    ...(oldName !== undefined && { oldNameBefore: oldName }),
  };
  return { ...change, intent: { ...change.intent, ...names } };
}

// Hard links among the changes to undo. Where the change made several names one file, restoring one must not change the others;
// where they were one file before, restoring one is enough.

/** `apart`: paths that share a file only since the change. `along`: paths that are restored together with another one. */
type SharedNames = { separatePaths: ReadonlySet<string>; movedAlong: ReadonlySet<string> };

function sharedNames(group: readonly Effect[], context: PlanContext): SharedNames {
  const names = new Map<string, Effect[]>();
  for (const effect of group) {
    const inode = inodeOf(effect, context);
    if (inode !== undefined) names.set(inode, [...(names.get(inode) ?? []), effect]);
  }
  const separatePaths = new Set<string>();
  const movedAlong = new Set<string>();
  for (const effects of names.values()) {
    const isNew = new Set(effects.map(({ before }) => before?.digest)).size > 1;
    // Names that did not exist before are all removed.
    const isOne = !isNew && effects[0]?.before !== null;
    for (const { path } of isNew ? effects : []) separatePaths.add(path);
    for (const { path } of isOne ? effects.slice(1) : []) movedAlong.add(path);
  }
  return { separatePaths, movedAlong };
}

/** Undefined for a file with one name, or a missing one. */
function inodeOf(effect: Effect, context: PlanContext): string | undefined {
  const stat = effect.after?.type === 'file' ? statOf(effect.path, context) : undefined;
  return stat?.isFile() && stat.nlink > 1n ? `${stat.dev}:${stat.ino}` : undefined;
}
