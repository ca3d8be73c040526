// How far one change of an interrupted set got, judged by the disk. "Touched" is any state that the set alone can't explain: a person, git
// or another program has been there, and their change stays.
import { type BigIntStats, lstatSync, readFileSync, readlinkSync, renameSync, unlinkSync } from 'node:fs';
import type { Effect, FileState } from '@codelab/protocol';
import { digest } from '../../platform/digest.ts';
import { identity, isSameInode, isSameVersion, staleError } from '../directory.ts';
import type { Located } from '../locate.ts';
import { hasItem, openItem } from '../quarantine/quarantine.ts';
import { openRegular, readWhole } from '../read-bytes.ts';
import { listTree } from '../trees/list-tree.ts';
import type { Workspace } from '../workspace.ts';
import { type Change, fileState, isSameTime, itemOf, overwrite } from './change.ts';

export type ChangePosition = 'pending' | 'done' | 'torn' | 'touched';

/** `isDue`: the changes follow others that were made, and may not have been staged yet. */
export type InterruptedSet = { workspace: Workspace; home: string; slot: string; isDue?: boolean };

export const anyLength = {
  followLast: false,
  access: 'read' as const,
  pathChars: Number.MAX_SAFE_INTEGER,
};

/** A link that somebody put in the place of a folder is not followed. */
export const recordedPath = { ...anyLength, isRecorded: true };

type Put = Extract<Change, { op: 'put' }>;
type Remove = Extract<Change, { op: 'remove' }>;
type Move = Extract<Change, { op: 'move' }>;

/** A path that can no longer be reached (a link or a file in place of a folder) counts as touched. */
export function changePositionOf(interrupted: InterruptedSet, change: Change): ChangePosition {
  try {
    using place = interrupted.workspace.locate(change.intent.path, recordedPath);
    switch (change.op) {
      case 'put':
        return positionOfPut(interrupted, change, place);
      case 'remove':
        return positionOfRemove(interrupted, change, place);
      case 'move':
        return positionOfMove(interrupted, change, place);
      case 'mkdir':
        return change.intent.op === 'update' ? positionOfMode(change.intent, place) : 'done';
      case 'rmdir':
        return 'done';
    }
  } catch {
    return 'touched';
  }
}

/** For a folder that gets another mode. */
function positionOfMode({ before, after }: Effect, { stat }: Located): ChangePosition {
  const mode = stat?.isDirectory() ? Number(stat.mode & 0o7777n) : undefined;
  if (mode === undefined) return 'touched';
  return mode === after?.mode ? 'done' : mode === before?.mode ? 'pending' : 'touched';
}

function positionOfPut(interrupted: InterruptedSet, change: Put, place: Located): ChangePosition {
  if (compareState(change.intent, place) === 'new') return 'done';
  if (change.expected === 'absent')
    return place.stat === undefined && isPrepared(interrupted, change, place) ? 'pending' : 'touched';
  if (place.stat === undefined) return 'touched';
  if (isSameVersion(change.expected, place.stat)) return 'pending';
  return isSameFile(change, place.stat) && oldBytesOfTorn(interrupted, change, place) ? 'torn' : 'touched';
}

/** The old file, whatever it holds. `git checkout` creates files anew, which often get the inode numbers of the replaced ones. */
function isSameFile({ expected, born }: Put, stat: BigIntStats): boolean {
  return isSameInode(expected, stat) && (born === undefined || born === String(stat.birthtimeNs));
}

function positionOfRemove({ home, slot }: InterruptedSet, change: Remove, place: Located): ChangePosition {
  if (place.stat !== undefined) return isSameVersion(change.expected, place.stat) ? 'pending' : 'touched';
  return hasItem(home, `${slot}/${itemOf(change)}`) ? 'done' : 'touched';
}

