// Finds repositories among the entries of a folder: a `.git`, or a folder that is a repository by its content. git uses either,
// and runs what its settings name.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  type Stats,
} from 'node:fs';
import { setImmediate as otherWork } from 'node:timers/promises';
import { byteName, lossyName, readNamedEntries } from '../workspace/byte-names.ts';
import type { Directory, Name } from '../workspace/directory.ts';
import { errno } from '../workspace/fault.ts';
import { foldPath } from '../workspace/paths.ts';
import { isStateFolderError } from '../workspace/state-folder.ts';
import { grainOf, type TreeEntry, treeEntry } from './tree-entry.ts';

/** By the path of the `.git` or of the folder itself, with what distinguishes it from another repository at that path. */
export type Repositories = Map<string, string>;

// With `commondir` git takes objects, references and settings from the folder that it names.
const bareNames = [
  ['HEAD', 'objects', 'refs'],
  ['HEAD', 'commondir'],
];

export function noteRepositories(
  repositories: Repositories,
  directory: Directory,
  path: string,
  entries: readonly { name: string }[],
): void {
  for (const { name } of entries) if (isGitName(name)) note(repositories, directory, name, below(path, name));
  if (isBare(entries)) note(repositories, directory, '.', path === '' ? '.' : path);
}

export function isGitName(name: string): boolean {
  if (name === '.git') return true;
  return name.length < 20 && /g.*t/i.test(name) && foldPath(name) === '.git';
}

function isBare(entries: readonly { name: string }[]): boolean {
  return bareNames.some((names) => names.every((needed) => entries.some(({ name }) => name === needed)));
}

function note(repositories: Repositories, directory: Directory, name: string, path: string): void {
  const stat = statBelow(directory, name);
  if (stat !== undefined) repositories.set(path, stat === 'unreadable' ? stat : inodeOf(stat));
}

export function inodeOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

type Scan = {
  root: Directory;
  /** Folders that were not walked otherwise. */
  folders: Iterable<string>;
  known: Repositories;
  /** Reports further paths that the scan should find. */
  isWanted?: (path: string) => boolean;
  startedAt: number;
  budget: { entries: number; ms: number };
};

/**
 * `created` are new repositories, `matches` other wanted paths; `found` are all repositories, `unseen` folders that were too many or unreadable.
 */
type ScanResult = { created: string[]; matches: string[]; unseen: string[]; found: Repositories };

const breath = 2000;

/**
 * Finds by their times what was created since `startedAt` in folders that were not walked before. Reads only names, and the times of
 * matches.
 */
export async function scanForRepositories(scan: Scan): Promise<ScanResult> {
  const { known, startedAt, budget } = scan;
  const until = performance.now() + budget.ms;
  const created: string[] = [];
  const matches: string[] = [];
  const unseen: string[] = [];
  const repositories: Repositories = new Map();
  let remaining = budget.entries;
  let rested = remaining;
  const visit = async (opened: Directory, path: string): Promise<void> => {
    using directory = opened;
    const entries = readNamedEntries(directory);
    remaining -= entries.length;
    if (rested - remaining > breath) {
      rested = remaining;
      await otherWork();
    }
    const foundHere: Repositories = new Map();
    noteRepositories(foundHere, directory, path, entries);
    for (const [git, print] of foundHere) {
      repositories.set(git, print);
      if (known.get(git) !== print && isMadeSince(directory, git === path ? '.' : nameOf(git), startedAt))
        created.push(git);
    }
    for (const { name, isFolder } of entries)
      if (!isGitName(name)) await inspect(directory, path, name, isFolder);
  };
  const inspect = async (directory: Directory, path: string, name: string, isFolder: boolean) => {
    const entryPath = below(path, name);
    if (scan.isWanted?.(entryPath) && isMadeSince(directory, name, startedAt)) matches.push(entryPath);
    else if (isFolder && (remaining < 0 || performance.now() > until)) unseen.push(entryPath);
    else if (isFolder) await enter(() => directory.openBelow(byteName(name)), entryPath);
  };
  const enter = async (open: () => Directory, path: string): Promise<void> => {
    try {
      await visit(open(), path);
    } catch (error) {
      // The folder is CodeLab's own, or unreadable, and so unreadable for whoever would use it.
      if (!isStateFolderError(error)) unseen.push(path);
    }
  };
  for (const path of scan.folders) {
    const stat = path === '' ? undefined : statBelow(scan.root, path);
    if (path === '' || (typeof stat === 'object' && stat.isDirectory()))
      await enter(() => openFolder(scan.root, path), path);
    else if (path.includes('\ufffd') && !(await lookAtBytes(scan.root, path, inspect))) unseen.push(path);
  }
  return { created, matches, unseen, found: repositories };
}

