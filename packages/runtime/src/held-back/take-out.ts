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
  writeFileSync,
  writeSync,
} from 'node:fs';
import { runInTurns } from '../platform/steps.ts';
import type { HeldBack } from '../process/held-back.ts';
import type { BeforeSlot } from '../snapshot/kept-before.ts';
import { openAgain, openFolder } from '../snapshot/repositories.ts';
import type { RunContext } from '../tool/define-tool.ts';
import { byteName, lossyName } from '../workspace/byte-names.ts';
import { newTemp } from '../workspace/commit/change.ts';
import type { Directory, Name } from '../workspace/directory.ts';
import { copyAside, moveIn } from '../workspace/quarantine/quarantine.ts';
import { removeTreeInSteps } from '../workspace/trees/remove-tree.ts';
import { copyTree } from '../workspace/trees/tree.ts';
import { heldListName } from './find-held.ts';

/** The old content at a path: bytes, the target of a link, or an item of the same slot. */
export type OldContent = { bytes: Buffer; mode: number } | { target: string } | { item: string };

const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW, W_OK, X_OK } = constants;

/** `notes` name what could not be held back or inspected. */
export type HoldBackResult = { held: HeldBack[]; notes: string[] };

export type HeldBackFile = {
  path: string;
  change: HeldBack['change'];
  why: string;
  old?: OldContent | undefined;
};

type FileToTake = HeldBackFile & { item: string; temp: string };

/** Takes each of them, parents first, and records what was taken and what could not be. */
export async function takeEach(
  context: RunContext,
  keep: BeforeSlot,
  heldFiles: readonly HeldBackFile[],
  holding: HoldBackResult,
): Promise<void> {
  if (heldFiles.length === 0) return;
  const { root } = context.workspace;
  const heldPaths = new Set(holding.held.map(({ path }) => path));
  const takings = heldFiles.map((file): FileToTake => ({ ...file, item: keep.item(), temp: newTemp() }));
  noteList(keep, [...takings]);
  for (const taking of takings.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    if (isHeld(heldPaths, taking.path)) continue;
    try {
      const movedPath = await takeOut(root, taking.path, keep.slot(), taking);
      if (movedPath === undefined) continue;
      const { change, why } = taking;
      heldPaths.add(movedPath);
      if (movedPath !== taking.path) noteList(keep, [{ ...taking, path: movedPath }]);
      holding.held.push({
        path: lossyName(movedPath),
        change,
        why,
        trash_id: `${context.slot}/${taking.item}`,
      });
      if (taking.old !== undefined && movedPath === taking.path)
        putBack(root, movedPath, taking.old, keep.slot(), newTemp());
      else if (change === 'changed')
        holding.notes.push(`${movedPath} is gone: its content before the command was not stored.`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      holding.notes.push(`${taking.path} could not be held back (${reason}). Check it before you continue.`);
    }
  }
}

// Written before anything is moved: after a crash, the next start finds everything through this list.
function noteList(keep: BeforeSlot, takings: readonly FileToTake[]): void {
  const lines = takings.map(({ path, change, why, item, temp }) =>
    JSON.stringify({ path, change, why, item, temp }),
  );
  writeFileSync(keep.slot().at(heldListName), `${lines.join('\n')}\n`, { mode: 0o600, flag: 'a' });
}

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

/** Whether a path, or a folder above it, was held back. */
export function isHeld(heldPaths: ReadonlySet<string>, path: string): boolean {
  for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1))
    if (heldPaths.has(path.slice(0, at))) return true;
  return false;
}
