// Walks everything in the workspace that undo covers, by descriptor, and records what is left out and why. The tree is walked before a
// command and after it; paths known from the first walk are visited again whatever the ignore files say by then.
import { type Dirent, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { basename, join } from 'node:path';
import { createPauses } from '../platform/steps.ts';
import type { Directory } from '../workspace/directory.ts';
import { isStateFolderError } from '../workspace/state-folder.ts';
import { type DirectoryRules, isIgnored } from '../workspace/trees/ignore-rules.ts';
import { rulesIn } from './git-state.ts';
import { entryOfBytes, noteRepositories, openAgain, type Repositories, statBelow } from './repositories.ts';
import { isBuildFolder, type TreeEntry, treeEntry } from './tree-entry.ts';

export type LeftOutReason = 'ignored' | 'cache' | 'repository' | 'unreadable' | 'too many';

/**
 * `leftOutEntries` are left-out entries themselves, as far as the walk looked at them. `repositories` are those in walked folders, including
 * the workspace's own; `rules` are the ignore rules of each folder itself.
 */
export type Tree = {
  entries: Map<string, TreeEntry>;
  leftOut: Map<string, LeftOutReason>;
  leftOutEntries: Map<string, TreeEntry>;
  repositories: Repositories;
  rules: Map<string, DirectoryRules>;
  /** Folders that an unasked command had closed to their owner. */
  reopened?: string[];
};

type WalkOptions = {
  root: Directory;
  rules: readonly DirectoryRules[];
  isTracked(path: string): boolean;
  holdsTracked(path: string): boolean;
  /** Visited whatever the ignore files say. */
  isWanted?: ((path: string) => boolean) | undefined;
  before?: Tree;
  budget: { entries: number; ms: number };
};

// Temporary files of another running call.
const temp = /^\.codelab-[0-9a-f]{18}\.tmp$/;
const smallBytes = 1024 * 1024;
const fewFiles = 200;

export async function walkTree(options: WalkOptions): Promise<Tree> {
  const walk = new Walk(options);
  await walk.enter(options.root.again(), '', options.rules);
  return walk.tree;
}

class Walk {
  readonly tree: Tree = {
    entries: new Map(),
    leftOut: new Map(),
    leftOutEntries: new Map(),
    repositories: new Map(),
    rules: new Map(),
  };
  readonly options: WalkOptions;
  entriesSeen = 0;
  readonly #pauses = createPauses();
  #few = 0;

  constructor(options: WalkOptions) {
    this.options = options;
  }

  /** `isSearched`: the folder is left out, but wanted paths in it are visited. */
  async enter(
    opened: Directory,
    path: string,
    above: readonly DirectoryRules[],
    isSearched = false,
  ): Promise<void> {
    using directory = opened;
    const entries = readdirSync(directory.at('.'), { withFileTypes: true });
    noteRepositories(this.tree.repositories, directory, path, entries);
    const isApart = path !== '' && !isSearched && this.#isApart(entries, path);
    const { isWanted } = this.options;
    if (isApart && isWanted === undefined) return;
    const isOutside = isSearched || isApart;
    const rules = this.#rulesIn(directory, path, entries, above);
    const folders: string[] = [];
    for (const entry of entries) {
      if (entry.name === '.git' || temp.test(entry.name)) continue;
      if (isOutside && !isWanted?.(below(path, entry.name))) {
        if (entry.isDirectory() && !isBuildFolder(entry.name)) folders.push(entry.name);
      } else if (this.readEntry(directory, entry.name, path, rules)) folders.push(entry.name);
      if (this.#pauses.isDue()) await this.#pauses.rest();
    }
    for (const name of folders) await this.#descend(directory, name, below(path, name), rules, isOutside);
  }

  // Ignore files that an unasked command writes must not hide anything from the second walk.
  #rulesIn(
    directory: Directory,
    path: string,
    entries: readonly Dirent[],
    above: readonly DirectoryRules[],
  ): readonly DirectoryRules[] {
    const { before, isWanted } = this.options;
    const ownRules =
      isWanted === undefined || before === undefined ? rulesIn(directory, entries) : before.rules.get(path);
    if (ownRules === undefined) return above;
    this.tree.rules.set(path, ownRules);
    return [ownRules, ...above];
  }

  /** True for a folder that must be entered. */
  readEntry(directory: Directory, name: string, path: string, rules: readonly DirectoryRules[]): boolean {
    const entryPath = below(path, name);
    const { before, isWanted } = this.options;
    const reason = before?.leftOut.get(entryPath);
    const leftOutEntry = before?.leftOutEntries.get(entryPath);
    const wasApart = isWanted !== undefined && (reason === 'repository' || reason === 'cache');
    if (reason !== undefined && !wasApart && leftOutEntry === undefined) return false;
    if (this.#isTooMuch() && !isWanted?.(entryPath)) {
      this.tree.leftOut.set(entryPath, 'too many');
      return false;
    }
    const stat = statBelow(directory, name);
    if (stat === 'unreadable') this.#leaveOut(entryPath, stat);
    if (stat === undefined || stat === 'unreadable') {
      // The entry is gone, or its name is not UTF-8 and cannot be opened.
      if (name.includes('\ufffd')) {
        this.tree.leftOut.set(entryPath, 'unreadable');
        const found = entryOfBytes(directory, name);
        if (found !== undefined) this.tree.leftOutEntries.set(entryPath, found);
      }
      return false;
    }
    const isFolder = stat.isDirectory();
    // What replaces a left-out folder is not left out for that.
    if (reason !== undefined && !wasApart && treeEntry(stat).type === leftOutEntry?.type) return false;
    const isKnown = wasApart || before?.entries.has(entryPath) || this.#isGits(entryPath, isFolder);
    const at = join(directory.real, name);
    if (!isKnown && this.#isIgnored(at, stat, rules) && !isWanted?.(entryPath)) {
      this.tree.leftOut.set(entryPath, 'ignored');
      this.tree.leftOutEntries.set(entryPath, treeEntry(stat));
      return false;
    }
    this.entriesSeen++;
    const entry = treeEntry(stat);
    this.tree.entries.set(
      entryPath,
      entry.type === 'symlink' ? { ...entry, target: readLink(directory.at(name)) } : entry,
    );
    return isFolder;
  }

  async #descend(
    directory: Directory,
    name: string,
    path: string,
    rules: readonly DirectoryRules[],
    isOutside: boolean,
  ): Promise<void> {
    if (this.#isTooMuch()) {
      this.#leaveOut(path, 'too many');
      return;
    }
    try {
      await this.enter(this.#open(directory, name, path), path, rules, isOutside);
    } catch (error) {
      // The state folder is CodeLab's own, and undo does not cover it.
      if (isStateFolderError(error)) {
        this.tree.entries.delete(path);
        return;
      }
      // The folder is unreadable, or was replaced by a link meanwhile.
      this.#leaveOut(path, 'unreadable');
    }
  }

  // What an unasked command leaves must be seen, so a folder that it has closed is opened again.
  #open(directory: Directory, name: string, path: string): Directory {
    const { before, isWanted } = this.options;
    const isChecked = before !== undefined && isWanted !== undefined && !before.leftOut.has(path);
    const mode = isChecked ? openAgain(directory, name) : undefined;
    if (mode !== undefined) {
      const entry = this.tree.entries.get(path);
      if (entry !== undefined) this.tree.entries.set(path, { ...entry, mode });
      this.tree.reopened = [...(this.tree.reopened ?? []), path];
    }
    return directory.openBelow(name);
  }

  // A nested repository has its own history, and a folder with a cache tag can be rebuilt.
  #isApart(entries: readonly Dirent[], path: string): boolean {
    const { before, isWanted } = this.options;
    if (before?.entries.has(path) || isWanted?.(path)) return false;
    // A repository that an unasked command created loses its `.git` and is then an ordinary folder.
    const isMade = isWanted !== undefined && before?.leftOut.get(path) === undefined && before !== undefined;
    const reasonBefore = isWanted === undefined ? undefined : before?.leftOut.get(path);
    if (reasonBefore === 'repository' || reasonBefore === 'cache') {
      this.#leaveOut(path, reasonBefore);
      return true;
    }
    const reason = entries.some(({ name }) => name === '.git' && !isMade)
      ? 'repository'
      : entries.some(({ name }) => name === 'CACHEDIR.TAG') && !this.options.holdsTracked(path)
        ? 'cache'
        : undefined;
    if (reason !== undefined) this.#leaveOut(path, reason);
    return reason !== undefined;
  }

  // A few small ignored files, such as a local `.env`, are covered nevertheless: nothing else has their content.
  #isIgnored(at: string, stat: Stats, rules: readonly DirectoryRules[]): boolean {
    const isFolder = stat.isDirectory();
    if (isFolder && isBuildFolder(basename(at))) return true;
    if (!isIgnored(rules, at, isFolder)) return false;
    const isSmall = !isFolder && stat.size <= smallBytes;
    return !(isSmall && this.options.before === undefined && this.#few++ < fewFiles);
  }

  #isTooMuch(): boolean {
    const { entries, ms } = this.options.budget;
    return this.entriesSeen >= entries || this.#pauses.workedMs() > ms;
  }

  #leaveOut(path: string, reason: LeftOutReason): void {
    const entry = this.tree.entries.get(path);
    if (entry !== undefined) this.tree.leftOutEntries.set(path, entry);
    // A folder that the command has closed keeps its entry: undo gives it its old mode.
    const isClosed = reason === 'unreadable' && this.options.before?.entries.has(path) === true;
    if (!isClosed) this.tree.entries.delete(path);
    this.tree.leftOut.set(path, reason);
  }

  #isGits(path: string, isFolder: boolean): boolean {
    return isFolder ? this.options.holdsTracked(path) : this.options.isTracked(path);
  }
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
