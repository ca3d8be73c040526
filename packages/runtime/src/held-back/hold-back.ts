// Runs after an unasked command, before git or anything else reads what it left: finds what decides which code runs on this machine
// (repositories → git's own files → protected names), moves it to the quarantine, and restores what it replaced.
import { statSync } from 'node:fs';
import { firstNames } from '@codelab/protocol';
import { isNeverBuilt, isProtectedFolder, isProtectedPath } from '../policy/protected-names.ts';
import { blobsFromGit } from '../snapshot/blobs-from-git.ts';
import {
  changedGitFiles,
  type GitFile,
  type GitFiles,
  readGitFiles,
} from '../snapshot/git-deciding-files.ts';
import { type BeforeSlot, keptItem } from '../snapshot/kept-before.ts';
import { isGitName, type Repositories, scanForRepositories } from '../snapshot/repositories.ts';
import { type DecidingFiles, findDecidingFiles, placesOf, type TreeBefore } from '../snapshot/tree-before.ts';
import {
  diskKindOf,
  isBuildFolder,
  isSameEntry,
  type TreeDifference,
  treeEntry,
} from '../snapshot/tree-entry.ts';
import type { LeftOutReason, Tree } from '../snapshot/walk-tree.ts';
import { compareTrees, type Evidence, whoWrote } from '../snapshot/who-wrote.ts';
import type { RunContext } from '../tool/define-tool.ts';
import { changesOfOthers } from '../undo/changes-of-others.ts';
import { gitDirectories } from '../workspace/workspace.ts';
import { type HeldBackFile, type HoldBackResult, isHeld, takeEach } from './take-each.ts';
import type { OldContent } from './take-out.ts';

type WatchedTree = { before: TreeBefore; after: Tree; evidence: Evidence };

const reasons = {
  repository: 'It is a new repository, and git runs what its settings say.',
  git: 'It controls what git executes.',
  protected: 'It controls what runs on this machine, or contains secrets.',
};

const mostNamed = 5;

export const unchecked =
  'It could not be checked whether the command left a repository, hooks or settings that programs run. Check before you use git here.';

export function findDeciding(root: Root, tree: Tree): DecidingFiles {
  return findDecidingFiles(root.real, tree, (namedPaths) => gitFilesOf(root, tree.repositories, namedPaths));
}

type Root = RunContext['workspace']['root'];

function gitFilesOf(root: Root, repositories: Repositories, namedPaths: readonly string[]): GitFiles {
  const gits = new Set([...repositories.keys(), ...gitDirectories(root)]);
  return readGitFiles(
    root.real,
    [...gits].map((path) => (path === '.' ? '' : path)).filter(Boolean),
    namedPaths,
  );
}

export async function holdBack(
  context: RunContext,
  keep: BeforeSlot,
  watched: WatchedTree,
  budget: Budget,
): Promise<HoldBackResult> {
  const { workspace, log } = context;
  const { before, after } = watched;
  const { root } = workspace;
  const failed: string[] = [];
  // Where one look fails, the others still hold back what they find.
  const look = async <T>(find: () => T | Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await find();
    } catch (error) {
      failed.push(error instanceof Error ? error.message : String(error));
      return otherwise;
    }
  };
  const scanned = await look(() => scanLeftOut(root, before, after, budget), nothingScanned);
  const others = await look(() => changesOfOthers(log, root.real, before.position), new Map());
  const namedPlaces = new Set(placesOf(before.deciding.named));
  const differences = compareTrees(before.tree, after, before.startedAt).filter(
    (difference) =>
      !others.has(difference.path) && (isProtected(difference) || isHeld(namedPlaces, difference.path)),
  );
  const holding: HoldBackResult = { held: [], notes: unseenNotes(scanned.unseen) };
  const first = [
    ...foundRepositories(watched, scanned.created),
    ...scanned.matches.map((path): HeldBackFile => ({ path, change: 'new', why: reasons.protected })),
    ...(await look(() => foundGitFiles(context, watched), [])),
    ...differences
      .filter((difference) => difference.before === undefined)
      .map(({ path }): HeldBackFile => ({ path, change: 'new', why: reasons.protected })),
  ];
  await takeEach(context, keep, first, holding);
  // From here on git can be used: what would have misled it is gone.
  const changes = await look(() => foundChanges(context, keep, watched, differences), []);
  await takeEach(context, keep, changes, holding);
  holding.notes.push(...failed.map((problem) => `${unchecked} (${problem})`));
  return holding;
}

const nothingScanned: Awaited<ReturnType<typeof scanLeftOut>> = { created: [], matches: [], unseen: [] };

function isProtected({ path, after }: TreeDifference): boolean {
  return isProtectedPath(path) || (after?.type === 'symlink' && isProtectedFolder(path));
}

function foundRepositories({ before, after }: WatchedTree, scanned: readonly string[]): HeldBackFile[] {
  const { tree, deciding } = before;
  const newRepositories = [...after.repositories].filter(
    ([path, print]) => tree.repositories.get(path) !== print,
  );
  return [...newRepositories.map(([path]) => path), ...scanned].flatMap((path): HeldBackFile[] => {
    const reason = reasons.repository;
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (isGitName(name)) {
      const old = oldOf(deciding.files.get(path));
      return [{ path, change: old === undefined ? 'new' : 'changed', why: reason, old }];
    }
    const isNewFolder = after.entries.has(path) && !tree.entries.has(path);
    if (isNewFolder) return [{ path, change: 'new', why: reason }];
    // An existing folder is no repository without these two files.
    return ['HEAD', 'config'].map((file) => ({
      path: path === '.' ? file : `${path}/${file}`,
      change: 'new',
      why: reason,
    }));
  });
}

