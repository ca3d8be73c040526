// A command's rename is a deletion and a new file. Where undo can't restore the deleted file, the new one may be the only copy of it, so
// undo leaves both. What a command renamed out of a place that undo does not cover has no deletion: undo leaves it. The two names of a
// rename are undone and redone together, or left together.
import type { BigIntStats } from 'node:fs';
import { type Effect, type ErrorCode, type FileState, firstNames } from '@codelab/protocol';
import type { PlanContext } from '../tool/define-tool.ts';
import { type LeftEffect, type Refused, reasonFor } from './linked-effects.ts';
import { type Reversal, reverseEffect } from './reverse-effect.ts';

/** A deletion or replacement that the undo leaves as it is. */
export type LeftDeletion = { effect: Effect; code: ErrorCode };

/** `isElsewhere` tells whether nothing is lost with an entry: it is gone already, or has a name that stays. */
type Copies = {
  leftDeletions: readonly LeftDeletion[];
  isForced: boolean;
  isElsewhere(path: string): boolean;
};

/** Why undo skips this change: it would remove the only copy of a file that it does not restore. */
export function onlyCopyOf({ op, path, after, oldName }: Effect, copies: Copies): Reversal | undefined {
  if (op !== 'create' && op !== 'update' && op !== 'mkdir') return undefined;
  if (oldName === null)
    return copies.isForced || copies.isElsewhere(path)
      ? undefined
      : { path, refused: onlyCopy, code: 'STALE' };
  const [copied, ...others] = copies.leftDeletions.filter(({ effect }) =>
    oldName === undefined ? effect.op === 'delete' && isCopy(after, effect.before) : effect.path === oldName,
  );
  if (copied === undefined) return undefined;
  const { effect, code } = copied;
  const isCertain = oldName !== undefined || others.length === 0 || isSameDigest(after, effect.before);
  const names = firstNames([effect, ...others.map((other) => other.effect)].map((other) => other.path));
  const refused = isCertain
    ? `it is the only copy of the old ${effect.path}, which is not restored; ${nextStep(effect, code)}`
    : `it may be the only copy of one of ${names}, which are not restored; compare before you rename it yourself`;
  return { path, refused, code };
}

function nextStep({ op, path, uncertain }: Effect, code: ErrorCode): string {
  if (uncertain) return 'to undo both, give both paths';
  if (code !== 'STALE') return `to undo the rename, move it to ${path} yourself`;
  return op === 'delete'
    ? `move the file that is at ${path} now away, then undo again`
    : `save the present ${path} elsewhere, then undo with force`;
}

export const onlyCopy =
  'it was there before the command, in a place that undo does not cover, and may be the only copy; move it back yourself; undo removes it only with force';

/** Tells of a path whether its file is gone, or has a name that is not in the group and so stays. */
export function elsewhere(
  group: readonly Pick<Effect, 'path'>[],
  context: Pick<PlanContext, 'workspace'>,
): (path: string) => boolean {
  const namesInGroup = new Map<string, number>();
  const inodeAt = (stat: BigIntStats): string => `${stat.dev}:${stat.ino}`;
  const count = (): void => {
    for (const path of new Set(group.map((effect) => effect.path))) {
      const stat = statOf(path, context);
      if (stat !== undefined) namesInGroup.set(inodeAt(stat), (namesInGroup.get(inodeAt(stat)) ?? 0) + 1);
    }
  };
  return (path) => {
    const stat = statOf(path, context);
    if (stat === undefined) return true;
    if (stat.isDirectory() || stat.nlink === 1n) return false;
    if (namesInGroup.size === 0) count();
    return stat.nlink > (namesInGroup.get(inodeAt(stat)) ?? 0);
  };
}

/** Names a folder that undo leaves for what is in it, not each file. */
export function withoutNested<T extends { path: string; reason: string }>(refused: readonly T[]): T[] {
  const left = new Set(refused.flatMap(({ path, reason }) => (reason === onlyCopy ? [path] : [])));
  const isNested = (path: string): boolean => foldersTo(path).some((at) => at !== path && left.has(at));
  return refused.filter(({ path, reason }) => reason !== onlyCopy || !isNested(path));
}

/** A file without a digest, as a large one, counts as a copy when the size is the same. */
export function isCopy(after: FileState | null, before: FileState | null): boolean {
  if (after === null || before === null || after.type === 'directory' || after.size === 0) return false;
  if (after.type !== before.type || after.size !== before.size) return false;
  return after.digest === undefined || before.digest === undefined || after.digest === before.digest;
}

