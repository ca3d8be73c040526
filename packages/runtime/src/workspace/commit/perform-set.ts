// The changes of one set, carried out under the lock, and the way back when one of them fails: every step back is tried, whatever
// happens to the others, and what could not be put back is named, recorded and still kept.
import { fstatSync, lstatSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Effect, ToolError } from '@codelab/protocol';
import { runInTurns, type Steps } from '../../platform/steps.ts';
import { checkUnchanged, type Directory, isSameInode, isSameVersion } from '../directory.ts';
import { errno, FailedWithEffects, fault } from '../fault.ts';
import type { Located } from '../locate.ts';
import { copyAhead, copyAside, copyLinkedItem, removeItem } from '../quarantine/quarantine.ts';
import { removeTreeInSteps } from '../trees/remove-tree.ts';
import { type ChangeContext, compareState, fileStateAt, itemOf } from './change.ts';
import { performChange, revertChange } from './perform-change.ts';
import type { StagedChange } from './stage-changes.ts';

/** A folder that was to be removed and is still there. */
export type LeftFolder = { path: string; errno: string };

type Set = { staged: readonly StagedChange[]; slot: Directory; context: ChangeContext };

/** Checks, then performs. When it throws, everything is as before; otherwise a `FailedWithEffects` says what is not. */
export function performSet({ staged, slot, context }: Set): void {
  const begun: StagedChange[] = [];
  try {
    for (const one of staged) checkStill(one);
    for (const one of staged) {
      begun.push(one);
      performChange(one, slot, context.home);
    }
  } catch (error) {
    throw putBack({ staged: begun, slot, context }, error);
  }
}

/** Copies what was removed to a quarantine on another device. Until that is done it can be put back by a rename. */
export async function keepRemoved({ staged, slot, context }: Set): Promise<void> {
  try {
    for (const { change, place, isAside } of staged) {
      if (change.op !== 'remove') continue;
      const item = itemOf(change);
      const work = isAside ? copyAside(place.parent, change.temp, slot, item) : copyLinkedItem(slot, item);
      await inTurns(work, context);
    }
    await syncToDisk(staged, slot);
  } catch (error) {
    throw await context.lock.hold(() => putBack({ staged, slot, context }, error));
  }
  await removeAside(staged);
}

/** All of it is kept by now. What can't be removed stays under its hidden name: the change itself is made. */
async function removeAside(staged: readonly StagedChange[]): Promise<void> {
  for (const one of staged) {
    if (!one.isAside || one.change.op !== 'remove') continue;
    one.isAside = false;
    await runInTurns(removeTreeInSteps(one.place.parent, one.change.temp)).catch(() => undefined);
  }
}

// The copies must not be lost to a power failure while the originals are removed for good.
async function syncToDisk(staged: readonly StagedChange[], slot: Directory): Promise<void> {
  if (!staged.some(({ isAside }) => isAside)) return;
  const { execFile } = await import('node:child_process');
  await new Promise<void>((resolve) => execFile('sync', ['-f', slot.real], () => resolve()));
}

/** Where the quarantine is on another device, what will be replaced is copied there before the lock is held. */
export async function keepReplaced({ staged, slot, context }: Set): Promise<void> {
  const device = fstatSync(slot.fd, { bigint: true }).dev;
  for (const { change, place, isInPlace } of staged) {
    const isReplaced = (change.op === 'put' && !isInPlace) || change.op === 'move';
    if (!isReplaced || place.stat === undefined || change.intent.trashId === undefined) continue;
    if (place.stat.dev !== device) await inTurns(copyAhead(place, slot, itemOf(change)), context);
  }
}

/** With a turn for everybody else between the pieces, progress, and an end when the call is cancelled. */
export function inTurns(work: Steps<void>, { signal, report }: ChangeContext): Promise<void> {
  return runInTurns(work, { signal, onProgress: ({ files, bytes }) => report({ files, bytes }) });
}

/**
 * Folders that should be empty by now, from the inside out. Returns those that were not removed: one that is not empty, or resists, stays;
 * one that was gone already (ENOENT) is nothing that this set has done.
 */
export function removeFolders(staged: readonly StagedChange[]): LeftFolder[] {
  const left: LeftFolder[] = [];
  for (const { change, place } of staged) {
    if (change.op !== 'rmdir') continue;
    try {
      rmdirSync(place.parent.at(place.name));
    } catch (error) {
      left.push({ path: change.intent.path, errno: errno(error) ?? 'unknown' });
    }
  }
  return left;
}

