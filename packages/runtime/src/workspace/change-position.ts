// Where one change of an interrupted set stands, judged by what is on the disk now. "Touched" is whatever cannot be explained by the
// set alone: a person, git or another program has been there since, and what they made of it stays.
import { type BigIntStats, lstatSync, readFileSync, unlinkSync } from 'node:fs';
import type { Effect } from '@codelab/protocol';
import { digest } from '../platform/digest.ts';
import { type Change, compareState } from './change.ts';
import { isSameInode, isSameVersion, staleError } from './directory.ts';
import { listTree } from './list-tree.ts';
import type { Located } from './locate.ts';
import { itemOf, overwrite } from './perform-change.ts';
import { hasItem, openItem } from './quarantine.ts';
import type { Workspace } from './workspace.ts';

export type Position = 'pending' | 'done' | 'torn' | 'touched';

export type Interrupted = { workspace: Workspace; home: string; slot: string };

export const anyLength = {
  followLast: false,
  access: 'read' as const,
  pathChars: Number.MAX_SAFE_INTEGER,
};

type Put = Extract<Change, { op: 'put' }>;
type Remove = Extract<Change, { op: 'remove' }>;
type Move = Extract<Change, { op: 'move' }>;

/** A path that can no longer be reached (a link that leaves the workspace, a file in the place of a folder) counts as touched. */
export function positionOf(interrupted: Interrupted, change: Change): Position {
  try {
    using place = interrupted.workspace.locate(change.intent.path, anyLength);
    switch (change.op) {
      case 'put':
        return positionOfPut(interrupted, change, place);
      case 'remove':
        return positionOfRemove(interrupted, change, place);
      case 'move':
        return positionOfMove(interrupted, change, place);
      case 'mkdir':
      case 'rmdir':
        return 'done';
    }
  } catch {
    return 'touched';
  }
}

function positionOfPut(interrupted: Interrupted, change: Put, place: Located): Position {
  if (compareState(change.intent, place) === 'new') return 'done';
  if (change.expected === 'absent')
    return place.stat === undefined && isPrepared(interrupted, change, place) ? 'pending' : 'touched';
  if (place.stat === undefined) return 'touched';
  if (isSameVersion(change.expected, place.stat)) return 'pending';
  return isSameFile(change, place.stat) && oldBytesOfTorn(interrupted, change, place) ? 'torn' : 'touched';
}

/** The file of before, whatever it holds. `git checkout` makes files anew, which often get the inode numbers of those they replace. */
function isSameFile({ expected, born }: Put, stat: BigIntStats): boolean {
  return isSameInode(expected, stat) && (born === undefined || born === String(stat.birthtimeNs));
}

function positionOfRemove({ home, slot }: Interrupted, change: Remove, place: Located): Position {
  if (place.stat !== undefined) return isSameVersion(change.expected, place.stat) ? 'pending' : 'touched';
  return hasItem(home, `${slot}/${itemOf(change)}`) ? 'done' : 'touched';
}

function positionOfMove({ workspace }: Interrupted, change: Move, place: Located): Position {
  using from = workspace.locate(change.intent.from ?? change.intent.path, anyLength);
  const isThere = place.stat !== undefined && isSameInode(change.expectedFrom, place.stat);
  const isHere = from.stat !== undefined && isSameInode(change.expectedFrom, from.stat);
  if (isThere && isHere) return completeMove(change.intent, { from, to: place }) ? 'done' : 'touched';
  if (isThere) return 'done';
  const isFree =
    place.stat === undefined ? change.expected === 'absent' : isSameVersion(change.expected, place.stat);
  return isHere && isFree ? 'pending' : 'touched';
}

/**
 * A move by link and unlink that was cut in between has left one file with two names. It is completed, unless somebody has written to the
 * file since: by which of its names can't be told, so both stay.
 */
export function completeMove(intent: Effect, { from, to }: { from: Located; to: Located }): boolean {
  if (compareState(intent, to) !== 'new') return false;
  unlinkSync(from.parent.at(from.name));
  return true;
}

/** What is to come still waits beside its place; a kept folder waits in the quarantine. */
function isPrepared({ home }: Interrupted, { temp, source }: Put, place: Located): boolean {
  if (place.missing.length > 0) return false;
  if (lstatSync(place.parent.at(temp), { throwIfNoEntry: false }) !== undefined) return true;
  using item = 'kept' in source ? openItem(home, source.kept) : undefined;
  return item !== undefined && lstatSync(item.parent.at(item.name)).isDirectory();
}

/** Gives a file that was torn its old content back; throws when it can't. */
export function mendTorn(interrupted: Interrupted, change: Put): void {
  using place = interrupted.workspace.locate(change.intent.path, anyLength);
  const old = oldBytesOfTorn(interrupted, change, place);
  if (old === undefined) throw staleError(change.intent.path);
  overwrite(place.parent.at(place.name), old, change.intent.before?.mode);
}

/**
 * A file that was torn and can't be found by its path gets its old content back under another name of it: it has several, or somebody
 * has moved it within the workspace.
 */
export function mendOtherName(interrupted: Interrupted, change: Put): void {
  const { workspace, home, slot } = interrupted;
  if (change.expected === 'absent' || !('bytes' in change.source)) return;
  {
    using item = openItem(home, `${slot}/${itemOf(change)}`);
    if (item === undefined) return;
    // What is kept is the old file itself: another one has taken its place, and nothing was written over.
    const kept = lstatSync(item.parent.at(item.name), { bigint: true, throwIfNoEntry: false });
    if (kept !== undefined && isSameInode(change.expected, kept)) return;
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
  const all = { prefix: '', recursive: true, includeHidden: true, maxEntries: 1 };
  const { entries } = listTree(root, { ...all, wanted: isWanted, signal: new AbortController().signal });
  return entries[0]?.path;
}

// A file that is rewritten in place may be torn: then every byte of it is an old one or a new one.
function oldBytesOfTorn({ home, slot }: Interrupted, change: Put, place: Located): Buffer | undefined {
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
    const isKnown = [before, after].some((one) => piece.equals(one.subarray(start, start + piece.length)));
    if (!isKnown && piece.some((byte) => byte !== 0)) return false;
  }
  return true;
}
