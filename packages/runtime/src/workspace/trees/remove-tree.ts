// Removes a tree by descriptor. Links are removed, never followed; an entry that changes meanwhile is removed as its new type.
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { ToolError } from '@codelab/protocol';
import { countPieces, type Pieces, type Steps } from '../../platform/steps.ts';
import { hasDescriptorPaths } from '../../platform/system.ts';
import { type Directory, type Name, type RawEntry, readNames } from '../directory.ts';
import { errno } from '../fault.ts';

const { O_DIRECTORY, O_NOFOLLOW } = constants;
// On Linux, O_PATH opens a file that may not be read, only to refer to it. Node has no constant for it.
const O_PATH = 0o10000000;
// The number of rounds against a process that keeps adding or swapping entries.
const maxRounds = 10;

type Entry = { parent: Directory; name: Name; isFolder: boolean; round: number };
/** A folder whose entries are being removed. */
type Open = { parent: Directory; name: Name; round: number; folder: Directory; left: RawEntry[] };

/** Removes the entry `name` with everything below it; a missing entry is no error. */
export function* removeTreeInSteps(parent: Directory, name: Name): Steps<void> {
  const stat = lstatSync(parent.at(name), { throwIfNoEntry: false });
  if (stat === undefined) return;
  const pieces = countPieces();
  // Open folders from the outermost to the innermost. A list, because a tree may be deeper than the stack.
  const open: Open[] = [];
  try {
    yield* removeEntry(pieces, open, { parent, name, isFolder: stat.isDirectory(), round: 0 });
    for (let here = open.at(-1); here !== undefined; here = open.at(-1)) {
      const next = here.left.pop();
      if (next === undefined) yield* leaveFolder(pieces, open, here);
      else
        yield* removeEntry(pieces, open, {
          parent: here.folder,
          name: next.name,
          isFolder: next.isDirectory,
          round: 0,
        });
    }
  } finally {
    for (const { folder } of open) folder[Symbol.dispose]();
  }
}

/** Removes the entry; a folder is only opened, to be emptied first. */
function* removeEntry(pieces: Pieces, open: Open[], entry: Entry): Steps<void> {
  const { parent, name } = entry;
  let now: UnlinkResult = entry.isFolder ? 'folder' : 'other';
  for (let round = entry.round; now !== 'gone'; round++) {
    if (round === maxRounds) throw beingChanged(name);
    if (now === 'other') {
      now = unlink(parent, name);
      continue;
    }
    const folder = openOwn(parent, name);
    if (typeof folder === 'object') {
      const here: Open = { parent, name, round, folder, left: [] };
      open.push(here);
      here.left = yield* readNames(folder, pieces);
      return;
    }
    now = folder;
  }
  pieces.done.files++;
  yield* pieces.pause(1);
}

function* leaveFolder(pieces: Pieces, open: Open[], here: Open): Steps<void> {
  const { parent, name, folder, round } = here;
  open.pop();
  folder[Symbol.dispose]();
  const now = removeFolder(parent, name);
  if (now !== 'gone')
    yield* removeEntry(pieces, open, { parent, name, isFolder: now === 'folder', round: round + 1 });
  yield* pieces.pause(1);
}

type UnlinkResult = 'gone' | 'folder' | 'other';

function unlink(parent: Directory, name: Name): UnlinkResult {
  try {
    unlinkSync(parent.at(name));
    return 'gone';
  } catch (error) {
    if (errno(error) === 'ENOENT') return 'gone';
    // Linux reports a folder by EISDIR, other systems by EPERM, which has other meanings as well.
    if (lstatSync(parent.at(name), { throwIfNoEntry: false })?.isDirectory()) return 'folder';
    throw error;
  }
}

function removeFolder(parent: Directory, name: Name): UnlinkResult {
  try {
    rmdirSync(parent.at(name));
    return 'gone';
  } catch (error) {
    return foundBy(error, { ENOENT: 'gone', ENOTDIR: 'other', ENOTEMPTY: 'folder', EEXIST: 'folder' });
  }
}

/** Opens a folder to change its content; a folder closed to its own owner is made accessible first. */
export function openOwn(parent: Directory, name: Name): Directory | 'gone' | 'other' {
  let folder: Directory;
  try {
    folder = openClosed(parent, name);
  } catch (error) {
    return foundBy(error, { ENOENT: 'gone', ENOTDIR: 'other', ELOOP: 'other' });
  }
  try {
    const stat = fstatSync(folder.fd);
    if (stat.dev !== fstatSync(parent.fd).dev) throw mountPoint(name);
    if ((stat.mode & 0o300) !== 0o300) fchmodSync(folder.fd, stat.mode | 0o700);
    return folder;
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}

function openClosed(parent: Directory, name: Name): Directory {
  try {
    return parent.openBelow(name);
  } catch (error) {
    if (errno(error) !== 'EACCES' || !hasDescriptorPaths(parent.fd)) throw error;
  }
  const fd = openSync(parent.at(name), O_PATH | O_DIRECTORY | O_NOFOLLOW);
  try {
    chmodSync(`/proc/self/fd/${fd}`, 0o700);
  } finally {
    closeSync(fd);
  }
  return parent.openBelow(name);
}

function foundBy<F extends UnlinkResult>(error: unknown, meaning: Record<string, F>): F {
  const message = meaning[errno(error) ?? ''];
  if (message === undefined) throw error;
  return message;
}

/** A file system mounted in a tree does not belong to the tree. */
export function mountPoint(name: Name): ToolError {
  return new ToolError(
    'PERMISSION_DENIED',
    `${name} is a mount point; what is mounted there is left alone. Unmount it first.`,
  );
}

function beingChanged(name: Name): ToolError {
  return new ToolError(
    'STALE',
    `${name} keeps changing while it is removed. End what writes to it, then try again.`,
  );
}