function checkStill({ change, place, from }: StagedChange): void {
  if (change.op === 'mkdir' || change.op === 'rmdir') return;
  place.parent.verify();
  checkUnchanged(place.parent.at(place.name), change.expected, change.intent.path);
  if (change.op === 'move' && from !== undefined)
    checkUnchanged(from.parent.at(from.name), change.expectedFrom, from.path);
}

/** Returns the error to be thrown: the first one when all is as before, else one that names what is not. */
function putBack({ staged, slot, context }: Set, error: unknown): unknown {
  const failures = new Map<StagedChange, unknown>();
  for (const one of staged.toReversed()) {
    try {
      if (!isAsBefore(one)) revertChange(one, slot, context.home);
    } catch (failure) {
      failures.set(one, failure);
    }
  }
  const stuck = staged.filter((one) => !isAsBefore(one));
  for (const one of staged) if (!stuck.includes(one)) forgetItem(one, slot);
  return stuck.length === 0 ? error : notPutBack(stuck, failures, context, error);
}

function notPutBack(
  stuck: readonly StagedChange[],
  failures: ReadonlyMap<StagedChange, unknown>,
  { callId, slot }: ChangeContext,
  error: unknown,
): FailedWithEffects {
  const files = stuck.map((one) => {
    const reason =
      errno(failures.get(one)) ?? (failures.has(one) ? 'something else is there now' : 'unknown');
    return { path: one.change.intent.path, reason, ...keptAs(one, slot) };
  });
  const why = fault(error, stuck[0]?.change.intent.path ?? '').message;
  const names = files
    .map(({ path, reason, kept }) => `${path} (${reason}${kept ? `; kept as ${kept}` : ''})`)
    .join(', ');
  const text = `${why}. These files could not be put back as they were: ${names}. What they held before is kept; remove the cause, then \`codelab undo --call ${callId}\`.`;
  const failure = new ToolError('OUTCOME_UNKNOWN', text, { files });
  return new FailedWithEffects(
    failure,
    stuck.flatMap((one) => effectOf(one, slot)),
  );
}

function keptAs({ change, place, isAside }: StagedChange, slot: string): { kept?: string } {
  // Not yet in the quarantine: beside its place, under a hidden name.
  if (isAside && change.op === 'remove') return { kept: join(dirname(place.path), change.temp) };
  const { trashId } = change.intent;
  return trashId === undefined ? {} : { kept: `${slot}/${trashId}` };
}

/** The effect as it really is, for undo: from what was before to what stands there now. */
function effectOf({ change, place }: StagedChange, slot: string): Effect[] {
  const { trashId, temp: _, ...intent } = change.intent;
  const stat = lookAt(place);
  const after = stat === undefined ? null : safely(() => fileStateAt({ ...place, stat }, stat));
  if (after === undefined) return [];
  return [{ ...intent, after, ...(trashId === undefined ? {} : { trashId: `${slot}/${trashId}` }) }];
}

/** Judged by what is there, not by what was tried: a step that failed may have had its effect. */
function isAsBefore({ change, place, from }: StagedChange): boolean {
  try {
    const stat = lookAt(place);
    switch (change.op) {
      case 'rmdir':
        return true;
      case 'mkdir':
        return (
          change.intent.op !== 'update' || Number((stat?.mode ?? 0n) & 0o7777n) === change.intent.before?.mode
        );
      case 'move': {
        const origin = from && lookAt(from);
        const isBack = origin !== undefined && isSameInode(change.expectedFrom, origin);
        return isBack && isStill(change, place, stat);
      }
      case 'put':
      case 'remove':
        return isStill(change, place, stat);
    }
  } catch {
    return false;
  }
}

type ExpectedState = { intent: Effect; expected: string };

// A folder, or a file too large to be read for it, must be the very same one: others may look alike.
function isStill(
  { intent: { before }, expected }: ExpectedState,
  place: Located,
  stat: Located['stat'],
): boolean {
  if (before === null || stat === undefined) return before === null && stat === undefined;
  if (before.type === 'directory') return stat.isDirectory() && isSameInode(expected, stat);
  if (before.digest === undefined) return isSameVersion(expected, stat);
  const same: Effect = { op: 'update', path: place.path, before, after: before };
  return compareState(same, { ...place, stat }) === 'new';
}

function lookAt({ parent, name }: Located): Located['stat'] {
  return lstatSync(parent.at(name), { bigint: true, throwIfNoEntry: false });
}

// Nothing came of it, so nothing need be kept for it.
function forgetItem({ change }: StagedChange, slot: Directory): void {
  if (change.intent.trashId === undefined) return;
  safely(() => removeItem(slot, itemOf(change)));
}

function safely<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
