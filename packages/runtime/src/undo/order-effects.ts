// Sorts effects into an order in which they can have happened, so that undoing from the end finds every folder it needs: content, then
// folders deleted from the inside out, folders created from the outside in, new files. A folder's mode change comes first or last, so that
// it never blocks changes inside.
import type { Effect, ErrorCode, FileState } from '@codelab/protocol';
import type { PlanContext } from '../tool/define-tool.ts';
import type { Change } from '../workspace/commit/change.ts';
import { missingDirectories } from '../workspace/text-files.ts';
import { isFolderMode } from './find-changes.ts';
import { namesOf, type Refusal, refusedAfter, refusedTogether } from './linked-effects.ts';
import { type Reversal, reverseEffect } from './reverse-effect.ts';

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

/** `left` are the refused effects that linked ones depend on, and the deletions among all refused effects. */
export type ReversedSet = {
  changes: Change[];
  afterwards: Change[];
  paths: string[];
  refused: UndoRefusal[];
  leftEffects: Refusal[];
  leftDeletions: LeftDeletion[];
};

/** `older` are the effects of the same call that are reversed after the group; `left`, the deletions that the undo has left so far. */
type GroupOptions = {
  isForced: boolean;
  older: readonly Effect[];
  /** Of an undo or redo that is reversed: what was refused of its newer effects. Undefined for other calls. */
  newerRefused: readonly Refusal[] | undefined;
  leftDeletions: readonly LeftDeletion[];
  item(): string;
};

export function reverseGroup(
  group: readonly Effect[],
  context: PlanContext,
  { isForced, item, older, newerRefused, leftDeletions: earlierLeft }: GroupOptions,
): ReversedSet {
  const { separatePaths, movedAlong } = sharedNames(group, context);
  const changed = new Set(group.map(({ path }) => path));
  const linkedNames = new Set(newerRefused === undefined ? [] : older.flatMap(namesOf));
  const each = group.toReversed().map((effect) => {
    const isReplacing = separatePaths.has(effect.path);
    const options = { home: context.home, isForced, item, isReplacing, changed };
    const reversal = reverseEffect(effect, context, options);
    if ('refused' in reversal || reversal.changes.length === 0) return { effect, reversal };
    const isLinked = namesOf(effect).some((name) => linkedNames.has(name));
    const refused =
      (isLinked && refusedTogether(effect, older, { context, isForced })) ||
      refusedAfter(reversal, effect, newerRefused ?? [], isForced);
    return { effect, reversal: refused ?? reversal };
  });
  const leftEffects = each.flatMap(({ effect, reversal }) =>
    'refused' in reversal ? [{ effect, reversal }] : [],
  );
  const reversed: ReversedSet = {
    ...{ changes: [], afterwards: [], paths: [], refused: [], leftEffects, leftDeletions: [] },
  };
  for (const { effect, reversal } of leftEffects)
    if (effect.op === 'delete') reversed.leftDeletions.push({ effect, code: reversal.code });
  const leftDeletions = [
    ...earlierLeft,
    ...reversed.leftDeletions,
    ...leftAmong(older, group, context, isForced),
  ];
  for (const { effect, reversal: ownReversal } of each) {
    const isTaken = 'changes' in ownReversal && ownReversal.changes.length > 0;
    const reversal = (isTaken && onlyCopyOf(effect, leftDeletions)) || ownReversal;
    if ('refused' in reversal)
      reversed.refused.push({ path: reversal.path, reason: reversal.refused, code: reversal.code });
    else {
      if (!movedAlong.has(effect.path)) reversed.changes.push(...reversal.changes);
      reversed.afterwards.push(...(reversal.afterwards ?? []));
      reversed.paths.push(reversal.path);
    }
  }
  reversed.changes.unshift(...missingFolders(reversed.changes, context));
  return reversed;
}

/** The folders above restored files that nothing else makes: they are recorded, so that they go again with the files. */
function missingFolders(changes: readonly Change[], { workspace }: PlanContext): Change[] {
  const made = new Set(changes.flatMap(({ op, intent }) => (op === 'mkdir' ? [intent.path] : [])));
  return changes.flatMap(({ op, intent }) => {
    if (op !== 'put' && op !== 'move') return [];
    using place = workspace.locate(intent.path, anyLength);
    return missingDirectories(place).filter(({ intent: { path } }) => !made.has(path) && made.add(path));
  });
}

const anyLength = { followLast: false, access: 'write', pathChars: Number.MAX_SAFE_INTEGER } as const;

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

// A command's rename is a deletion and a new file. Where undo can't restore the deleted file, the new one may be the only copy of it, so
// undo leaves both.

/** A deletion that the undo leaves as it is. */
export type LeftDeletion = { effect: Effect; code: ErrorCode };

/** Why undo skips this change: it would remove the only copy of a file that it does not restore. */
export function onlyCopyOf(
  { op, path, after }: Effect,
  leftDeletions: readonly LeftDeletion[],
): Reversal | undefined {
  if (op !== 'create' && op !== 'update') return undefined;
  const copiedDeletion = leftDeletions.find(({ effect }) => isCopy(after, effect.before));
  if (copiedDeletion === undefined) return undefined;
  const { effect, code } = copiedDeletion;
  const step = effect.uncertain
    ? 'to undo both, give both paths'
    : code === 'STALE'
      ? `move the file that is at ${effect.path} now away, then undo again`
      : `to undo the rename, move it to ${effect.path} yourself`;
  const refused = `it is the only copy of the old ${effect.path}, which is not restored; ${step}`;
  return { path, refused, code };
}

/** A file without a digest, as a large one, counts as a copy when the size is the same. */
export function isCopy(after: FileState | null, before: FileState | null): boolean {
  if (after === null || before === null || after.type === 'directory' || after.size === 0) return false;
  if (after.type !== before.type || after.size !== before.size) return false;
  return after.digest === undefined || before.digest === undefined || after.digest === before.digest;
}

/** Older deletions that undo will skip, of files that the newer effects may have copied. */
function leftAmong(
  older: readonly Effect[],
  newer: readonly Effect[],
  context: PlanContext,
  isForced: boolean,
): LeftDeletion[] {
  const sizes = new Set(newer.map(({ after }) => after?.size));
  const createdPaths = new Set(
    [...older, ...newer].flatMap(({ path, after }) => (after === null ? [] : [path])),
  );
  return older.flatMap((effect) => {
    if (effect.op !== 'delete' || !sizes.has(effect.before?.size)) return [];
    // An entry that the call created at this path is removed before the file is restored.
    if (!effect.uncertain && foldersTo(effect.path).some((path) => createdPaths.has(path))) return [];
    const options = { home: context.home, isForced, item: () => '' };
    const reversal = reverseEffect(effect, context, options);
    return 'refused' in reversal ? [{ effect, code: reversal.code }] : [];
  });
}

/** The path itself, and each folder that it is in. */
function foldersTo(path: string): string[] {
  const names = path.split('/');
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}
