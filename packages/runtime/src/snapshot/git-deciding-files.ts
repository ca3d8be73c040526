// The files of a repository that decide what git executes, with their contents, so that they can be restored.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { identity } from '../workspace/directory.ts';

/** `content` is the bytes of a file or the target of a link; undefined when it is something else or too large. */
export type GitFile = { print: string; mode: number; isLink: boolean; content: Buffer | string | undefined };

export type GitFiles = ReadonlyMap<string, GitFile>;

// `commondir` redirects all the others, `alternates` the objects; attributes choose among the filters of `config`.
const deciding = [
  ...['config', 'config.worktree', 'commondir', 'gitdir', 'hooks', 'info/attributes'],
  ...['objects/info/alternates', 'objects/info/http-alternates'],
  // The remaining steps of a rebase may be commands.
  'rebase-merge/git-rebase-todo',
];
// Each file in these folders is a hook, or names a remote.
const decidingFolders = ['hooks', 'remotes', 'branches'];
const executing = /^\s*(x|exec)\s/m;
const maxBytes = 256 * 1024;
const maxFolders = 500;
const maxNamed = 500;

/**
 * `gits` are paths below `root`: of a `.git`, which may be a file or a link, or of a folder that is a repository. `named` are other
 * files and folders that decide what git executes.
 */
export function readGitFiles(
  root: string,
  gits: Iterable<string>,
  namedPaths: Iterable<string> = [],
): GitFiles {
  const files = new Map<string, GitFile>();
  let remaining = maxFolders;
  const visit = (git: string): void => {
    if (--remaining < 0) return;
    const stat = lstatSync(join(root, git), { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (!stat.isDirectory()) {
      note(files, root, git);
      return;
    }
    const below = decidingFolders.flatMap((folder) =>
      namesIn(join(root, git, folder)).map((name) => `${folder}/${name}`),
    );
    for (const name of [...deciding, ...below]) note(files, root, `${git}/${name}`);
    for (const name of namesIn(join(root, git, 'worktrees'))) visit(`${git}/worktrees/${name}`);
    for (const name of namesIn(join(root, git, 'modules'))) visitModules(`${git}/modules/${name}`);
  };
  // The name of a submodule may contain slashes.
  const visitModules = (path: string): void => {
    const names = namesIn(join(root, path));
    if (names.includes('config') || names.includes('HEAD')) visit(path);
    else if (--remaining > 0) for (const name of names) visitModules(`${path}/${name}`);
  };
  for (const git of gits) visit(git);
  noteNamed(files, root, namedPaths);
  return files;
}

/** Folders with their content, up to a number of files. */
function noteNamed(files: Map<string, GitFile>, root: string, namedPaths: Iterable<string>): void {
  const pending = [...namedPaths].toReversed();
  const visited = new Set<string>();
  for (let path = pending.pop(); path !== undefined && visited.size < maxNamed; path = pending.pop()) {
    if (visited.has(path)) continue;
    visited.add(path);
    note(files, root, path);
    if (files.get(path)?.print !== 'directory') continue;
    for (const name of namesIn(join(root, path))) if (name !== '.git') pending.push(`${path}/${name}`);
  }
}

/** The paths of `after` that are new or differ from `before`. */
export function changedGitFiles(before: GitFiles, after: GitFiles): string[] {
  return [...after].filter(([path, now]) => isChanged(before.get(path), now)).map(([path]) => path);
}

function isChanged(old: GitFile | undefined, now: GitFile): boolean {
  // A folder does not count itself: the files in it are listed separately.
  if (now.print === 'directory') return false;
  if (old === undefined) return true;
  if (old.content === undefined || now.content === undefined) return old.print !== now.print;
  return (
    old.isLink !== now.isLink ||
    old.mode !== now.mode ||
    Buffer.compare(Buffer.from(old.content), Buffer.from(now.content)) !== 0
  );
}

function note(files: Map<string, GitFile>, root: string, path: string): void {
  const at = join(root, path);
  const stat = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return;
  const mode = Number(stat.mode & 0o7777n);
  const isLink = stat.isSymbolicLink();
  const print = stat.isDirectory() ? 'directory' : identity(stat);
  const isRead = isLink || (stat.isFile() && stat.size <= maxBytes);
  const content = isRead ? contentAt(at, isLink) : undefined;
  if (path.endsWith('/git-rebase-todo') && content !== undefined && !executing.test(content.toString()))
    return;
  files.set(path, { print, mode, isLink, content });
}

function contentAt(path: string, isLink: boolean): Buffer | string | undefined {
  try {
    return isLink ? readlinkSync(path) : readFileSync(path);
  } catch {
    // The owner may not read it, or it was replaced meanwhile: the print tells whether it changed.
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