/** The entries that a name may mean that was read as UTF-8 but is not. False when they cannot be looked at. */
async function lookAtBytes(
  root: Directory,
  path: string,
  inspect: (directory: Directory, path: string, name: string, isFolder: boolean) => Promise<void>,
): Promise<boolean> {
  const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  try {
    using directory = openFolder(root, folder);
    for (const { name, isFolder } of readNamedEntries(directory))
      if (!name.isWellFormed() && lossyName(name) === nameOf(path))
        await inspect(directory, folder, name, isFolder);
    return true;
  } catch (error) {
    return isGone(error);
  }
}

/** One entry for all of them: it changes with each. */
export function entryOfBytes(root: Directory, path: string): TreeEntry | undefined {
  const entries = (statsOfBytes(root, path) ?? []).map(treeEntry);
  const sumOf = (key: 'size' | 'ino' | 'mtimeMs'): number =>
    entries.reduce((sum, entry) => sum + entry[key], 0);
  return entries[0] && { ...entries[0], size: sumOf('size'), ino: sumOf('ino'), mtimeMs: sumOf('mtimeMs') };
}

/** All entries that such a name may mean; undefined when they cannot be looked at. */
export function statsOfBytes(root: Directory, path: string): Stats[] | undefined {
  try {
    using directory = openFolder(root, path.slice(0, Math.max(path.lastIndexOf('/'), 0)));
    return readNamedEntries(directory)
      .filter(({ name }) => !name.isWellFormed() && lossyName(name) === nameOf(path))
      .map(({ name }) => lstatSync(directory.at(byteName(name))));
  } catch (error) {
    return isGone(error) ? [] : undefined;
  }
}

/**
 * New, or an older repository that was moved there, which changes the folder around it and its own state. Change times are used, because
 * anybody can set the others.
 */
function isMadeSince(directory: Directory, name: string, startedAt: number): boolean {
  const stat = lstatSync(directory.at(byteName(name)), { throwIfNoEntry: false });
  if (stat === undefined) return false;
  const since = (time: number): boolean => time + grainOf(time) >= startedAt;
  if (stat.birthtimeMs > 0 && since(stat.birthtimeMs)) return true;
  const changed = (entry: string): boolean =>
    since(lstatSync(directory.at(entry), { throwIfNoEntry: false })?.ctimeMs ?? 0);
  // A bare repository is complete as soon as its last file appears, whichever that is.
  if (name === '.') return changed('.') && [...new Set(bareNames.flat()), 'config'].some(changed);
  return since(stat.ctimeMs) && (!stat.isDirectory() || changed('.'));
}

/** The folder was removed or moved, or a file or link has replaced it: nothing is left there to be looked at. */
function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errno(error) ?? '');
}

/** Opens name by name, so that no link on the path is followed. */
export function openFolder(root: Directory, path: string): Directory {
  let folder = root.again();
  if (path === '' || path === '.') return folder;
  for (const name of path.split('/')) {
    using last = folder;
    folder = last.openBelow(byteName(name));
  }
  return folder;
}

// Linux only; Node has no name for it. Such a descriptor needs no permission for the folder itself.
const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW, R_OK, X_OK } = constants;

/**
 * Gives us access again to a folder of ours that a command has closed; '.' is the directory itself. Returns the new mode, undefined where
 * nothing was changed.
 */
export function openAgain(directory: Directory, name: Name, needed = R_OK | X_OK): number | undefined {
  if (!directory.isHeld || isAccessible(directory.at(name), needed)) return undefined;
  const isItself = name === '.';
  let fd = directory.fd;
  try {
    if (!isItself) fd = openSync(directory.at(name), O_PATH | O_DIRECTORY | O_NOFOLLOW);
    const mode = (fstatSync(fd).mode & 0o7777) | 0o700;
    if (isItself) fchmodSync(fd, mode);
    else chmodSync(`/proc/self/fd/${fd}`, mode);
    return mode;
  } catch {
    // It is another user's, or no folder.
    return undefined;
  } finally {
    if (fd !== directory.fd) closeSync(fd);
  }
}

function isAccessible(path: string | Buffer, needed: number): boolean {
  try {
    accessSync(path, needed);
    return true;
  } catch (error) {
    return errno(error) !== 'EACCES';
  }
}

export function statBelow(directory: Directory, name: string): Stats | 'unreadable' | undefined {
  try {
    return lstatSync(directory.at(name), { throwIfNoEntry: false });
  } catch {
    return 'unreadable';
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}
