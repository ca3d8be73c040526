// Restores a quarantined file or folder to its place: by a rename or a second name, or as a copy where the quarantine is on another device.
import { linkSync, lstatSync, readFileSync, renameSync } from 'node:fs';
import { ToolError } from '@codelab/protocol';
import type { Steps } from '../../platform/steps.ts';
import type { Directory } from '../directory.ts';
import { errno } from '../fault.ts';
import type { Located } from '../locate.ts';
import { type DirectoryEntry, isOtherDevice, openItem } from '../quarantine/quarantine.ts';
import { copyTreeInSteps } from '../trees/copy-tree.ts';
import { type Change, itemOf, type NewContent } from './change.ts';
import { failedAt } from './failed-at-path.ts';

type Put = Extract<Change, { op: 'put' }>;

/** A folder on the same device: one rename restores it, however large it is. */
export function isMovable(id: string, place: Located, home: string): boolean {
  using item = openItem(home, id);
  if (item === undefined) return false;
  const stat = lstatSync(item.parent.at(item.name), { bigint: true });
  return stat.isDirectory() && !isOtherDevice(home, { parent: place.parent, stat });
}

/** Restores the original file itself. False when it has to be copied, so that the stored one stays intact. */
export function linkBack(id: string, place: Located, temp: string, home: string): boolean {
  using item = openItem(home, id);
  if (item === undefined) throw noLongerKept(place);
  try {
    linkSync(item.parent.at(item.name), place.parent.at(temp));
    return true;
  } catch (error) {
    if (errno(error) === 'EEXIST') throw error;
    return false;
  }
}

/** Copies an item from a quarantine on another device to its temp name. */
export function* copyKept(
  { change, place, isToBeCopied }: { change: Change; place: Located; isToBeCopied: boolean },
  home: string,
): Steps<void> {
  if (!isToBeCopied || change.op !== 'put' || !('kept' in change.source)) return;
  using item = openItem(home, change.source.kept);
  if (item === undefined) throw noLongerKept(place);
  try {
    yield* copyTreeInSteps(item.parent, item.name, place.parent, change.temp);
  } catch (error) {
    throw failedAt(error, change.intent.path);
  }
}

function noLongerKept({ path }: Located): ToolError {
  return new ToolError('FILE_NOT_FOUND', `What ${path} was before is no longer kept.`, { reason: 'evicted' });
}

/** Moves a quarantined folder back to its place. An existing entry there is quarantined first. */
export function moveOut(change: Put, place: Located, slot: Directory, home: string): void {
  using item = keptItem(change.source, home);
  const target = place.parent.at(place.name);
  if (change.expected !== 'absent') renameSync(target, slot.at(itemOf(change)));
  try {
    renameSync(item.parent.at(item.name), target);
  } catch (error) {
    if (change.expected !== 'absent') renameSync(slot.at(itemOf(change)), target);
    throw error;
  }
}

function keptItem(source: NewContent, home: string): DirectoryEntry & Disposable {
  const item = 'kept' in source ? openItem(home, source.kept) : undefined;
  if (item === undefined) throw Object.assign(new Error('no longer kept'), { code: 'ENOENT' });
  return item;
}

export function newBytes(source: NewContent, home: string): Buffer {
  if ('bytes' in source) return source.bytes;
  using item = keptItem(source, home);
  return readFileSync(item.parent.at(item.name));
}
