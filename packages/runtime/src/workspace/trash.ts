// The quarantine: deleted things are moved here whole, outside the workspace, and kept for a while.

import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkUnchanged } from './check-unchanged.ts';
import { Directory } from './directory.ts';
import { errno } from './fault.ts';
import type { Located } from './locate.ts';
import { copyTree, removeTree } from './tree.ts';

const keptMs = 14 * 24 * 60 * 60 * 1000;

export type TrashEntry = { id: string; root: string; path: string; deletedAt: string; callId: string };

export function newTrashId(): string {
  return `${Date.now()}-${randomBytes(6).toString('hex')}`;
}

type Kept = { home: string; id: string; callId: string; root: string };

/** Moves what stands at a place into the quarantine; it vanishes from the workspace in one step, and only when all of it is kept. */
export function moveToTrash(place: Located, options: Kept & { temp: string; expected: string }): void {
  const source = place.parent.at(place.name);
  const temp = place.parent.at(options.temp);
  useSlot(place, options, (slot) => {
    try {
      renameSync(source, slot.at('item'));
      return;
    } catch (error) {
      if (errno(error) !== 'EXDEV') throw error;
    }
    copyTree(place.parent, place.name, slot, 'item');
    checkUnchanged(source, options.expected, place.asked);
    // Under a name of ours first, so that a crash never leaves half a tree in sight.
    renameSync(source, temp);
  });
  removeTree(place.parent, options.temp);
}

/** Keeps a copy of what stands at a place that is about to be replaced. */
export function keepInTrash(place: Located, options: Kept): void {
  useSlot(place, options, (slot) => copyTree(place.parent, place.name, slot, 'item'));
}

/** The second half of a move between file systems, after a crash: what is not kept yet is, then the rest goes. */
export function finishMove(parent: Directory, temp: string, slot: Directory): void {
  copyTree(parent, temp, slot, 'item');
  removeTree(parent, temp);
}

// What could not be kept leaves nothing in the quarantine.
function useSlot(place: Located, { home, id, callId, root }: Kept, work: (slot: Directory) => void): void {
  try {
    using slot = openSlot(home, { id, root, path: place.path, deletedAt: new Date().toISOString(), callId });
    work(slot);
  } catch (error) {
    forget(home, id);
    throw error;
  }
}

export function openSlot(home: string, entry: TrashEntry): Directory {
  const folder = join(home, 'trash', entry.id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'entry.json'), `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  return Directory.openRoot(folder);
}

/** Forgets what has been kept long enough. Cheap: the age is in the name. */
export function purgeTrash(home: string, now: number): void {
  const ids = readdirSync(join(home, 'trash'));
  for (const id of ids) if (now - Number(id.split('-')[0]) > keptMs) forget(home, id);
}

// What resists stays: it must not make the deletion fail that happens to come by.
function forget(home: string, id: string): void {
  try {
    using trash = Directory.openRoot(join(home, 'trash'));
    removeTree(trash, id);
  } catch {
    // Tried again when the next thing is deleted.
  }
}