function isSameDigest(after: FileState | null, before: FileState | null): boolean {
  return after?.digest !== undefined && after.digest === before?.digest;
}

/** The file at the path before is no longer there: it was deleted, or another has its name. */
function isRemoval({ op }: Effect): boolean {
  return op === 'delete' || op === 'update';
}

/** Older deletions that undo will skip, of files that the newer effects may have copied. */
export function leftAmong(
  older: readonly Effect[],
  newer: readonly Effect[],
  context: PlanContext,
  isForced: boolean,
): LeftDeletion[] {
  const sizes = new Set(newer.map(({ after }) => after?.size));
  const oldNames = new Set(newer.map(({ oldName }) => oldName));
  const createdPaths = new Set(
    [...older, ...newer].flatMap(({ path, after }) => (after === null ? [] : [path])),
  );
  return older.flatMap((effect) => {
    const isCopied = effect.op === 'delete' && sizes.has(effect.before?.size);
    if (!isRemoval(effect) || !(isCopied || oldNames.has(effect.path))) return [];
    // An entry that the call created at this path is removed before the file is restored.
    if (
      effect.op === 'delete' &&
      !effect.uncertain &&
      foldersTo(effect.path).some((path) => createdPaths.has(path))
    )
      return [];
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

function statOf(path: string, { workspace }: Pick<PlanContext, 'workspace'>): BigIntStats | undefined {
  try {
    const options = { followLast: false, access: 'read', pathChars: Number.MAX_SAFE_INTEGER } as const;
    using place = workspace.locate(path, options);
    return place.stat;
  } catch {
    return undefined;
  }
}

/** `reversal` without changes: the file is as before already. */
type Reversed = { effect: Effect; reversal: Reversal };

/** `newerLeft` is what was left of the newer sets of the call; `leftDeletions`, of other sets. */
type Left = {
  newerLeft: readonly LeftEffect[];
  leftDeletions: readonly LeftDeletion[];
  isForced: boolean;
  isElsewhere(path: string): boolean;
};

export function leaveTogether(set: readonly Reversed[], { newerLeft, ...copies }: Left): Reversed[] {
  let settled = [...set];
  for (let isSettled = false; !isSettled; ) {
    const left = leftOf(settled);
    const names = leftNames([...newerLeft, ...left]);
    const known = { ...copies, leftDeletions: [...copies.leftDeletions, ...deletionsOf(left)] };
    const next = settled.map((reversed) => {
      const { effect, reversal } = reversed;
      if ('refused' in reversal || reversal.changes.length === 0) return reversed;
      const otherName = names(effect);
      // Of a new name, the other reason tells the next step.
      const refused =
        effect.oldName === undefined
          ? (otherName ?? onlyCopyOf(effect, known))
          : (onlyCopyOf(effect, known) ?? otherName);
      return refused === undefined ? reversed : { effect, reversal: refused };
    });
    isSettled = next.every((reversed, at) => reversed === settled[at]);
    settled = next;
  }
  return settled;
}

export function leftOf(set: readonly Reversed[]): LeftEffect[] {
  return set.flatMap(({ effect, reversal }) => ('refused' in reversal ? [{ effect, reversal }] : []));
}

export function deletionsOf(left: readonly LeftEffect[]): LeftDeletion[] {
  return left.flatMap(({ effect, reversal: { code } }) => (isRemoval(effect) ? [{ effect, code }] : []));
}

/** Tells of an effect why it is left: a command renamed its file to or from one that is left. */
function leftNames(left: readonly LeftEffect[]): (effect: Effect) => Refused | undefined {
  const byName = new Map<string, Refused>();
  for (const { effect, reversal } of left) {
    const old = renamedFrom(effect);
    for (const name of old ? [newNameKey(effect.path), oldNameKey(old)] : [newNameKey(effect.path)])
      if (!byName.has(name)) byName.set(name, reversal);
  }
  return (effect) => {
    const old = renamedFrom(effect);
    const other = byName.get(oldNameKey(effect.path)) ?? (old ? byName.get(newNameKey(old)) : undefined);
    return other && { path: effect.path, refused: reasonFor(effect, other), code: other.code };
  };
}

const newNameKey = (path: string): string => `at ${path}`;
const oldNameKey = (path: string): string => `from ${path}`;

/** For an effect of an undo, `oldNameBefore` is what the command had renamed. */
function renamedFrom({ oldName, oldNameBefore }: Effect): string | null | undefined {
  return oldName ?? oldNameBefore;
}
