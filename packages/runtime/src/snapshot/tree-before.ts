// The workspace as it was before a command ran, and where the old contents of its files can be found.

import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import {
  isInclude,
  type PlacedSetting,
  readConfig,
  settingPath,
  steeringSetting,
} from '../git/config-file.ts';
import { isProtectedFolder, isProtectedPath } from '../policy/protected-names.ts';
import type { GitFiles } from './git-deciding-files.ts';
import type { GitState, TrackedFiles } from './git-state.ts';
import { grainOf, type TreeDifference, type TreeEntry } from './tree-entry.ts';
import type { Tree } from './walk-tree.ts';

export type TreeBefore = {
  tree: Tree;
  /** Files in left-out folders, as far as they were listed: a file of such a name that is new has replaced one. */
  namesLeftOut?: ReadonlySet<string>;
  /** Empty for an asked command. */
  deciding: DecidingFiles;
  git: GitState;
  tracked: TrackedFiles;
  /** git objects that hold the old contents of files. */
  objects: ReadonlyMap<string, string>;
  /** What holds the old contents of files, by `keptItem`. */
  kept: Map<string, string>;
  startedAt: number;
  /** Position in the log: calls that append after it may change the tree meanwhile. */
  position: number;
};

// Paths of the workspace that decide what runs although their names are not protected: those named in git's settings, and the targets of
// links with a protected name.

/** Relative to the workspace; each includes everything below it. */
type NamedPlaces = { bySettings: readonly string[]; byLinks: readonly string[] };

/** Files that decide what runs although their names are not protected, for a later comparison. */
export type DecidingFiles = { files: GitFiles; named: NamedPlaces };

const maxJumps = 40;

/** `read` returns git's files and the contents of paths that they name. */
export function findDecidingFiles(
  root: string,
  tree: Tree,
  read: (paths: readonly string[]) => GitFiles,
): DecidingFiles {
  const gitFiles = read([]);
  const settings = [...gitFiles.keys()].filter((path) => /\/config(?:\.worktree)?$/.test(path));
  const bySettings = inside(
    root,
    settings.flatMap((path) => namedIn(root, path)),
  );
  const withNamed = bySettings.length === 0 ? gitFiles : read(bySettings);
  const gitLinks = [...withNamed].filter(([, { isLink }]) => isLink).map(([path]) => path);
  const links = [...tree.entries].filter(
    ([path, { type }]) => type === 'symlink' && (isProtectedPath(path) || isProtectedFolder(path)),
  );
  const targetsOf = (paths: readonly string[]): string[] =>
    inside(
      root,
      paths.flatMap((path) => behindLink(root, path)),
    );
  const namedPlaces = {
    bySettings: [...bySettings, ...targetsOf(gitLinks)],
    byLinks: targetsOf(links.map(([path]) => path)),
  };
  const places = placesOf(namedPlaces);
  return { named: namedPlaces, files: places.length === bySettings.length ? withNamed : read(places) };
}

export function placesOf({ bySettings, byLinks }: NamedPlaces): string[] {
  return [...bySettings, ...byLinks];
}

function namedIn(root: string, path: string): string[] {
  const config = join(root, path);
  try {
    const { settings, files } = readConfig(config);
    const top = topOf(config, settings);
    return [...files, ...settings.flatMap((setting) => placesIn(setting, top))];
  } catch {
    // Settings that cannot be read are not executed by git either: it stops there.
    return [];
  }
}

/** Where git starts the programs in its settings: the top of the working tree. */
function topOf(config: string, settings: readonly PlacedSetting[]): string {
  const worktree = settings.findLast(({ name }) => name === 'core.worktree');
  if (worktree !== undefined) return resolve(dirname(config), worktree.value);
  const at = config.lastIndexOf('/.git/');
  return at < 0 ? dirname(config) : config.slice(0, at);
}

function placesIn({ name, value }: PlacedSetting, top: string): string[] {
  if (!steeringSetting.test(name) || isInclude(name) || name === 'core.worktree') return [];
  if (name === 'core.hookspath') return hooksAt(settingPath(value, top));
  if (name === 'core.attributesfile') return [settingPath(value, top)];
  const isCommand = !name.startsWith('alias.') || value.startsWith('!');
  return isCommand ? scriptsIn(value.replace(/^!/, '')).map((word) => settingPath(word, top)) : [];
}

/**
 * The programs that a command line starts: its first word, or the script passed to an interpreter. A bare word is a program of the machine.
 */
