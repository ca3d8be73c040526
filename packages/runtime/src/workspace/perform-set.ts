// The changes of one set, carried out under the lock, and the way back when one of them fails: every step back is tried, whatever
// happens to the others, and what could not be put back is named, recorded and still kept.
import { lstatSync, rmdirSync } from 'node:fs';
import { type Effect, ToolError } from '@codelab/protocol';
import type { RunContext } from '../define-tool.ts';
import { FailedWithEffects } from '../failed-with-effects.ts';
import { checkUnchanged } from './check-unchanged.ts';
import { compareState } from './compare-state.ts';
import type { Directory } from './directory.ts';
import { errno, fault } from './fault.ts';
import { fileStateAt } from './file-state.ts';
import { isSameInode, isSameVersion } from './identity.ts';
import type { Located } from './locate.ts';
import { itemOf, perform, takeBack } from './perform-change.ts';
import { keepAside, keepTwin, removeItem } from './quarantine.ts';
import type { Staged } from './stage-changes.ts';

/** A folder that was to be removed and is still there. */
export type LeftFolder = { path: string; errno: string };

type Set = { staged: readonly Staged[]; slot: Directory; context: RunContext };

/** Checks, then performs. When it throws, everything is as before; otherwise a `FailedWithEffects` says what is not. */
export function performSet({ staged, slot, context }: Set): void {
  const begun: Staged[] = [];
  try {
    for (const one of staged) checkStill(one);
    for (const one of staged) {
      begun.push(one);
      perform(one, slot, context.home);
    }
  } catch (error) {
    throw putBack({ staged: begun, slot, context }, error);
  }
}

/** Copies what was removed to a quarantine on another device. Until that is done it can be put back by a rename. */
export function keepRemoved({ staged, slot, context }: Set): void {
  try {
    for (const { change, place, isAside } of staged) {
      context.signal.throwIfAborted();
      if (change.op !== 'remove') continue;
      if (isAside) keepAside(place.parent, change.temp, slot, itemOf(change));
      else keepTwin(slot, itemOf(change));
    }
  } catch (error) {
    throw context.lock.hold(() => putBack({ staged, slot, context }, error));
  }
}

/** Folders that should be empty by now, from the inside out. One that is not, or resists, stays and is reported. */
export function removeFolders(staged: readonly Staged[]): LeftFolder[] {
  const left: LeftFolder[] = [];
  for (const { change, place } of staged) {
    if (change.op !== 'rmdir') continue;
    try {
      rmdirSync(place.parent.at(place.name));
    } catch (error) {
      if (errno(error) !== 'ENOENT')
        left.push({ path: change.intent.path, errno: errno(error) ?? 'unknown' });
    }
  }
  return left;
}

function checkStill({ change, place, from }: Staged): void {
  if (change.op === 'mkdir' || change.op === 'rmdir') return;
  place.parent.verify();
  checkUnchanged(place.parent.at(place.name), change.expected, change.intent.path);
  if (change.op === 'move' && from !== undefined)
    checkUnchanged(from.parent.at(from.name), change.expectedFrom, from.path);
}

/** Returns the error to be thrown: the first one when all is as before, else one that names what is not. */
function putBack({ staged, slot, context }: Set, error: unknown): unknown {
  const failures = new Map<Staged, unknown>();
  for (const one of staged.toReversed()) {
    try {
      if (!isAsBefore(one)) takeBack(one, slot, context.home);
    } catch (failure) {
      failures.set(one, failure);
    }
  }
  const stuck = staged.filter((one) => !isAsBefore(one));
  for (const one of staged) if (!stuck.includes(one)) forgetItem(one, slot);
  return stuck.length === 0 ? error : notPutBack(stuck, failures, context, error);
}

function notPutBack(
  stuck: readonly Staged[],
  failures: ReadonlyMap<Staged, unknown>,
  { callId, slot }: RunContext,
  error: unknown,
): FailedWithEffects {
  const files = stuck.map((one) => ({
    path: one.change.intent.path,
    reason: errno(failures.get(one)) ?? 'unknown',
    ...(one.change.intent.trashId === undefined ? {} : { kept: `${slot}/${one.change.intent.trashId}` }),
  }));
  const why = fault(error, stuck[0]?.change.intent.path ?? '').message;
  const names = files.map(({ path, reason }) => `${path} (${reason})`).join(', ');
  const text = `${why}. These files could not be put back as they were: ${names}. What they held before is kept; remove the cause, then \`codelab undo --call ${callId}\`.`;
  const failure = new ToolError('OUTCOME_UNKNOWN', text, { files });
  return new FailedWithEffects(
    failure,
    stuck.flatMap((one) => effectOf(one, slot)),
  );
}

/** The effect as it really is, for undo: from what was before to what stands there now. */
function effectOf({ change, place }: Staged, slot: string): Effect[] {
  const { trashId, temp: _, ...intent } = change.intent;
  const stat = lookAt(place);
  const after = stat === undefined ? null : safely(() => fileStateAt({ ...place, stat }, stat));
  if (after === undefined) return [];
  return [{ ...intent, after, ...(trashId === undefined ? {} : { trashId: `${slot}/${trashId}` }) }];
}

/** Judged by what is there, not by what was tried: a step that failed may have had its effect. */
function isAsBefore({ change, place, from }: Staged): boolean {
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

type Guarded = { intent: Effect; expected: string };

// A folder, or a file too large to be read for it, must be the very same one: others may look alike.
function isStill({ intent: { before }, expected }: Guarded, place: Located, stat: Located['stat']): boolean {
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
function forgetItem({ change }: Staged, slot: Directory): void {
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
