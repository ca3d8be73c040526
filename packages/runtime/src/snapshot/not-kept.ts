// Finds content that a command line would delete or replace without a copy in the snapshot: undo could not restore it, so a person is asked
// in every mode.
import { accessSync, constants, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { because, type CommandPart, firstNames, phrase, reasonPhrases, type Touch } from '@codelab/protocol';
import { runGit } from '../git/run-git.ts';
import { createPauses } from '../platform/steps.ts';
import { isProtectedPath } from '../policy/protected-names.ts';
import { type NamedEntry, readNamedEntries } from '../workspace/byte-names.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { mostBlobBytes } from './blobs-from-git.ts';
import { convertedFiles } from './converted-files.ts';
import { ignoreRulesAbove, readTrackedFiles, type TrackedFiles } from './git-state.ts';
import { affordable, defaultBudget } from './kept-before.ts';
import { openFolder, statsOfBytes } from './repositories.ts';
import { isBuildFolder, type TreeEntry, treeEntry } from './tree-entry.ts';
import { type LeftOutReason, type Tree, walkTree } from './walk-tree.ts';

/** `path` with everything below it is deleted or replaced by the part at this position; `only` some of it where git replaces it. */
type Endangered = { part: number; path: string; only?: 'tracked' | 'staged' };

type LineRead = {
  parts: CommandPart[];
  touches: readonly Touch[];
  replaced: readonly Endangered[];
};

type Context = { workspace: Workspace; signal?: AbortSignal };

const mostNamed = 5;

/** The parts of the line; those that would lose something need approval in every mode, whatever rules allow. */
export async function askAboutLosses(
  { parts, touches, replaced }: LineRead,
  context: Context,
): Promise<CommandPart[]> {
  const open = parts.some(({ verdict }) => verdict === 'deny') ? [] : replaced;
  const tracked = open.length === 0 ? undefined : readTrackedFiles(context.workspace);
  const uncertain = open.filter((item) => tracked && !isInGit(item, tracked, context.workspace));
  if (tracked === undefined || uncertain.length === 0) return parts;
  const writes = touches.filter(({ access }) => access !== 'read').map(({ path }) => path);
  const isFile = ({ only }: Endangered): boolean => only !== 'staged';
  const lostBelow = uncertain.some(isFile) ? await findLosses(writes, tracked, context) : () => [];
  const staged = uncertain.every(isFile) ? [] : await stagedOnly(context);
  return parts.map((part, at) => {
    const ofPart = uncertain.filter((item) => item.part === at);
    const lostPaths = ofPart.flatMap((item) => (isFile(item) ? lostBelow(item) : staged));
    return lostPaths.length === 0 ? part : losing(part, [...new Set(lostPaths)]);
  });
}

function losing(part: CommandPart, lostPaths: readonly string[]): CommandPart {
  const { sandboxHolds: _, onlyReads: __, program: ___, ...rest } = part;
  const reason = phrase('files.notKept', { names: firstNames(lostPaths, mostNamed) });
  return {
    ...rest,
    verdict: 'ask',
    mustAsk: true,
    risk: 'critical',
    ...because([reason, ...reasonPhrases(part)]),
  };
}

// A tracked file without changes needs no look at the tree.
function isInGit({ path, only }: Endangered, tracked: TrackedFiles, { root }: Workspace): boolean {
  const stat = only ? undefined : statSync(root.at(path), { throwIfNoEntry: false });
  const isSmall = stat?.isFile() === true && stat.size <= mostBlobBytes;
  return isSmall && tracked.objectOf(path, treeEntry(stat)) !== undefined;
}

/** Looks at the tree as the snapshot does, and tells for each path what of it the snapshot would not keep. */
async function findLosses(
  writes: readonly string[],
  tracked: TrackedFiles,
  { workspace, signal = new AbortController().signal }: Context,
): Promise<(item: Endangered) => string[]> {
  const { root } = workspace;
  const { copy, walk } = defaultBudget;
  const rules = ignoreRulesAbove(root.real, tracked);
  const { entries, leftOut } = await walkTree({
    root,
    rules,
    ...tracked,
    isWanted: isProtectedPath,
    budget: walk,
  });
  const objects = await sureObjects({ workspace, signal }, tracked, entries);
  const files = [...entries].filter(([path, { type }]) => type === 'file' && !objects.has(path));
  const large = [...objects.keys()].filter((path) => (entries.get(path)?.size ?? 0) > mostBlobBytes);
  const copied = new Set(affordable(files, [isProtectedPath, isNamedIn(writes)], copy).map(([path]) => path));
  const full = files.filter(([, { size }]) => size > 0).map(([path]) => path);
  const uncopiedIn = (isMeant: (path: string) => boolean): string[] => [
    ...full.filter((path) => isMeant(path) && !(copied.has(path) && isReadable(root.at(path)))),
    ...large.filter(isMeant),
  ];
  return ({ path, only }) => {
    const isMeant = isNamedIn([path]);
    if (only === 'tracked') return uncopiedIn((file) => isMeant(file) && tracked.isTracked(file));
    const outside = [...leftOut].flatMap(([folder, reason]) => {
      const at = isMeant(folder) ? folder : isNamedIn([folder])(path) ? path : undefined;
      return at !== undefined && !canBeMadeAgain(folder, reason) && holdsContent(root, at) ? [at] : [];
    });
    return [...outside, ...uncopiedIn(isMeant)];
  };
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function holdsContent(root: Workspace['root'], path: string): boolean {
  if (!path.includes('\ufffd')) return holdsFile(root.at(path));
  const stats = statsOfBytes(root, path);
  return stats === undefined || stats.some((stat) => !stat.isFile() || stat.size > 0);
}

/** Files whose staged content is neither in the last commit nor in the file: only the index has it, and undo does not cover the index. */
async function stagedOnly({ workspace, signal = new AbortController().signal }: Context): Promise<string[]> {
  const names = async (...args: Parameters<typeof runGit>[0]['args']): Promise<string[]> => {
    const { stdout, exitCode } = await runGit({ workspace, args, signal });
    return exitCode === 0 ? stdout.toString().split('\0').filter(Boolean) : [];
  };
  try {
    const staged = await names('diff-index', '--cached', '--name-only', '-z', 'HEAD', '--');
    const changed = new Set(staged.length === 0 ? [] : await names('diff-files', '--name-only', '-z'));
    return staged.filter((path) => changed.has(path)).map((path) => `${path} (staged)`);
  } catch {
    // There is no repository, and git will say so.
    return [];
  }
}

/** The git objects that certainly hold the present contents of files. */
export async function sureObjects(
  { workspace, signal }: { workspace: Workspace; signal: AbortSignal },
  { repository, objectOf }: TrackedFiles,
  entries: ReadonlyMap<string, TreeEntry>,
): Promise<Map<string, string>> {
  const objects = new Map<string, string>();
  if (repository === undefined) return objects;
  for (const [path, entry] of entries) {
    const object = objectOf(path, entry);
    if (object !== undefined) objects.set(path, object);
  }
  const candidates = [...objects.keys()];
  const converted = await convertedFiles({
    workspace,
    repository,
    paths: entries.keys(),
    candidates,
    signal,
  });
  if (converted === undefined) return new Map();
  for (const path of converted) objects.delete(path);
  return objects;
}

/** Whether a path is one of these or lies below one. */
export function isNamedIn(paths: readonly string[]): (path: string) => boolean {
  const exact = new Set(paths);
  const folders = paths.map((folder) => `${folder}/`);
  return (path) => exact.has('.') || exact.has(path) || folders.some((folder) => path.startsWith(folder));
}

// Folders that git ignores and that builds, tests and package managers fill, by their usual names.
const outputNames =
  /^(dist|build|_build|out|target|coverage|htmlcov|\.nyc_output|obj|bin|vendor|Pods|DerivedData|\.eggs|.+\.egg-info|cmake-build-.+|\.(output|vite|angular|dart_tool|expo|bundle|stack-work|hypothesis|serverless|vercel|netlify|cxx|yarn)|dist-newstyle|elm-stuff|storybook-static|_site|test-results|playwright-report)$/;

/** Whether tools can create it again: then the loss needs no approval. */
export function canBeMadeAgain(path: string, reason: LeftOutReason): boolean {
  const isOutput = reason === 'ignored' || reason === 'cache';
  return path.split('/').some((name) => isBuildFolder(name) || (isOutput && outputNames.test(name)));
}

/** Which of these ignored paths hold something that no tool can create again. */
export function notMadeAgain(root: Workspace['root'], ignored: readonly string[]): string[] {
  const tagged = new Map<string, boolean>();
  const isCache = (folder: string): boolean => {
    const cached = tagged.get(folder);
    if (cached !== undefined) return cached;
    const isTagged = existsSync(root.at(join(folder, 'CACHEDIR.TAG')));
    tagged.set(folder, isTagged);
    return isTagged;
  };
  return ignored.filter((path) => {
    const names = path.split('/').slice(0, -1);
    const folders = names.map((_, at) => names.slice(0, at + 1).join('/'));
    if (canBeMadeAgain(path, 'ignored') || folders.some(isCache)) return false;
    const stat = lstatSync(root.at(path.replace(/\/$/, '')), { throwIfNoEntry: false });
    return stat?.isSymbolicLink() === true || holdsFile(root.at(path));
  });
}

const mostListed = 20_000;

/** The names of files in left-out folders that no tool makes again; a part of them where there are many. */
export async function namesLeftOut(root: Workspace['root'], { leftOut }: Tree): Promise<Set<string>> {
  const names = new Set<string>();
  const pauses = createPauses();
  const folders = [...leftOut]
    .filter(([path, reason]) => !canBeMadeAgain(path, reason))
    .map(([path]) => path);
  for (let path = folders.pop(); path !== undefined && names.size < mostListed; path = folders.pop()) {
    for (const { name, isFolder } of entriesIn(root, path))
      if (!isFolder) names.add(`${path}/${name}`);
      else if (name !== '.git' && !isBuildFolder(name)) folders.push(`${path}/${name}`);
    if (pauses.isDue()) await pauses.rest();
  }
  return names;
}

function entriesIn(root: Workspace['root'], path: string): NamedEntry[] {
  try {
    using directory = openFolder(root, path);
    return readNamedEntries(directory);
  } catch {
    // It is a file, or can't be read.
    return [];
  }
}

const mostLooks = 1000;

/** Whether there is content to lose. A folder with too many subfolders, or an unreadable one, counts as content. */
function holdsFile(path: string): boolean {
  let remaining = mostLooks;
  const hasFile = (folder: string): boolean =>
    readdirSync(folder, { withFileTypes: true }).some(
      (entry) => !entry.isDirectory() || --remaining < 0 || hasFile(join(folder, entry.name)),
    );
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isDirectory() === true ? hasFile(path) : (stat?.size ?? 0) > 0;
  } catch {
    return true;
  }
}
