// Reverts a set when one of its changes fails: every step is tried, whatever happens to the others, and changes that could not be reverted
// are named, recorded and still stored.
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Effect, ToolError } from '@codelab/protocol';
import { runInTurns } from '../../platform/steps.ts';
import { type Directory, isSameInode, isSameVersion, staleError } from '../directory.ts';
import { errno, FailedWithEffects, fault } from '../fault.ts';
import type { Located } from '../locate.ts';
import { openSlotOfItem, removeItem } from '../quarantine/quarantine.ts';
import { copyTree, removeTree } from '../trees/tree.ts';
import {
  type Change,
  type ChangeContext,
  fileStateAt,
  itemOf,
  moveWithoutReplacing,
  overwrite,
} from './change.ts';
import { compareState } from './change-position.ts';
import type { StagedChange } from './stage-changes.ts';
import { safely } from './tidy-temps.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** The changes of a set that were begun, the slot for replaced content, and their call. */
export type PerformedSet = { staged: readonly StagedChange[]; slot: Directory; context: ChangeContext };

/** Returns the error to throw: the first one when everything is reverted, else one that names the rest. `isLate`: others had time for changes. */
export function revertSet({ staged, slot, context }: PerformedSet, error: unknown, isLate = false): unknown {
  const failures = new Map<StagedChange, unknown>();
  for (const stagedChange of staged.toReversed()) {
    try {
      if (isAsBefore(stagedChange)) continue;
      if (isLate) checkOurs(stagedChange);
      revertChange(stagedChange, slot, context.home);
    } catch (failure) {
      failures.set(stagedChange, failure);
    }
  }
  for (const stagedChange of staged) stagedChange.isReverted = isAsBefore(stagedChange);
  const stuck = staged.filter(({ isReverted }) => !isReverted);
  return stuck.length === 0 ? error : notPutBack(stuck, failures, context, error);
}

/** Throws when somebody has changed what the set left. */
function checkOurs({ change, place, from }: StagedChange): void {
  const stat = lookAt(place);
  const isFree = from === undefined || lookAt(from) === undefined;
  const isOurs =
    change.op === 'move'
      ? isFree && stat !== undefined && isSameInode(change.expectedFrom, stat)
      : compareState(change.intent, { ...place, stat }) === 'new';
  if (!isOurs) throw staleError(place.asked);
}

function notPutBack(
  stuck: readonly StagedChange[],
  failures: ReadonlyMap<StagedChange, unknown>,
  { callId, slot }: ChangeContext,
  error: unknown,
): FailedWithEffects {
  const files = stuck.map((stagedChange) => {
    const failure = failures.get(stagedChange);
    const isOther = failure instanceof ToolError;
    const reason = isOther ? 'something else is there now' : (errno(failure) ?? 'unknown');
    return { path: stagedChange.change.intent.path, reason, ...keptAs(stagedChange, slot) };
  });
  const why =
    safely(() => fault(error, stuck[0]?.change.intent.path ?? '').message) ?? 'The call was stopped';
  const names = files
    .map(({ path, reason, kept: item }) => `${path} (${reason}${item ? `; kept as ${item}` : ''})`)
    .join(', ');
  const text = `${why}. These files could not be put back as they were: ${names}. What they held before is kept; remove the cause, then \`codelab undo --call ${callId}\`.`;
  const failure = new ToolError('OUTCOME_UNKNOWN', text, { files });
  return new FailedWithEffects(
    failure,
    stuck.flatMap((each) => effectOf(each, slot, failures.get(each) instanceof ToolError)),
  );
}

function keptAs({ change, place, isAside }: StagedChange, slot: string): { kept?: string } {
  // Not yet in the quarantine: beside its place, under a hidden name.
  if (isAside && change.op === 'remove') return { kept: join(dirname(place.path), change.temp) };
  const { trashId } = change.intent;
  return trashId === undefined ? {} : { kept: `${slot}/${trashId}` };
}

/** The effect as it really is, for undo: from the old state to the present one, or to the one that somebody has changed since. */
function effectOf({ change, place }: StagedChange, slot: string, isOther: boolean): Effect[] {
  const { trashId, temp: _, ...intent } = change.intent;
  const stat = lookAt(place);
  const now = stat === undefined ? null : safely(() => fileStateAt({ ...place, stat }, stat));
  const after = isOther ? intent.after : now;
  if (after === undefined) return [];
  return [{ ...intent, after, ...(trashId === undefined ? {} : { trashId: `${slot}/${trashId}` }) }];
}

