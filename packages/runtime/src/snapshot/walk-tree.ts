// Everything in the workspace that undo can look after, by descriptor, with what is left out and why. Looked at before a command and
// after it; what was known before is looked at again whatever ignore files say by then.
import { type Dirent, lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { basename, join } from 'node:path';
import { createPauses } from '../platform/steps.ts';
import type { Directory } from '../workspace/directory.ts';
import { isStateFolderError } from '../workspace/state-folder.ts';
import { type DirectoryRules, isIgnored } from '../workspace/trees/ignore-rules.ts';
import { rulesIn } from './ignore-chain.ts';
import { noteRepositories, type Repositories } from './repositories.ts';
import { isBuildFolder, type TreeEntry, treeEntry } from './tree-entry.ts';

export type LeftOutReason = 'ignored' | 'cache' | 'repository' | 'unreadable' | 'too many';

/** `repositories` are those in folders that were entered, with the workspace's own; `rules` what each folder itself says to ignore. */
export type Tree = {
  entries: Map<string, TreeEntry>;
  leftOut: Map<string, LeftOutReason>;
  repositories: Repositories;
  rules: Map<string, DirectoryRules>;
};

type WalkOptions = {
  root: Directory;
  rules: readonly DirectoryRules[];
  isTracked(path: string): boolean;
  holdsTracked(path: string): boolean;
  /** Looked at whatever ignore files say. */
  isWanted?: ((path: string) => boolean) | undefined;
  before?: Tree;
  most: { entries: number; ms: number };
};

// Ours, while another call is under way.
const temp = /^\.codelab-[0-9a-f]{18}\.tmp$/;
const smallBytes = 1024 * 1024;
const fewFiles = 200;

export async function walkTree(wanted: WalkOptions): Promise<Tree> {
  const walk = new Walk(wanted);
  await walk.enter(wanted.root.again(), '', wanted.rules);
  return walk.tree;
}

class Walk {
  readonly tree: Tree = {
    entries: new Map(),
    leftOut: new Map(),
    repositories: new Map(),
    rules: new Map(),
  };
  readonly #wanted: WalkOptions;
  #seen = 0;
  readonly #pauses = createPauses();
  #few = 0;

  constructor(wanted: WalkOptions) {
    this.#wanted = wanted;
  }

  /** `isSearched`: it is left out, but what is wanted in it is looked at. */
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
    const { isWanted } = this.#wanted;
    if (isApart && isWanted === undefined) return;
    const isOutside = isSearched || isApart;
    const rules = this.#rulesIn(directory, path, entries, above);
    const folders: string[] = [];
    for (const entry of entries) {
      if (entry.name === '.git' || temp.test(entry.name)) continue;
      if (isOutside && !isWanted?.(below(path, entry.name))) {
        if (entry.isDirectory() && !isBuildFolder(entry.name)) folders.push(entry.name);
      } else if (this.#look(directory, entry.name, path, rules)) folders.push(entry.name);
      if (this.#pauses.isDue()) await this.#pauses.rest();
    }
    for (const name of folders) await this.#descend(directory, name, below(path, name), rules, isOutside);
  }

  // What the command itself writes into ignore files hides nothing from a look at what nobody was asked about.
  #rulesIn(
    directory: Directory,
    path: string,
    entries: readonly Dirent[],
    above: readonly DirectoryRules[],
  ): readonly DirectoryRules[] {
    const { before, isWanted } = this.#wanted;
    const own =
      isWanted === undefined || before === undefined ? rulesIn(directory, entries) : before.rules.get(path);
    if (own === undefined) return above;
    this.tree.rules.set(path, own);
    return [own, ...above];
  }

  /** True for a folder that is to be entered. */
  #look(directory: Directory, name: string, path: string, rules: readonly DirectoryRules[]): boolean {
    const own = below(path, name);
    const { before, isWanted } = this.#wanted;
    const why = before?.leftOut.get(own);
    const wasApart = isWanted !== undefined && (why === 'repository' || why === 'cache');
    if (why !== undefined && !wasApart) return false;
    if (this.#isTooMuch() && !isWanted?.(own)) {
      this.tree.leftOut.set(own, 'too many');
      return false;
    }
    const stat = lstatSync(directory.at(name), { throwIfNoEntry: false });
    if (stat === undefined) {
      // Gone already, or a name that is not UTF-8, which can't be reached.
      if (name.includes('\ufffd')) this.tree.leftOut.set(own, 'unreadable');
      return false;
    }
    const isFolder = stat.isDirectory();
    const isKnown = wasApart || before?.entries.has(own) || this.#isGits(own, isFolder);
    const at = join(directory.real, name);
    if (!isKnown && this.#isIgnored(at, stat, rules) && !isWanted?.(own)) {
      this.tree.leftOut.set(own, 'ignored');
      return false;
    }
    this.#seen++;
    const entry = treeEntry(stat);
    this.tree.entries.set(
      own,
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
      await this.enter(directory.openBelow(name), path, rules, isOutside);
    } catch (error) {
      // Ours, and nobody else's to look after.
      if (isStateFolderError(error)) {
        this.tree.entries.delete(path);
        return;
      }
      // Closed to us, or swapped for a link meanwhile.
      this.#leaveOut(path, 'unreadable');
    }
  }

  // A repository of its own has its own history, and a cache says itself that it can be made again.
  #isApart(entries: readonly Dirent[], path: string): boolean {
    const { before, isWanted } = this.#wanted;
    if (before?.entries.has(path) || isWanted?.(path)) return false;
    // One that a command made that nobody was asked about loses its `.git`, and is a folder like any other then.
    const isMade = isWanted !== undefined && before?.leftOut.get(path) === undefined && before !== undefined;
    const was = isWanted === undefined ? undefined : before?.leftOut.get(path);
    if (was === 'repository' || was === 'cache') {
      this.#leaveOut(path, was);
      return true;
    }
    const why = entries.some(({ name }) => name === '.git' && !isMade)
      ? 'repository'
      : entries.some(({ name }) => name === 'CACHEDIR.TAG') && !this.#wanted.holdsTracked(path)
        ? 'cache'
        : undefined;
    if (why !== undefined) this.#leaveOut(path, why);
    return why !== undefined;
  }

  // A few small files among the others, such as a local `.env`, are looked after all the same: nothing else has them.
  #isIgnored(at: string, stat: Stats, rules: readonly DirectoryRules[]): boolean {
    const isFolder = stat.isDirectory();
    if (isFolder && isBuildFolder(basename(at))) return true;
    if (!isIgnored(rules, at, isFolder)) return false;
    const isSmall = !isFolder && stat.size <= smallBytes;
    return !(isSmall && this.#wanted.before === undefined && this.#few++ < fewFiles);
  }

  #isTooMuch(): boolean {
    const { entries, ms } = this.#wanted.most;
    return this.#seen >= entries || this.#pauses.workedMs() > ms;
  }

  #leaveOut(path: string, why: LeftOutReason): void {
    this.tree.entries.delete(path);
    this.tree.leftOut.set(path, why);
  }

  #isGits(path: string, isFolder: boolean): boolean {
    return isFolder ? this.#wanted.holdsTracked(path) : this.#wanted.isTracked(path);
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
