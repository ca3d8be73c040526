// Performs one staged change: the old content goes to the quarantine, the new content takes its place. Also reverts it.

import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import { ToolError } from '@codelab/protocol';
import { type Directory, staleError } from '../directory.ts';
import { errno } from '../fault.ts';
import type { Located } from '../locate.ts';
import {
  type DirectoryEntry,
  keep,
  keepCopy,
  moveIn,
  openItem,
  openSlotOfItem,
} from '../quarantine/quarantine.ts';
import { copyTree, removeTree } from '../trees/tree.ts';
import { type Change, itemOf, mustStayItself, type NewContent } from './change.ts';
import { moveWithoutReplacing, overwrite } from './make-durable.ts';
import type { StagedChange } from './stage-changes.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

type Put = Extract<Change, { op: 'put' }>;

export function performChange(staged: StagedChange, slot: Directory, home: string): void {
  const { change, place, from } = staged;
  switch (change.op) {
    case 'put':
      if (staged.isInPlace) putInPlace(change, place);
      else if (staged.isMovedBack) moveOut(change, place, slot, home);
      else put(staged, change, slot, home);
      return;
    case 'remove':
      staged.isAside = !moveIn(place, slot, itemOf(change), change.temp);
      return;
    case 'move':
      if (from !== undefined) move(change, from, place, slot);
      return;
    case 'mkdir':
      setMode(place, change.intent.op === 'update' ? change.intent.after?.mode : undefined);
      return;
    case 'rmdir':
      // After all others, and never a reason to fail: see `removeFolders`.
      return;
  }
}

/** Reverts a change that was performed, because another change of the same set failed. */
export function revertChange(staged: StagedChange, slot: Directory, home: string): void {
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

/** What was only taken out of sight comes back, unless somebody has put something in its place. */
function showAgain(place: Located, temp: string): void {
  const target = place.parent.at(place.name);
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) throw staleError(place.asked);
  moveWithoutReplacing(place.parent.at(temp), target);
}

/** Removes what a change has made, in one step as others see it. What somebody else has put there meanwhile stays. */
function removeMade({ place, fd }: StagedChange, temp: string): void {
  const target = place.parent.at(place.name);
  const now = lstatSync(target, { throwIfNoEntry: false });
  if (now === undefined) return;
  if (fd !== undefined && fstatSync(fd).ino !== now.ino) throw staleError(place.asked);
  renameSync(target, place.parent.at(temp));
  removeTree(place.parent, temp);
}

/** Gives a folder that was there before another mode; one that was made has its own. */
function setMode(place: Located, mode: number | undefined): void {
  if (mode === undefined) return;
  const fd = openSync(place.parent.at(place.name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

// What fails leaves everything as it was: also nothing kept that was not changed.
function put(staged: StagedChange, change: Put, slot: Directory, home: string): void {
  const { place } = staged;
  const target = place.parent.at(place.name);
  const temp = place.parent.at(change.temp);
  if (change.expected === 'absent') {
    putNew(temp, target, place);
    return;
  }
  const isRewritten = mustStayItself(target, change);
  staged.isRewritten = isRewritten;
  if (isRewritten) keepCopy(place, slot, itemOf(change));
  else keep(place, slot, itemOf(change));
  try {
    if (isRewritten) {
      const copy = (): Buffer => readFileSync(slot.at(itemOf(change)));
      rewrite(place, contentOf(change.source, home), copy, { isSynced: true });
    } else renameSync(temp, target);
  } catch (error) {
    if (!(error instanceof ToolError)) removeTree(slot, itemOf(change));
    throw error;
  }
}

/** A kept folder takes its place again. What stands there, when anything does, is kept first. */
function moveOut(change: Put, place: Located, slot: Directory, home: string): void {
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

function moveInAgain(change: Put, place: Located, slot: Directory, home: string): void {
  const id = 'kept' in change.source ? change.source.kept : '';
  using source = openSlotOfItem(home, id);
  renameSync(place.parent.at(place.name), source.parent.at(source.name));
  if (change.expected !== 'absent') renameSync(slot.at(itemOf(change)), place.parent.at(place.name));
}

function keptItem(source: NewContent, home: string): DirectoryEntry & Disposable {
  const item = 'kept' in source ? openItem(home, source.kept) : undefined;
  if (item === undefined) throw Object.assign(new Error('no longer kept'), { code: 'ENOENT' });
  return item;
}

// One of many: the old contents are in the pack of the set, the new ones in its journal, and syncing is done for all of them later.
function putInPlace({ source, old }: Put, place: Located): void {
  if (old === undefined || !('bytes' in source)) throw new Error('not read before');
  const mode = Number((place.stat?.mode ?? 0n) & 0o7777n);
  const change = mode === source.mode ? {} : { mode: source.mode, oldMode: mode };
  rewrite(place, source.bytes, () => old, { isSynced: false, ...change });
}

function contentOf(source: NewContent, home: string): Buffer {
  if ('bytes' in source) return source.bytes;
  using item = keptItem(source, home);
  return readFileSync(item.parent.at(item.name));
}

type RewriteOptions = { isSynced: boolean; mode?: number; oldMode?: number };

// Torn, and the disk refuses the old bytes too: the copy stays, and the next start puts it back.
function rewrite(place: Located, content: Buffer, copy: () => Buffer, how: RewriteOptions): void {
  const target = place.parent.at(place.name);
  try {
    overwrite(target, content, how.mode, how.isSynced);
  } catch (error) {
    try {
      overwrite(target, copy(), how.oldMode);
    } catch (worse) {
      const text = `${place.path} could be neither written nor restored (${errno(worse)}). The next start mends it.`;
      throw new ToolError('OUTCOME_UNKNOWN', text);
    }
    throw error;
  }
}

function putNew(temp: string, target: string, place: Located, left?: string): void {
  try {
    moveWithoutReplacing(temp, target, left);
  } catch (error) {
    throw errno(error) === 'EEXIST' ? staleError(place.asked) : error;
  }
}

function move(change: Extract<Change, { op: 'move' }>, from: Located, to: Located, slot: Directory): void {
  const source = from.parent.at(from.name);
  const target = to.parent.at(to.name);
  if (change.expected === 'absent' && from.stat?.isFile()) {
    putNew(source, target, to, change.temp === undefined ? undefined : to.parent.at(change.temp));
    return;
  }
  if (change.expected !== 'absent') keep(to, slot, itemOf(change));
  try {
    renameSync(source, target);
    // Renaming one name of a file to another name of it does nothing, and reports success.
    if (isSameFile(from, to)) unlinkSync(source);
  } catch (error) {
    if (change.expected !== 'absent') removeTree(slot, itemOf(change));
    throw error;
  }
}

function isSameFile({ stat: a }: Located, { stat: b }: Located): boolean {
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

/** Puts a kept item back to its place; the item is gone from the slot afterwards. */
function bringBack(slot: Directory, item: string, { place, isRewritten }: StagedChange, temp: string): void {
  const target = place.parent.at(place.name);
  // Only what was written over is written over again: what took its place may be another name of something that is kept.
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
