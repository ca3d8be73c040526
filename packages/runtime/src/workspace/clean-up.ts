// Goes through the effects a dead process intended: removes its temp names, completes what had already vanished or moved,
// and says for each path whether the old or the new state is on the disk.
import { lstatSync, rmdirSync, unlinkSync } from 'node:fs';
import { type Effect, ToolError } from '@codelab/protocol';
import { digest } from './digest.ts';
import type { Located } from './locate.ts';
import { openRegular, readWhole } from './read-bytes.ts';
import { finishMove, openSlot } from './trash.ts';
import { removeTree } from './tree.ts';
import type { Workspace } from './workspace.ts';

export type Found = { path: string; found: 'old' | 'new' | 'other' };

type Dead = { home: string; callId: string; intents: readonly Effect[] };

export function cleanUp(workspace: Workspace, dead: Dead): Found[] {
  const files = dead.intents
    .filter((effect) => effect.op !== 'mkdir')
    .map((effect) => settle(workspace, dead, effect));
  const directories = dead.intents.filter((effect) => effect.op === 'mkdir');
  // A file that did not come about leaves no empty folders behind; folders that were the aim stay.
  if (files.length > 0 && files.every((file) => file.found === 'old')) {
    for (const effect of directories.toReversed()) removeEmpty(workspace, effect.path);
  }
  return files.length > 0
    ? files
    : directories.map((effect) => ({
        path: effect.path,
        found: exists(workspace, effect.path) ? 'new' : 'old',
      }));
}

function settle(workspace: Workspace, dead: Dead, effect: Effect): Found {
  try {
    using place = workspace.locate(effect.path, { followLast: false, access: 'read', pathChars: 4096 });
    if (place.missing.length > 0) return { path: effect.path, found: effect.before === null ? 'old' : 'new' };
    switch (effect.op) {
      case 'delete':
        return settleDelete(workspace, dead, effect, place);
      case 'move':
        return settleMove(workspace, effect, place);
      default:
        if (effect.temp !== undefined) removeTree(place.parent, effect.temp);
        return { path: effect.path, found: compare(effect, place) };
    }
  } catch (error) {
    if (error instanceof ToolError) return { path: effect.path, found: 'other' };
    throw error;
  }
}

function settleDelete(workspace: Workspace, dead: Dead, effect: Effect, place: Located): Found {
  const { temp, trashId: id, path } = effect;
  if (temp !== undefined && id !== undefined && lstatSync(place.parent.at(temp), { throwIfNoEntry: false })) {
    using slot = openSlot(dead.home, {
      id,
      root: workspace.root.real,
      path,
      deletedAt: new Date().toISOString(),
      callId: dead.callId,
    });
    finishMove(place.parent, temp, slot);
  }
  return { path, found: place.stat === undefined ? 'new' : 'old' };
}

// A move by link and unlink may have been cut in between: both names, one file. The move is completed.
function settleMove(workspace: Workspace, effect: Effect, to: Located): Found {
  using from = workspace.locate(effect.from ?? effect.path, {
    followLast: false,
    access: 'read',
    pathChars: 4096,
  });
  if (from.stat === undefined) return { path: effect.path, found: to.stat === undefined ? 'other' : 'new' };
  if (to.stat === undefined || to.stat.ino !== from.stat.ino || to.stat.dev !== from.stat.dev)
    return { path: effect.path, found: 'old' };
  unlinkSync(from.parent.at(from.name));
  return { path: effect.path, found: 'new' };
}

function compare(effect: Effect, place: Located): Found['found'] {
  if (place.stat === undefined) return effect.before === null ? 'old' : 'other';
  if (!place.stat.isFile()) return 'other';
  // Neither, by its size alone: it may be larger than can be read.
  const size = Number(place.stat.size);
  if (size !== effect.after?.size && size !== effect.before?.size) return 'other';
  using file = openRegular(place);
  const now = digest(readWhole(file, effect.path));
  if (now === effect.after?.digest) return 'new';
  return now === effect.before?.digest ? 'old' : 'other';
}

function removeEmpty(workspace: Workspace, path: string): void {
  try {
    using place = workspace.locate(path, { followLast: false, access: 'read', pathChars: 4096 });
    rmdirSync(place.parent.at(place.name));
  } catch {
    // Not empty, or never made.
  }
}

function exists(workspace: Workspace, path: string): boolean {
  using place = workspace.locate(path, { followLast: false, access: 'read', pathChars: 4096 });
  return place.stat !== undefined;
}
