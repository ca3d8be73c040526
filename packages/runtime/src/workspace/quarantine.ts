// Where the workspace's old things are kept, outside of it: one slot per call, one numbered item per thing that was changed or removed.
// It is what deletes go to and what undo takes from. A replaced file costs nothing to keep: its old self is only linked.
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Directory } from './directory.ts';
import { errno } from './fault.ts';
import { copyTree, removeTree } from './tree.ts';

/** A name in an open directory: of the workspace, or of a slot. */
export type Spot = { parent: Directory; name: string };

export type SlotEntry = { root: string; session: string; callId: string; at: string };

export function newSlotId(): string {
  return `${Date.now()}-${randomBytes(6).toString('hex')}`;
}

export function slotsFolder(home: string): string {
  return join(home, 'trash');
}

export function openSlot(home: string, slot: string, entry: SlotEntry): Directory {
  const folder = join(slotsFolder(home), slot);
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'entry.json'), `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }
  return Directory.openRoot(folder);
}

/** Keeps what stands at a spot, which stays where it is. The kept file is the same file, not a copy, where the disk allows it. */
export function keep(spot: Spot, slot: Directory, item: string): void {
  try {
    linkSync(spot.parent.at(spot.name), slot.at(item));
  } catch (error) {
    if (errno(error) === 'EEXIST' || errno(error) === 'ENOENT') throw error;
    keepCopy(spot, slot, item);
  }
}

/** Keeps a real copy, for a file that is about to be written over. */
export function keepCopy(spot: Spot, slot: Directory, item: string): void {
  copyTree(spot.parent, spot.name, slot, item);
}

/** Moves what stands at a spot into a slot; it vanishes from the workspace in one step, under `temp` if it must be copied. */
export function moveIn(spot: Spot, slot: Directory, item: string, temp: string): void {
  try {
    renameSync(spot.parent.at(spot.name), slot.at(item));
    return;
  } catch (error) {
    if (errno(error) !== 'EXDEV') throw error;
  }
  renameSync(spot.parent.at(spot.name), spot.parent.at(temp));
  finishMoveIn(spot.parent, temp, slot, item);
}

/** The second half of a move between file systems; also used after a crash. */
export function finishMoveIn(parent: Directory, temp: string, slot: Directory, item: string): void {
  removeTree(slot, item);
  copyTree(parent, temp, slot, item);
  removeTree(parent, temp);
}

/** An item that was kept, by its id `slot/item`; undefined when it is no longer there. */
export function openItem(home: string, id: string): (Spot & Disposable) | undefined {
  const [slot = '', name = ''] = id.split('/');
  if (!/^\d+-[0-9a-f]+$/.test(slot) || !/^\d+$/.test(name)) return undefined;
  const folder = join(slotsFolder(home), slot);
  if (!existsSync(join(folder, name))) return undefined;
  const parent = Directory.openRoot(folder);
  return { parent, name, [Symbol.dispose]: () => parent[Symbol.dispose]() };
}