function positionOfMove({ workspace }: InterruptedSet, change: Move, place: Located): ChangePosition {
  using from = workspace.locate(change.intent.from ?? change.intent.path, recordedPath);
  const isThere = place.stat !== undefined && isSameInode(change.expectedFrom, place.stat);
  const isHere = from.stat !== undefined && isSameInode(change.expectedFrom, from.stat);
  if (isThere && isHere) return completeMove(change, { from, to: place }) ? 'done' : 'touched';
  const leftover = leftBy(change, place);
  // Whatever happened to it since.
  if (leftover !== undefined && isSameInode(change.expectedFrom, leftover)) return 'done';
  const isRemoved = change.temp !== undefined && leftover === undefined && from.stat === undefined;
  // A removal deleted the old name, not the move: another program touched the file.
  if (isThere) return isRemoved ? 'touched' : 'done';
  const isFree =
    place.stat === undefined ? change.expected === 'absent' : isSameVersion(change.expected, place.stat);
  // A file whose new name was created and removed again looks unmoved except for its change time: another program did that on purpose.
  const isUnmoved = from.stat !== undefined && identity(from.stat) === change.expectedFrom;
  return isUnmoved && isFree ? 'pending' : 'touched';
}

/**
 * A move by link and unlink that was interrupted has left one file with two names. It is completed, unless the file was written since: it
 * is unknown under which name, so both stay.
 */
export function completeMove(
  { intent, temp }: Pick<Move, 'intent' | 'temp'>,
  { from, to }: { from: Located; to: Located },
): boolean {
  if (compareState(intent, to) !== 'new') return false;
  const old = from.parent.at(from.name);
  if (temp === undefined) unlinkSync(old);
  else renameSync(old, to.parent.at(temp));
  return true;
}

/** The renamed old name of a moved file, while something else is due at its place. */
function leftBy({ temp }: Move, { parent, missing }: Located): BigIntStats | undefined {
  if (temp === undefined || missing.length > 0) return undefined;
  return lstatSync(parent.at(temp), { bigint: true, throwIfNoEntry: false });
}

/** New content still waits beside its place; a quarantined folder waits in the quarantine. */
function isPrepared({ home, isDue }: InterruptedSet, { temp, source, made }: Put, place: Located): boolean {
  if (place.missing.length > 0) return false;
  const waiting = lstatSync(place.parent.at(temp), { bigint: true, throwIfNoEntry: false });
  // The entry already had its real name and lost it again: another program removed it there.
  if (waiting !== undefined) return made === undefined || identity(waiting) === made;
  const isUnstaged = isDue === true && made === undefined;
  if (!('kept' in source)) return isUnstaged;
  using item = openItem(home, source.kept);
  return item !== undefined && (isUnstaged || lstatSync(item.parent.at(item.name)).isDirectory());
}

/** Restores the old content of a torn file; throws when it can't. */
export function restoreTorn(interrupted: InterruptedSet, change: Put): void {
  using place = interrupted.workspace.locate(change.intent.path, recordedPath);
  const old = oldBytesOfTorn(interrupted, change, place);
  if (old === undefined) throw staleError(change.intent.path);
  overwrite(place.parent.at(place.name), old, change.intent.before?.mode);
}

/**
 * Restores the old content of a torn file that can't be found by its path, under another of its names: it has several, or it was moved
 * within the workspace.
 */
export function restoreTornElsewhere(interrupted: InterruptedSet, change: Put): void {
  const { workspace, home, slot } = interrupted;
  if (change.expected === 'absent' || !('bytes' in change.source)) return;
  {
    using item = openItem(home, `${slot}/${itemOf(change)}`);
    if (item === undefined) return;
    // The quarantine has the old file itself: another one replaced it, and nothing was overwritten.
    const keptStat = lstatSync(item.parent.at(item.name), { bigint: true, throwIfNoEntry: false });
    if (keptStat !== undefined && isSameInode(change.expected, keptStat)) return;
  }
  const path = findInode(workspace, change.expected);
  if (path === undefined) return;
  using place = workspace.locate(path, anyLength);
  const isItself = place.stat !== undefined && isSameFile(change, place.stat);
  const old = isItself ? oldBytesOfTorn(interrupted, change, place) : undefined;
  if (old !== undefined && compareState(change.intent, place) === 'other')
    overwrite(place.parent.at(place.name), old, change.intent.before?.mode);
}

