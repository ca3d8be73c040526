// Removes temp names of changes that were interrupted or are no longer needed; an entry hidden under one, to be quarantined, is restored or
// quarantined first.
import { lstatSync, renameSync, rmdirSync } from 'node:fs';
import type { Effect } from '@codelab/protocol';
import { runNow } from '../../platform/steps.ts';
import type { Directory } from '../directory.ts';
import { errno } from '../fault.ts';
import type { Located } from '../locate.ts';
import { copyAside, hasItem, openSlot } from '../quarantine/quarantine.ts';
import { removeTree } from '../trees/tree.ts';
import type { Change } from './change.ts';
import { anyLength, type InterruptedSet } from './change-position.ts';

/** Where a call ran, and the slot for its replaced content. */
export type CallPlace = InterruptedSet & { session: string; callId: string };

export function tidyTemps(call: CallPlace, changes: readonly Change[]): void {
  for (const change of changes) if ('temp' in change) tidyTemp(call, { ...change.intent, temp: change.temp });
}

/** Tried twice: after a transient failure, the temp name would be forgotten. */
export function tidyTemp(dead: CallPlace, effect: Effect): void {
  const { temp } = effect;
  if (temp === undefined) return;
  const tidy = (): true => {
    removeTemp(dead, { ...effect, temp });
    return true;
  };
  if (safely(tidy) === undefined) safely(tidy);
}

function removeTemp(dead: CallPlace, { path, op, temp, trashId }: Effect & { temp: string }): void {
  using place = dead.workspace.locate(path, anyLength);
  if (place.missing.length > 0) return;
  const { parent, name } = place;
  if (lstatSync(parent.at(temp), { throwIfNoEntry: false }) === undefined) return;
  const isRemoval = op === 'delete' && trashId !== undefined;
  if (!isRemoval || hasItem(dead.home, `${dead.slot}/${trashId}`)) removeTree(parent, temp);
  else if (place.stat === undefined) renameSync(parent.at(temp), parent.at(name));
  else keepFor(dead, parent, temp, trashId);
}

function keepFor(dead: CallPlace, parent: Directory, temp: string, item: string): void {
  const { session, callId, workspace } = dead;
  const entry = { root: workspace.root.real, session, callId, at: new Date().toISOString() };
  using slot = openSlot(dead.home, dead.slot, entry);
  runNow(copyAside(parent, temp, slot, item));
  removeTree(parent, temp);
}

// One failing path must not stop the others, or the start.
export function safely<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** A folder in which something is by now stays. */
export function removeEmpty(place: Located): void {
  try {
    rmdirSync(place.parent.at(place.name));
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(errno(error) ?? '')) throw error;
  }
}
