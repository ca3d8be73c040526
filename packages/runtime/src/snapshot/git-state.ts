// Changes of git's own state that undo does not revert but people should know about: the current commit, and what decides what git
// executes.
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Repository, repositoryIfAny } from '../git/find-repository.ts';
import { type Directory, identity } from '../workspace/directory.ts';
import { readWhole } from '../workspace/read-bytes.ts';
import { type IndexEntry, parseIndex } from '../workspace/trees/git-index.ts';
import { type DirectoryRules, openBelow, parseIgnoreFile } from '../workspace/trees/ignore-rules.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { TreeEntry } from './tree-entry.ts';

export type GitState = ReadonlyMap<string, string>;

const alwaysRead = ['HEAD', 'index', 'packed-refs', 'logs/HEAD', 'refs/stash'];
const deciding = ['config', 'config.worktree', 'commondir', 'info/attributes', 'hooks'];

export function gitState(repository: Repository | undefined): GitState {
  const state = new Map<string, string>();
  if (repository === undefined) return state;
  const { gitDirectory, commonDirectory } = repository;
  for (const folder of new Set([gitDirectory, commonDirectory]))
    for (const name of [...alwaysRead, ...deciding, ...hooksIn(folder)]) {
      const stat = lstatSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
      if (stat !== undefined)
        state.set(join(folder, name), stat.isDirectory() ? 'directory' : identity(stat));
    }
  return state;
}

export function gitNotes(before: GitState, after: GitState, root: string): string[] {
  const changed = [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path));
  const isDeciding = (path: string): boolean =>
    deciding.some((name) => path.endsWith(`/${name}`)) || path.includes('/hooks/');
  const dangerous = changed.filter(isDeciding);
  return [
    ...(dangerous.length > 0
      ? [`It changed ${dangerous.join(', ')}, which controls what git executes. Check it before you use git.`]
      : []),
    ...(changed.length > dangerous.length
      ? ["It changed git's own state (commits, branches or the index). Undo leaves that alone."]
      : []),
  ];
}

function hooksIn(folder: string): string[] {
  try {
    return readdirSync(join(folder, 'hooks')).map((name) => join('hooks', name));
  } catch {
    return [];
  }
}

/** The tracked files by the index, and which of them are certainly unchanged since: those need no copy. */
export type TrackedFiles = {
  repository: Repository | undefined;
  /** False when the index could not be read: then no file is known to be tracked. */
  isRead: boolean;
  isTracked(path: string): boolean;
  holdsTracked(path: string): boolean;
  /** The object with exactly these bytes, apart from git's conversions; undefined when that is not certain. */
  objectOf(path: string, entry: TreeEntry): string | undefined;
};

type Entries = Map<string, () => IndexEntry>;

const maxIndexBytes = 64 * 1024 * 1024;
// Times are floating-point milliseconds; this is a thousandth of one.
const sameMs = 0.001;

export function readTrackedFiles(workspace: Workspace): TrackedFiles {
  return trackedFilesIn(workspace.root.real);
}

/** Like `readTrackedFiles`, for any folder, such as that of a linked worktree or of a nested repository. */
export function trackedFilesIn(folder: string): TrackedFiles {
  const repository = repositoryIfAny(folder);
  const index = repository === undefined ? undefined : readIndex(repository);
  if (repository === undefined || index === undefined) return { ...noFiles, repository, isRead: false };
  const { entries, writtenMs } = index;
  const folders = foldersOf(entries.keys());
  return {
    repository,
    isRead: true,
    isTracked: (path) => entries.has(path),
    holdsTracked: (path) => folders.has(path),
    objectOf(path, entry) {
      const indexEntry = entries.get(path)?.();
      return indexEntry !== undefined && isClean(indexEntry, entry, writtenMs)
        ? indexEntry.object.toString('hex')
        : undefined;
    },
  };
}

const noFiles = { isTracked: () => false, holdsTracked: () => false, objectOf: () => undefined };

