// Moves one file or folder of the workspace into the quarantine, and restores what was there before. Works by descriptor: no link on the
// path is followed; a link in the path is itself what is taken.
import {
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  openSync,
  renameSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { runInTurns } from '../platform/steps.ts';
import { openAgain, openFolder } from '../snapshot/repositories.ts';
import { byteName } from '../workspace/byte-names.ts';
import type { Directory, Name } from '../workspace/directory.ts';
import { copyAside, moveIn } from '../workspace/quarantine/quarantine.ts';
import { removeTreeInSteps } from '../workspace/trees/remove-tree.ts';
import { copyTree } from '../workspace/trees/tree.ts';

/** The old content at a path: bytes, the target of a link, or an item of the same slot. */
export type OldContent = { bytes: Buffer; mode: number } | { target: string } | { item: string };

const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW, W_OK, X_OK } = constants;

/** Returns what was taken: the path, or the link on its way; undefined when nothing is there. */
export async function takeOut(
  root: Directory,
  path: string,
  slot: Directory,
  { item, temp }: { item: string; temp: string },
): Promise<string | undefined> {
  const pathToMove = existingPath(root, path);
  if (pathToMove === undefined) return undefined;
  using spot = openSpot(root, pathToMove);
  // A folder can be moved only where it and the one around it can be written to.
  openAgain(spot.parent, '.', W_OK | X_OK);
  openAgain(spot.parent, spot.name, W_OK | X_OK);
  if (moveIn(spot, slot, item, temp)) return pathToMove;
  await finishAside(spot.parent, temp, slot, item);
  return pathToMove;
}

/** For a quarantine on another device: the file was already renamed and is copied now. */
export async function finishAside(
  parent: Directory,
  temp: string,
  slot: Directory,
  item: string,
): Promise<void> {
  await runInTurns(copyAside(parent, temp, slot, item));
  await runInTurns(removeTreeInSteps(parent, temp));
}

export function putBack(root: Directory, path: string, old: OldContent, slot: Directory, temp: string): void {
  using spot = openSpot(root, path);
  const at = spot.parent.at(temp);
  if ('item' in old) copyTree(slot, old.item, spot.parent, temp);
  else if ('target' in old) symlinkSync(old.target, at);
  else writeNew(at, old.bytes, old.mode);
  renameSync(at, spot.parent.at(spot.name));
}

function writeNew(path: string, bytes: Buffer, mode: number): void {
  const fd = openSync(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);
  try {
    for (let writtenBytes = 0; writtenBytes < bytes.length; )
      writtenBytes += writeSync(fd, bytes, writtenBytes);
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

function existingPath(root: Directory, path: string): string | undefined {
  const names = path.split('/');
  for (let i = 1; i <= names.length; i++) {
    const above = names.slice(0, i).join('/');
    const stat = lstatSync(root.at(byteName(above)), { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    if (i === names.length || !stat.isDirectory()) return above;
  }
  return undefined;
}

export function openSpot(root: Directory, path: string): { parent: Directory; name: Name } & Disposable {
  const slash = path.lastIndexOf('/');
  const parent = openFolder(root, slash < 0 ? '' : path.slice(0, slash));
  return { parent, name: byteName(path.slice(slash + 1)), [Symbol.dispose]: () => parent[Symbol.dispose]() };
}
