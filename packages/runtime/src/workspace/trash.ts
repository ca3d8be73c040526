// The quarantine: deleted things are moved here whole, outside the workspace, and kept for a while.

import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Directory } from './directory.ts';
import { errno } from './fault.ts';
import type { Located } from './locate.ts';
import { copyTree, removeTree } from './tree.ts';

const keptMs = 14 * 24 * 60 * 60 * 1000;

export type TrashEntry = { id: string; root: string; path: string; deletedAt: string; callId: string };

export function newTrashId(): string {
  return `${Date.now()}-${randomBytes(6).toString('hex')}`;
}

/** Moves what stands at a place into the quarantine; it vanishes from the workspace in one step. */
export function moveToTrash(
  place: Located,
  options: { home: string; id: string; callId: string; root: string; temp: string },
): void {
  const { home, id, callId, root, temp } = options;
  using slot = openSlot(home, { id, root, path: place.path, deletedAt: new Date().toISOString(), callId });
  const source = place.parent.at(place.name);
  try {
    renameSync(source, slot.at('item'));
    return;
  } catch (error) {
    if (errno(error) !== 'EXDEV') throw error;
  }
  // Another file system: vanish under a name of ours first, so that a crash never leaves half a tree in sight.
  renameSync(source, place.parent.at(temp));
  finishMove(place.parent, temp, slot);
}

/** Keeps a copy of what stands at a place that is about to be replaced. */
export function keepInTrash(
  place: Located,
  options: { home: string; id: string; callId: string; root: string },
): void {
  const { home, id, callId, root } = options;
  using slot = openSlot(home, { id, root, path: place.path, deletedAt: new Date().toISOString(), callId });
  copyTree(place.parent, place.name, slot, 'item');
}

/** The second half of a move between file systems; also used after a crash. */
export function finishMove(parent: Directory, temp: string, slot: Directory): void {
  removeTree(slot, 'item');
  copyTree(parent, temp, slot, 'item');
  removeTree(parent, temp);
}

export function openSlot(home: string, entry: TrashEntry): Directory {
  const folder = join(home, 'trash', entry.id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'entry.json'), `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  return Directory.openRoot(folder);
}

/** Forgets what has been kept long enough. Cheap: the age is in the name. */
export function purgeTrash(home: string, now: number): void {
  const folder = join(home, 'trash');
  const old = readdirSync(folder).filter((id) => now - Number(id.split('-')[0]) > keptMs);
  if (old.length === 0) return;
  using trash = Directory.openRoot(folder);
  for (const id of old) removeTree(trash, id);
}