function readIndex({
  gitDirectory,
  commonDirectory,
  prefix,
}: Repository): { entries: Entries; writtenMs: number } | undefined {
  const entries: Entries = new Map();
  try {
    // Object names of a SHA-256 repository are longer; reading them as SHA-1 names would give wrong ones.
    if (/objectformat\s*=\s*sha256/i.test(readFileSync(join(commonDirectory, 'config'), 'utf8')))
      return undefined;
    const { bytes, writtenMs } = readRegular(join(gitDirectory, 'index'));
    const isWhole = parseIndex(bytes, (path, entry) => {
      if (path.startsWith(prefix)) entries.set(path.slice(prefix.length), entry);
    });
    return isWhole ? { entries, writtenMs } : undefined;
  } catch {
    return undefined;
  }
}

function readRegular(file: string): { bytes: Buffer; writtenMs: number } {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > maxIndexBytes) throw new RangeError('not an index');
    return { bytes: readFileSync(fd), writtenMs: stat.mtimeMs };
  } finally {
    closeSync(fd);
  }
}

function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

// Stricter than git: a file that was written no earlier than the index may have been changed since without a trace.
function isClean(indexEntry: IndexEntry, entry: TreeEntry, writtenMs: number): boolean {
  const isFile = (indexEntry.mode & 0o170000) === 0o100000 && entry.type === 'file';
  const isSameMode = ((indexEntry.mode & 0o100) !== 0) === ((entry.mode & 0o100) !== 0);
  if (!isFile || !isSameMode || indexEntry.stage !== 0) return false;
  if (indexEntry.size !== entry.size % 2 ** 32 || indexEntry.ino !== entry.ino % 2 ** 32) return false;
  if (!indexEntry.hasFraction) {
    const seconds = (ms: number): number => Math.floor(ms / 1000) * 1000;
    const isSame =
      indexEntry.mtimeMs === seconds(entry.mtimeMs) && indexEntry.ctimeMs === seconds(entry.ctimeMs);
    return isSame && indexEntry.mtimeMs + 1000 < writtenMs;
  }
  const isSameTime =
    Math.abs(indexEntry.mtimeMs - entry.mtimeMs) < sameMs &&
    Math.abs(indexEntry.ctimeMs - entry.ctimeMs) < sameMs;
  return isSameTime && entry.mtimeMs + sameMs < writtenMs;
}

// The ignore rules that apply in a folder: its own, then those of the folders above.

const maxIgnoreBytes = 1024 * 1024;
const ignoreFile = '.gitignore';

/** The folder's own rules. */
export function rulesIn(directory: Directory, entries: readonly Dirent[]): DirectoryRules | undefined {
  if (!entries.some(({ name }) => name === ignoreFile)) return undefined;
  using file = openBelow(directory, ignoreFile);
  if (file === undefined || file.stat.size > maxIgnoreBytes) return undefined;
  const rules = parseIgnoreFile(readWhole(file, ignoreFile).toString());
  return { base: directory.real, isRepository: false, kinds: { '.gitignore': rules } };
}

export function ignoreRulesAbove(root: string, { repository }: TrackedFiles): DirectoryRules[] {
  return repository === undefined ? [] : rulesAbove(root, repository.top, repository.commonDirectory);
}

/**
 * Rules from outside that apply at the workspace's root: those of the folders above, up to the repository's top, and git's exclude file.
 */
function rulesAbove(root: string, top: string, commonDirectory: string): DirectoryRules[] {
  const chain: DirectoryRules[] = [];
  for (let at = root; at !== top && at !== dirname(at); ) {
    at = dirname(at);
    chain.push({ base: at, isRepository: false, kinds: { '.gitignore': parse(join(at, ignoreFile)) } });
  }
  const exclude = parse(join(commonDirectory, 'info', 'exclude'));
  return [...chain, { base: top, isRepository: true, kinds: { exclude } }];
}

function parse(file: string): ReturnType<typeof parseIgnoreFile> {
  try {
    return parseIgnoreFile(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
}