/** Judged by the disk, not by the attempted steps: a failed step may have had its effect. */
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

// A folder, or a file too large to read, must be the identical one: others may look alike.
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

/** Changes that were reverted had no effect, so their items are not needed. Removed in turns, without the lock: one may be a large folder. */
export async function forgetReverted({ staged, slot }: PerformedSet): Promise<void> {
  for (const { change, isReverted } of staged)
    if (isReverted && change.intent.trashId !== undefined)
      await runInTurns(removeItem(slot, itemOf(change))).catch(() => undefined);
}

/** Reverts a change that was performed, because another change of the same set failed. */
function revertChange(staged: StagedChange, slot: Directory, home: string): void {
  const { change, place, from } = staged;
  switch (change.op) {
    case 'put':
    case 'remove':
      if (staged.isMovedBack && change.op === 'put') moveInAgain(change, place, slot, home);
      else if (staged.isAside) showAgain(place, change.temp);
      else if (staged.isInPlace && change.op === 'put' && change.old !== undefined)
        overwrite(place.parent.at(place.name), change.old, Number((place.stat?.mode ?? 0n) & 0o7777n));
      else if (change.intent.before === null) removeMade(staged, change.temp);
      else bringBack(slot, itemOf(change), staged, change.temp);
      return;
    case 'move':
      if (from === undefined) return;
      renameSync(place.parent.at(place.name), from.parent.at(from.name));
      if (change.intent.before !== null)
        bringBack(slot, itemOf(change), staged, `${itemOf(change)}.codelab.tmp`);
      return;
    case 'mkdir':
      setMode(place, change.intent.op === 'update' ? change.intent.before?.mode : undefined);
      return;
    case 'rmdir':
      return;
  }
}

/** Restores an entry that was only hidden, unless another one has taken its place. */
function showAgain(place: Located, temp: string): void {
  const target = place.parent.at(place.name);
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) throw staleError(place.asked);
  moveWithoutReplacing(place.parent.at(temp), target);
}

/** Hides what a change created under its temp name, which goes with the stage. An entry that another program put there stays. */
function removeMade({ place, fd }: StagedChange, temp: string): void {
  const target = place.parent.at(place.name);
  const now = lstatSync(target, { throwIfNoEntry: false });
  if (now === undefined) return;
  if (fd !== undefined && fstatSync(fd).ino !== now.ino) throw staleError(place.asked);
  renameSync(target, place.parent.at(temp));
}

function moveInAgain(
  change: Extract<Change, { op: 'put' }>,
  place: Located,
  slot: Directory,
  home: string,
): void {
  const id = 'kept' in change.source ? change.source.kept : '';
  using source = openSlotOfItem(home, id);
  renameSync(place.parent.at(place.name), source.parent.at(source.name));
  if (change.expected !== 'absent') renameSync(slot.at(itemOf(change)), place.parent.at(place.name));
}

/** Moves a quarantined item back to its place; afterwards the slot no longer has it. */
function bringBack(slot: Directory, item: string, { place, isRewritten }: StagedChange, temp: string): void {
  const target = place.parent.at(place.name);
  // Only an overwritten file is overwritten again: a replacement may be another name of a stored file.
  if (isRewritten) {
    overwrite(target, readFileSync(slot.at(item)));
    return;
  }
  try {
    renameSync(slot.at(item), target);
  } catch (error) {
    if (errno(error) !== 'EXDEV') throw error;
    copyTree(slot, item, place.parent, temp);
    renameSync(place.parent.at(temp), target);
    removeTree(slot, item);
  }
}

/** Sets the mode of an existing folder; a new one already has its own. */
export function setMode(place: Located, mode: number | undefined): void {
  if (mode === undefined) return;
  const path = place.parent.at(place.name);
  // A folder that its owner cannot read is reached by its descriptor as well, which follows no link.
  const isClosed = place.parent.isHeld && (lstatSync(path).mode & 0o400) === 0;
  const fd = openSync(path, (isClosed ? O_PATH : O_RDONLY) | O_DIRECTORY | O_NOFOLLOW);
  try {
    if (isClosed) chmodSync(`/proc/self/fd/${fd}`, mode);
    else fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

// Linux has it, and node does not name it.
const O_PATH = 0o10000000;