function foundGitFiles({ workspace }: RunContext, { before, after }: WatchedTree): HeldBackFile[] {
  const { tree, deciding } = before;
  const old = deciding.files;
  const links = new Set(deciding.named.byLinks);
  const namedPlaces = new Set(placesOf(deciding.named));
  const same = [...after.repositories].filter(([path, print]) => tree.repositories.get(path) === print);
  const now = gitFilesOf(
    workspace.root,
    new Map([...same, ...[...tree.repositories].filter(([path]) => !after.repositories.has(path))]),
    [...namedPlaces],
  );
  // Files that the walk covers are found by comparing the trees, which also shows who wrote them.
  const isWalked = (path: string): boolean => tree.entries.has(path) || after.entries.has(path);
  return changedGitFiles(old, now)
    .filter((path) => !(isWalked(path) && isHeld(namedPlaces, path)))
    .map((path) => ({
      path,
      change: old.has(path) ? 'changed' : 'new',
      why: isHeld(links, path) ? reasons.protected : reasons.git,
      old: oldOf(old.get(path)),
    }));
}

function oldOf(file: GitFile | undefined): OldContent | undefined {
  if (file?.content === undefined) return undefined;
  return typeof file.content === 'string'
    ? { target: file.content }
    : { bytes: file.content, mode: file.mode };
}

/** Files that existed before and have changed, unless their times show that another program changed them. */
async function foundChanges(
  { workspace }: RunContext,
  keep: BeforeSlot,
  { before, after, evidence }: WatchedTree,
  differences: readonly TreeDifference[],
): Promise<HeldBackFile[]> {
  const disk = diskKindOf(workspace.root.at('.'));
  const trees = { before: before.tree, after, root: treeEntry(statSync(workspace.root.at('.'))) };
  // A command can hide a write from the trace, so only times say here that somebody else made it.
  const untraced = { ...evidence, trace: undefined };
  const changed = differences.filter(
    (difference) =>
      difference.before !== undefined &&
      difference.after !== undefined &&
      difference.after.type !== 'directory' &&
      !isSameEntry(difference.before, difference.after) &&
      whoWrote(difference, untraced, trees, disk) !== 'other',
  );
  const items = new Map<string, string>();
  const blobs = changed.flatMap(({ path, before: entry }) => {
    const object = before.objects.get(path);
    return object === undefined || entry === undefined ? [] : [{ path, object, entry }];
  });
  const storedBlobs = await blobsFromGit(workspace, blobs, (path) => {
    const item = keep.item();
    items.set(path, item);
    return keep.slot().at(item);
  });
  return changed.map(({ path, before: entry }): HeldBackFile => {
    const item =
      keptItem(keep, before.kept, path, entry) ?? (storedBlobs.has(path) ? items.get(path) : undefined);
    const link = entry?.type === 'symlink' ? { target: entry.target ?? '' } : undefined;
    const old = link ?? (item === undefined ? undefined : { item });
    return { path, change: 'changed', why: reasons.protected, old };
  });
}

function unseenNotes(unseen: readonly string[]): string[] {
  if (unseen.length === 0) return [];
  return [
    `Not looked into: ${firstNames(unseen, mostNamed)}. Look for a .git and for settings there before you use git or an editor in it.`,
  ];
}

// Searches for repositories and protected names where the walk for undo did not go, by their times.

type Budget = { entries: number; ms: number };

type RepositoryScan = ReturnType<typeof scanForRepositories>;

/**
 * In ignored folders builds create manifests, and packages contain them, so only names count there that no build creates. Folders that
 * were too large for the walk, or have a name that is not UTF-8, are treated like any other.
 */
async function scanLeftOut(
  root: Root,
  before: TreeBefore,
  after: Tree,
  budget: Budget,
): Promise<Omit<Awaited<RepositoryScan>, 'found'>> {
  const leftOut = [...new Map([...before.tree.leftOut, ...after.leftOut])];
  const scan = (
    isWanted: (path: string) => boolean,
    isThere: (reason: LeftOutReason) => boolean,
  ): RepositoryScan =>
    scanForRepositories({
      root,
      folders: leftOut.filter(([, reason]) => isThere(reason)).map(([path]) => path),
      known: before.tree.repositories,
      isWanted: (path) => isWanted(path) && !path.split('/').some(isBuildFolder),
      startedAt: before.startedAt,
      budget,
    });
  const isIgnored = (reason: LeftOutReason): boolean => reason === 'ignored';
  const ignored = await scan(isNeverBuilt, isIgnored);
  const others = await scan(isProtectedPath, (reason) => !isIgnored(reason));
  return {
    created: [...ignored.created, ...others.created],
    matches: [...ignored.matches, ...others.matches],
    unseen: [...ignored.unseen, ...others.unseen],
  };
}
