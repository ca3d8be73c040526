// Stores replaced and deleted files outside the workspace: one slot per call, one numbered item per file or folder. Deletions move files
// here, and undo restores them from here. Storing a replaced file is free, because its old inode is only linked.
import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ensureFolder } from '../../platform/database-lock.ts';
import type { Steps } from '../../platform/steps.ts';
import { readProc } from '../../platform/system.ts';
import type { ChangeContext } from '../commit/change.ts';
import { Directory, type Name } from '../directory.ts';
import { errno } from '../fault.ts';
import type { Located } from '../locate.ts';
import { copyTreeInSteps } from '../trees/copy-tree.ts';
import { removeTreeInSteps } from '../trees/remove-tree.ts';
import { copyTree, removeTree } from '../trees/tree.ts';
import { isPacked, unpack } from './pack.ts';

/** A name in an open directory: of the workspace, or of a slot. */
export type DirectoryEntry = { parent: Directory; name: string };

type SlotEntry = { root: string; session: string; callId: string; at: string };

export function isSlotId(name: string): boolean {
  return /^\d+-[0-9a-f]+$/.test(name);
}

export function slotsFolder(home: string): string {
  return join(home, 'trash');
}

export function openSlot(home: string, slot: string, entry: SlotEntry): Directory {
  const folder = join(slotsFolder(home), slot);
  if (!existsSync(folder)) {
    ensureFolder(folder);
    writeFileSync(join(folder, 'entry.json'), `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }
  return Directory.openRoot(folder);
}

/**
 * Copies the entry at a spot into a slot on another device, before the lock is taken for the change itself. The item gets its name once it
 * is whole; an existing item is left.
 */
export function* copyAhead(spot: DirectoryEntry, slot: Directory, item: string): Steps<void> {
  if (lstatSync(slot.at(item), { throwIfNoEntry: false }) !== undefined) return;
  yield* copyTreeInSteps(spot.parent, spot.name, slot, partOf(item));
  // A socket or a device can't be copied; the plan has reported it.
  if (lstatSync(slot.at(partOf(item)), { throwIfNoEntry: false }) !== undefined)
    renameSync(slot.at(partOf(item)), slot.at(item));
}

/** Stores an entry in the quarantine and leaves it in place: the same inode where the disk allows it, else a copy. */
export function keep(spot: DirectoryEntry, slot: Directory, item: string): void {
  if (lstatSync(slot.at(item), { throwIfNoEntry: false }) !== undefined) return;
  try {
    linkSync(spot.parent.at(spot.name), slot.at(item));
  } catch (error) {
    if (errno(error) === 'ENOENT') throw error;
    keepCopy(spot, slot, item);
  }
}

/** Stores a real copy, for content that is about to be overwritten. */
export function keepCopy(spot: DirectoryEntry, slot: Directory, item: string): void {
  try {
    copyTree(spot.parent, spot.name, slot, item);
  } catch (error) {
    removeTree(slot, item);
    throw error;
  }
}

/**
 * Moves the entry at a spot into a slot. Where the slot is on another device the entry is only hidden under the temp name beside it, and
 * `false` is returned: copying is slow and follows later (`copyAside`).
 */
export function moveIn(
  spot: { parent: Directory; name: Name },
  slot: Directory,
  item: string,
  temp: string,
): boolean {
  const source = spot.parent.at(spot.name);
  try {
    renameSync(source, slot.at(item));
    return true;
  } catch (error) {
    if (errno(error) !== 'EXDEV') throw error;
  }
  renameSync(source, spot.parent.at(temp));
  return false;
}

/** Copies an entry that `moveIn` has hidden into the slot; afterwards the hidden one can be removed. */
export function copyAside(parent: Directory, temp: string, slot: Directory, item: string): Steps<void> {
  return copyAhead({ parent, name: temp }, slot, item);
}

function partOf(item: string): string {
  return `${item}.part`;
}

function copyOf(item: string): string {
  return `${item}.copy`;
}

/**
 * A removed file with other names: a change under one of them changes the stored item. So its bytes are copied as well, and the copy is
 * used if the file has changed; otherwise the same inode is restored, with its other names.
 */
export function* copyLinkedItem(slot: Directory, item: string): Steps<void> {
  const stat = lstatSync(slot.at(item), { throwIfNoEntry: false });
  if (stat?.isFile() && stat.nlink > 1) yield* copyTreeInSteps(slot, item, slot, copyOf(item));
}

/** Removes an item with everything stored for it. */
export function* removeItem(slot: Directory, item: string): Steps<void> {
  for (const name of [item, partOf(item), copyOf(item)]) yield* removeTreeInSteps(slot, name);
}

/** Deletes a slot, or one item of it. A file that cannot be deleted stays: an unrelated call must not fail because of it. */
export function* forgetKept(home: string, id: string): Steps<void> {
  const [slot = '', item] = id.split('/');
  try {
    using slots = Directory.openRoot(slotsFolder(home));
    if (item === undefined) {
      yield* removeTreeInSteps(slots, slot);
      return;
    }
    using folder = slots.openBelow(slot);
    yield* removeItem(folder, item);
  } catch {
    // Already deleted, or retried another time.
  }
}

/** A quarantined item by its id `slot/item`; undefined when it no longer exists. */
export function openItem(home: string, id: string): (DirectoryEntry & Disposable) | undefined {
  return findItem(home, id, unpack);
}

/** The slot to which an item that was taken out belongs. */
export function openSlotOfItem(home: string, id: string): DirectoryEntry & Disposable {
  const [slot = '', name = ''] = id.split('/');
  const parent = Directory.openRoot(join(slotsFolder(home), slot));
  return { parent, name, [Symbol.dispose]: () => parent[Symbol.dispose]() };
}

/** Whether an item still exists; cheaper than opening it. */
export function hasItem(home: string, id: string): boolean {
  using item = findItem(home, id, isPacked);
  return item !== undefined;
}

/** Whether the slot of an item still exists. */
export function hasSlotOf(home: string, id: string): boolean {
  const [slot = ''] = id.split('/');
  return isSlotId(slot) && existsSync(join(slotsFolder(home), slot));
}

/** Whether a stored file was changed under another of its names since. */
function isChanged(slot: Directory, item: string, now: Stats): boolean {
  const copy = lstatSync(slot.at(copyOf(item)), { throwIfNoEntry: false });
  return copy !== undefined && (copy.size !== now.size || Math.abs(copy.mtimeMs - now.mtimeMs) > 1);
}

function findItem(
  home: string,
  id: string,
  inPack: (slot: Directory, name: string) => boolean,
): (DirectoryEntry & Disposable) | undefined {
  const [slot = '', name = ''] = id.split('/');
  if (!isSlotId(slot) || !/^\d+$/.test(name)) return undefined;
  const folder = join(slotsFolder(home), slot);
  if (!existsSync(folder)) return undefined;
  const parent = Directory.openRoot(folder);
  const end = { [Symbol.dispose]: () => parent[Symbol.dispose]() };
  const stat = lstatSync(parent.at(name), { throwIfNoEntry: false });
  if (stat !== undefined)
    return { parent, name: isChanged(parent, name, stat) ? copyOf(name) : name, ...end };
  if (inPack(parent, name)) return { parent, name, ...end };
  parent[Symbol.dispose]();
  return undefined;
}

/** Whether an entry can be moved to the quarantine, or has to be copied there. */
const overlayfs = 0x794c7630;

/**
 * Whether moving to the quarantine crosses a device or a mount. An overlay can move only folders created in it, so it counts as another
 * device.
 */
export function isOtherDevice(home: string, { parent, stat }: Pick<Located, 'parent' | 'stat'>): boolean {
  const slots = slotsFolder(home);
  const fd = openSync(existsSync(slots) ? slots : home, 'r');
  try {
    if (fstatSync(fd).dev !== fstatSync(parent.fd).dev || mountOf(fd) !== mountOf(parent.fd)) return true;
  } finally {
    closeSync(fd);
  }
  return stat?.isDirectory() === true && statfsSync(parent.at('.')).type === overlayfs;
}

// Two mounts of one device, as in containers, differ only in this id.
function mountOf(fd: number): string | undefined {
  return /^mnt_id:\s*(\d+)$/m.exec(readProc(`self/fdinfo/${fd}`) ?? '')?.[1];
}

/** The slot of the call that makes the changes. */
export function openSlotOf({ home, slot, session, callId, workspace }: ChangeContext): Directory {
  const entry = { root: workspace.root.real, session, callId, at: new Date().toISOString() };
  return openSlot(home, slot, entry);
}
