// Repositories among the entries of a folder: something named `.git`, or a folder that is one by what it holds. Git takes either for a
// repository, and runs what its settings say.
import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { setImmediate as otherWork } from 'node:timers/promises';
import { grainOf } from '../undo/tree-entry.ts';
import type { Directory } from '../workspace/directory.ts';
import { foldPath } from '../workspace/fold-name.ts';
import { isStateFolderError } from '../workspace/state-folder.ts';

/** Each by the path of its `.git` or of the folder itself, with what tells it from another one in its place. */
export type Repositories = Map<string, string>;

// With `commondir` git takes objects, references and settings from the folder that it names.
const bareNames = [
  ['HEAD', 'objects', 'refs'],
  ['HEAD', 'commondir'],
];

export function noteRepositories(
  found: Repositories,
  directory: Directory,
  path: string,
  entries: readonly Dirent[],
): void {
  for (const { name } of entries) if (isGitName(name)) note(found, directory, name, below(path, name));
  if (isBare(entries)) note(found, directory, '.', path === '' ? '.' : path);
}

export function isGitName(name: string): boolean {
  if (name === '.git') return true;
  return name.length < 20 && /g.*t/i.test(name) && foldPath(name) === '.git';
}

function isBare(entries: readonly Dirent[]): boolean {
  return bareNames.some((names) => names.every((wanted) => entries.some(({ name }) => name === wanted)));
}

function note(found: Repositories, directory: Directory, name: string, path: string): void {
  const stat = lstatSync(directory.at(name), { throwIfNoEntry: false });
  if (stat !== undefined) found.set(path, printOf(stat));
}

export function printOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

type Scan = {
  root: Directory;
  /** Folders that were not looked into otherwise. */
  folders: Iterable<string>;
  known: Repositories;
  /** What else is looked for. */
  isWanted?: (path: string) => boolean;
  startedAt: number;
  most: { entries: number; ms: number };
};

/** `found` are all repositories that were met, `unseen` folders that were too many or closed. */
type Scanned = { made: string[]; unseen: string[]; found: Repositories };

const breath = 2000;

/** What was made since `startedAt` where nobody has looked before, told by its times. Reads names only, and the times of what is found. */
export async function scanForRepositories(scan: Scan): Promise<Scanned> {
  const { known, startedAt, most } = scan;
  const until = performance.now() + most.ms;
  const made: string[] = [];
  const unseen: string[] = [];
  const found: Repositories = new Map();
  let left = most.entries;
  let rested = left;
  const visit = async (opened: Directory, path: string): Promise<void> => {
    using directory = opened;
    const entries = readdirSync(directory.at('.'), { withFileTypes: true });
    left -= entries.length;
    if (rested - left > breath) {
      rested = left;
      await otherWork();
    }
    const here: Repositories = new Map();
    noteRepositories(here, directory, path, entries);
    for (const [git, print] of here) {
      found.set(git, print);
      if (known.get(git) !== print && isMadeSince(directory, git === path ? '.' : nameOf(git), startedAt))
        made.push(git);
    }
    for (const entry of entries) {
      if (isGitName(entry.name)) continue;
      const own = below(path, entry.name);
      if (scan.isWanted?.(own) && isMadeSince(directory, entry.name, startedAt)) {
        made.push(own);
        continue;
      }
      if (!entry.isDirectory()) continue;
      if (left < 0 || performance.now() > until) unseen.push(own);
      else await enter(() => directory.openBelow(entry.name), own);
    }
  };
  const enter = async (open: () => Directory, path: string): Promise<void> => {
    try {
      await visit(open(), path);
    } catch (error) {
      // Ours, or closed to us: then closed to whoever would use it as well.
      if (!isStateFolderError(error)) unseen.push(path);
    }
  };
  for (const path of scan.folders) {
    // A name that is not UTF-8 can't be reached.
    if (path.includes('\ufffd')) unseen.push(path);
    if (!isFolder(scan.root, path)) continue;
    await enter(() => openFolder(scan.root, path), path);
  }
  return { made, unseen, found };
}

/**
 * New, or an older one that was put there: that changes the folder around it, and its own state. Told by change times, since anybody
 * can set the others.
 */
function isMadeSince(directory: Directory, name: string, startedAt: number): boolean {
  const stat = lstatSync(directory.at(name), { throwIfNoEntry: false });
  if (stat === undefined) return false;
  const since = (time: number): boolean => time + grainOf(time) >= startedAt;
  if (stat.birthtimeMs > 0 && since(stat.birthtimeMs)) return true;
  const changed = (one: string): boolean =>
    since(lstatSync(directory.at(one), { throwIfNoEntry: false })?.ctimeMs ?? 0);
  // Any of its pieces may be the one that was missing.
  if (name === '.') return changed('.') && [...new Set(bareNames.flat()), 'config'].some(changed);
  return since(stat.ctimeMs) && (!stat.isDirectory() || changed('.'));
}

function isFolder(root: Directory, path: string): boolean {
  return lstatSync(root.at(path), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Name by name, so that no link on the way is followed. */
export function openFolder(root: Directory, path: string): Directory {
  let folder = root.again();
  if (path === '' || path === '.') return folder;
  for (const name of path.split('/')) {
    using last = folder;
    folder = last.openBelow(name);
  }
  return folder;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}
