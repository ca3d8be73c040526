// Performs a set of staged changes under the lock, one after the other: the old content goes to the quarantine, the new content takes its
// place. When one of them fails, the earlier ones are reverted (`revert-changes.ts`).
import { fstatSync, readFileSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { ToolError } from '@codelab/protocol';
import { runInTurns, type Steps } from '../../platform/steps.ts';
import { checkUnchanged, type Directory, staleError } from '../directory.ts';
import { errno } from '../fault.ts';
import type { Located } from '../locate.ts';
import { copyAhead, copyAside, copyLinkedItem, keep, keepCopy, moveIn } from '../quarantine/quarantine.ts';
import { removeTreeInSteps } from '../trees/remove-tree.ts';
import { removeTree } from '../trees/tree.ts';
import { moveOut, newBytes } from './bring-back.ts';
import {
  type Change,
  type ChangeContext,
  itemOf,
  moveWithoutReplacing,
  mustStayItself,
  overwrite,
} from './change.ts';
import { failedAt } from './failed-at-path.ts';
import { type PerformedSet, revertSet, setMode } from './revert-changes.ts';
import type { StagedChange } from './stage-changes.ts';

/** A folder that was to be removed and still exists. */
export type LeftFolder = { path: string; errno: string };

/** Checks, then performs. When it throws, everything is as before, except for what a `FailedWithEffects` lists. */
export function performSet({ staged, slot, context }: PerformedSet): void {
  const begun: StagedChange[] = [];
  let path = '';
  try {
    for (const stagedChange of staged) checkStill(stagedChange);
    for (const stagedChange of staged) {
      path = stagedChange.change.intent.path;
      begun.push(stagedChange);
      performChange(stagedChange, slot, context.home);
    }
  } catch (error) {
    throw revertSet({ staged: begun, slot, context }, path === '' ? error : failedAt(error, path));
  }
}

/** Copies removed entries to a quarantine on another device. Until then a rename can restore them. */
export async function keepRemoved({ staged, slot, context }: PerformedSet): Promise<void> {
  try {
    for (const { change, place, isAside } of staged) {
      if (change.op !== 'remove') continue;
      const item = itemOf(change);
      const work = isAside ? copyAside(place.parent, change.temp, slot, item) : copyLinkedItem(slot, item);
      await inTurns(work, context);
    }
    await syncToDisk(staged, slot);
  } catch (error) {
    throw await context.lock.hold(() => revertSet({ staged, slot, context }, error, true));
  }
  await removeAside(staged);
}

/** All removed entries are stored by now. One that can't be deleted stays under its hidden name: the change itself is made. */
async function removeAside(staged: readonly StagedChange[]): Promise<void> {
  for (const stagedChange of staged) {
    if (!stagedChange.isAside || stagedChange.change.op !== 'remove') continue;
    stagedChange.isAside = false;
    await runInTurns(removeTreeInSteps(stagedChange.place.parent, stagedChange.change.temp)).catch(
      () => undefined,
    );
  }
}

// A power failure must not lose the copies once the originals are deleted.
async function syncToDisk(staged: readonly StagedChange[], slot: Directory): Promise<void> {
  if (!staged.some(({ isAside }) => isAside)) return;
  const { execFile } = await import('node:child_process');
  await new Promise<void>((resolve) => execFile('sync', ['-f', slot.real], () => resolve()));
}

/** Where the quarantine is on another device, content to be replaced is copied there before the lock is taken. */
export async function keepReplaced({ staged, slot, context }: PerformedSet): Promise<void> {
  const device = fstatSync(slot.fd, { bigint: true }).dev;
  for (const { change, place, isInPlace } of staged) {
    const isReplaced = (change.op === 'put' && !isInPlace) || change.op === 'move';
    if (!isReplaced || place.stat === undefined || change.intent.trashId === undefined) continue;
    if (place.stat.dev !== device) await inTurns(copyAhead(place, slot, itemOf(change)), context);
  }
}

/** Yields to other work between the pieces, reports progress, and stops when the call is cancelled. */
export function inTurns(work: Steps<void>, { signal, report }: ChangeContext): Promise<void> {
  return runInTurns(work, { signal, onProgress: ({ files, bytes }) => report({ files, bytes }) });
}

/**
 * Removes folders that should be empty by now, from the inside out. Returns those that stay because they are not empty or resist; one that
 * was already gone (ENOENT) is not this set's doing.
 */
export function removeFolders(staged: readonly StagedChange[]): LeftFolder[] {
  const remaining: LeftFolder[] = [];
  for (const { change, place } of staged) {
    if (change.op !== 'rmdir') continue;
    try {
      rmdirSync(place.parent.at(place.name));
    } catch (error) {
      remaining.push({ path: change.intent.path, errno: errno(error) ?? 'unknown' });
    }
  }
  return remaining;
}

function checkStill({ change, place, from }: StagedChange): void {
  if (change.op === 'mkdir' || change.op === 'rmdir') return;
  place.parent.verify();
  checkUnchanged(place.parent.at(place.name), change.expected, change.intent.path);
  if (change.op === 'move' && from !== undefined)
    checkUnchanged(from.parent.at(from.name), change.expectedFrom, from.path);
}

type Put = Extract<Change, { op: 'put' }>;

export function performChange(staged: StagedChange, slot: Directory, home: string): void {
  const { change, place, from } = staged;
  switch (change.op) {
    case 'put':
      if (staged.isInPlace) putInPlace(change, place);
      else if (staged.isMovedBack) moveOut(change, place, slot, home);
      else put(staged, change, slot, home);
      return;
    case 'remove':
      staged.isAside = !moveIn(place, slot, itemOf(change), change.temp);
      return;
    case 'move':
      if (from !== undefined) move(change, from, place, slot);
      return;
    case 'mkdir':
      setMode(place, change.intent.op === 'update' ? change.intent.after?.mode : undefined);
      return;
    case 'rmdir':
      // After all others, and never a reason to fail: see `removeFolders`.
      return;
  }
}

// A failure leaves everything as it was, and nothing in the quarantine that was not changed.
function put(staged: StagedChange, change: Put, slot: Directory, home: string): void {
  const { place } = staged;
  const target = place.parent.at(place.name);
  const temp = place.parent.at(change.temp);
  if (change.expected === 'absent') {
    putNew(temp, target, place);
    return;
  }
  const isRewritten = mustStayItself(target, change);
  staged.isRewritten = isRewritten;
  if (isRewritten) keepCopy(place, slot, itemOf(change));
  else keep(place, slot, itemOf(change));
  try {
    if (isRewritten) {
      const copy = (): Buffer => readFileSync(slot.at(itemOf(change)));
      rewrite(place, newBytes(change.source, home), copy, { isSynced: true });
    } else renameSync(temp, target);
  } catch (error) {
    if (!(error instanceof ToolError)) removeTree(slot, itemOf(change));
    throw error;
  }
}

// One of many: the set's pack has the old contents, its journal the new ones, and syncing is done for all of them later.
function putInPlace({ source, old }: Put, place: Located): void {
  if (old === undefined || !('bytes' in source)) throw new Error('not read before');
  const mode = Number((place.stat?.mode ?? 0n) & 0o7777n);
  const change = mode === source.mode ? {} : { mode: source.mode, oldMode: mode };
  rewrite(place, source.bytes, () => old, { isSynced: false, ...change });
}

type RewriteOptions = { isSynced: boolean; mode?: number; oldMode?: number };

// Torn, and the disk refuses the old bytes too: the copy stays, and the next start restores it.
function rewrite(place: Located, content: Buffer, copy: () => Buffer, how: RewriteOptions): void {
  const target = place.parent.at(place.name);
  try {
    overwrite(target, content, how.mode, how.isSynced);
  } catch (error) {
    try {
      overwrite(target, copy(), how.oldMode);
    } catch (worse) {
      const text = `${place.path} could be neither written nor restored (${errno(worse)}). The next start mends it.`;
      throw new ToolError('OUTCOME_UNKNOWN', text);
    }
    throw error;
  }
}

function putNew(temp: string, target: string, place: Located, leftName?: string): void {
  try {
    moveWithoutReplacing(temp, target, leftName);
  } catch (error) {
    throw errno(error) === 'EEXIST' ? staleError(place.asked) : error;
  }
}

function move(change: Extract<Change, { op: 'move' }>, from: Located, to: Located, slot: Directory): void {
  const source = from.parent.at(from.name);
  const target = to.parent.at(to.name);
  if (change.expected === 'absent' && from.stat?.isFile()) {
    putNew(source, target, to, change.temp === undefined ? undefined : to.parent.at(change.temp));
    return;
  }
  if (change.expected !== 'absent') keep(to, slot, itemOf(change));
  try {
    renameSync(source, target);
    // Renaming one name of a file to another name of it does nothing, and reports success.
    if (isSameFile(from, to)) unlinkSync(source);
  } catch (error) {
    if (change.expected !== 'absent') removeTree(slot, itemOf(change));
    throw error;
  }
}

function isSameFile({ stat: a }: Located, { stat: b }: Located): boolean {
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}