function scriptsIn(command: string): string[] {
  const started = command.split(/[;|&\n]+/).flatMap((line) => {
    const [program = '', ...args] = line
      .trim()
      .split(/\s+/)
      .map((word) => word.replace(/["']/g, ''));
    const script = interpreter.test(program) ? args.find((word) => !word.startsWith('-')) : undefined;
    return [program.includes('/') ? program : '', script ?? ''];
  });
  return [command, ...started].filter((word) => /[./]/.test(word) && !/[\s$*:]/.test(word));
}

const interpreter = /(?:^|\/)(?:[a-z]*sh|python[\d.]*|node|ruby|perl|env|exec)$/;

// The setting may name git's own folder; then only its hooks count.
function hooksAt(folder: string): string[] {
  if (!folder.endsWith('/.git')) return [folder];
  return hookNames.map((name) => join(folder, name));
}

const hookNames =
  'applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push reference-transaction pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman post-index-change'.split(
    ' ',
  );

/**
 * The links on the path, and its final target unless that is a folder: an existing folder is read-only for the command. Each link could
 * be redirected or created.
 */
function behindLink(root: string, path: string): string[] {
  const found: string[] = [];
  const names = join(root, path).split('/');
  let at = '';
  let jumps = 0;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === '' || name === '.') continue;
    const entryPath = name === '..' ? dirname(at) : `${at === '/' ? '' : at}/${name}`;
    const target = linkAt(entryPath);
    if (target === undefined) at = entryPath;
    else if (++jumps > maxJumps) return found;
    else {
      found.push(entryPath);
      names.unshift(...target.split('/'));
      if (isAbsolute(target)) at = '';
    }
  }
  const isFolder = lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true;
  return [...found, ...(isFolder ? [] : [at])].filter((place) => place !== join(root, path));
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

// The workspace itself, and a whole repository in it, cannot be restored as one item.
function inside(root: string, paths: readonly string[]): string[] {
  const below = paths
    .filter((path) => path.startsWith(`${root}/`))
    .map((path) => path.slice(root.length + 1));
  return [...new Set(below)].filter((path) => path !== '' && !/(?:^|\/)\.git$/.test(path));
}

// A rename keeps the inode and its time of birth, a copy has its own: so undo knows what may be the only copy, which it never removes.

/** `isOwn` tells whether undo restores the entry at the old name. */
type Since = {
  present: ReadonlyMap<string, TreeEntry>;
  isLost: boolean;
  isOwn(difference: TreeDifference): boolean;
};

/**
 * By new path: the old one, or null for an entry from before the command that undo does not restore. `isLost` tells
 * whether anything of places that the first walk left out is gone; it decides where the time of birth does not.
 */
export function findOldNames(
  differences: readonly TreeDifference[],
  { tree, startedAt }: Pick<TreeBefore, 'tree' | 'startedAt'>,
  { present, isLost, isOwn }: Since,
): Map<string, string | null> {
  const arrived = differences.flatMap(({ path, before, after }) => {
    if (after === undefined || (before?.ino === after.ino && before.device === after.device)) return [];
    return isOlder(after, startedAt) === false ? [] : [{ path, after }];
  });
  const oldNames = new Map<string, string | null>();
  if (arrived.length === 0) return oldNames;
  const restored = new Set(differences.filter(isOwn).map(({ path }) => path));
  const known = namesOf(tree, new Set(arrived.map(({ after }) => after.ino)));
  for (const { path, after } of arrived) {
    const names = known(after);
    // Where the old name is still there, the new one is a hard link.
    const isLink = names.some((name) => present.get(name)?.ino === after.ino);
    if (isLink) continue;
    const [oldName] = names;
    // A folder has no content of its own: where there is one at the old name again, nothing is lost with it.
    const isFolderAgain = after.type === 'directory' && present.get(oldName ?? '')?.type === 'directory';
    if (isFolderAgain) continue;
    if (oldName !== undefined) oldNames.set(path, restored.has(oldName) ? oldName : null);
    else if (isOlder(after, startedAt) ?? isLost) oldNames.set(path, null);
  }
  return oldNames;
}

/** Undefined where the disk has no time of birth, or one too near to the start of the command. */
function isOlder({ bornMs }: TreeEntry, startedAt: number): boolean | undefined {
  if (bornMs === 0) return undefined;
  if (bornMs + grainOf(bornMs) < startedAt) return true;
  return bornMs > startedAt ? false : undefined;
}

/** Finds the old names of an entry. The number of an inode alone proves nothing: a new file may get that of a deleted one. */
function namesOf({ entries }: Tree, inodes: ReadonlySet<number>): (entry: TreeEntry) => string[] {
  const byInode = new Map<number, { path: string; entry: TreeEntry }[]>();
  for (const [path, entry] of entries) {
    if (!inodes.has(entry.ino)) continue;
    const names = byInode.get(entry.ino);
    if (names === undefined) byInode.set(entry.ino, [{ path, entry }]);
    else names.push({ path, entry });
  }
  return (now) =>
    (byInode.get(now.ino) ?? []).filter(({ entry }) => isSameInode(entry, now)).map(({ path }) => path);
}

function isSameInode(old: TreeEntry, now: TreeEntry): boolean {
  if (old.ino !== now.ino || old.device !== now.device || old.type !== now.type) return false;
  if (old.bornMs !== now.bornMs) return false;
  return old.bornMs > 0 || (old.size === now.size && old.mtimeMs === now.mtimeMs);
}