function findInode({ root }: Workspace, expected: string): string | undefined {
  const isWanted = (path: string): boolean => {
    const stat = lstatSync(root.at(path), { bigint: true, throwIfNoEntry: false });
    return stat !== undefined && isSameInode(expected, stat);
  };
  const listOptions = { prefix: '', recursive: true, includeHidden: true, maxEntries: 1 };
  const { entries } = listTree(root, {
    ...listOptions,
    wanted: isWanted,
    signal: new AbortController().signal,
  });
  return entries[0]?.path;
}

// A file that is rewritten in place may be torn: then every byte of it is an old one or a new one.
function oldBytesOfTorn({ home, slot }: InterruptedSet, change: Put, place: Located): Buffer | undefined {
  if (!('bytes' in change.source) || !place.stat?.isFile()) return undefined;
  using item = openItem(home, `${slot}/${itemOf(change)}`);
  if (item === undefined || !lstatSync(item.parent.at(item.name)).isFile()) return undefined;
  const old = readFileSync(item.parent.at(item.name));
  if (digest(old) !== change.intent.before?.digest) return undefined;
  const now = readFileSync(place.parent.at(place.name));
  return isTorn(now, old, change.source.bytes) ? old : undefined;
}

// Written from the front: new bytes, then old ones. After a power failure any block may be old, new or empty.
function isTorn(now: Buffer, before: Buffer, after: Buffer): boolean {
  if (now.length > Math.max(before.length, after.length)) return false;
  const block = 4096;
  let at = 0;
  while (at < now.length && now[at] === after[at]) at++;
  if (now.subarray(at).equals(before.subarray(at, now.length))) return true;
  for (let start = 0; start < now.length; start += block) {
    const piece = now.subarray(start, start + block);
    const isKnown = [before, after].some((version) =>
      piece.equals(version.subarray(start, start + piece.length)),
    );
    if (!isKnown && piece.some((byte) => byte !== 0)) return false;
  }
  return true;
}

/** Whether a place is in the state before an effect, the one after it, or neither. */
export type FoundState = 'old' | 'new' | 'other';
export type PathState = { path: string; found: FoundState };

/** Of a set that other sets followed. The replaced content of a set that failed is not kept. */
export function isSetMade(
  { home, slot }: InterruptedSet,
  intents: readonly Effect[],
  files: readonly PathState[],
): boolean {
  const items = intents.flatMap(({ trashId }) => (trashId === undefined ? [] : [`${slot}/${trashId}`]));
  return items.length > 0
    ? items.some((id) => hasItem(home, id))
    : !files.some(({ found }) => found === 'old');
}

export function compareState(effect: Effect, place: Located): FoundState {
  // Equal before and after except for mode or inode: checked last, as the new state.
  if (isState(effect.after, place)) return 'new';
  return isState(effect.before, place) ? 'old' : 'other';
}

function isState(state: FileState | null, place: Located): boolean {
  const { stat } = place;
  if (state === null || stat === undefined) return state === null && stat === undefined;
  switch (state.type) {
    case 'directory':
      return stat.isDirectory();
    case 'symlink':
      return stat.isSymbolicLink() && digest(readlinkSync(place.parent.at(place.name))) === state.digest;
    case 'file':
      return stat.isFile() && isFile(state, place);
    case 'other':
      return !stat.isFile() && !stat.isDirectory() && !stat.isSymbolicLink();
  }
}

// The size is compared first: the file may be larger than can be read.
function isFile(state: FileState, place: Located): boolean {
  if (Number(place.stat?.size) !== state.size) return false;
  if (Number((place.stat?.mode ?? 0n) & 0o7777n) !== state.mode) return false;
  if (state.digest === undefined) return place.stat === undefined || isSameTime(state, fileState(place.stat));
  using file = openRegular(place);
  return digest(readWhole(file, place.path)) === state.digest;
}
