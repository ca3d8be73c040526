// The files of a repository that decide what git executes, with their contents, so that they can be put back as they were.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { identity } from '../workspace/directory.ts';

/** `content` is the bytes of a file or the text of a link; undefined when it is something else or too large. */
export type GitFile = { print: string; mode: number; isLink: boolean; content: Buffer | string | undefined };

export type GitFiles = ReadonlyMap<string, GitFile>;

// `commondir` names another place for all the rest, `alternates` one for objects; attributes choose among the filters of `config`.
const deciding = [
  ...['config', 'config.worktree', 'commondir', 'gitdir', 'hooks', 'info/attributes'],
  ...['objects/info/alternates', 'objects/info/http-alternates'],
  // What is left to do of a rebase; commands may be among it.
  'rebase-merge/git-rebase-todo',
];
// Each file in these is a hook, or says where a remote is.
const decidingFolders = ['hooks', 'remotes', 'branches'];
const executing = /^\s*(x|exec)\s/m;
const maxBytes = 256 * 1024;
const maxFolders = 500;
const maxNamed = 500;

/**
 * `gits` are paths below `root` of a `.git`, which may be a file or a link, or of a folder that is a repository; `named` are other
 * files and folders that decide.
 */
export function readGitFiles(root: string, gits: Iterable<string>, named: Iterable<string> = []): GitFiles {
  const files = new Map<string, GitFile>();
  let left = maxFolders;
  const visit = (git: string): void => {
    if (--left < 0) return;
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
  // The name of a submodule may have slashes.
  const visitModules = (path: string): void => {
    const names = namesIn(join(root, path));
    if (names.includes('config') || names.includes('HEAD')) visit(path);
    else if (--left > 0) for (const name of names) visitModules(`${path}/${name}`);
  };
  for (const git of gits) visit(git);
  noteNamed(files, root, named);
  return files;
}

/** Folders with what is in them, as far as there are not too many files. */
function noteNamed(files: Map<string, GitFile>, root: string, named: Iterable<string>): void {
  const left = [...named].toReversed();
  const seen = new Set<string>();
  for (let path = left.pop(); path !== undefined && seen.size < maxNamed; path = left.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    note(files, root, path);
    if (files.get(path)?.print !== 'directory') continue;
    for (const name of namesIn(join(root, path))) if (name !== '.git') left.push(`${path}/${name}`);
  }
}

/** In `after`, what is not as it was in `before`, and what was not there. */
export function changedGitFiles(before: GitFiles, after: GitFiles): string[] {
  return [...after].filter(([path, now]) => isChanged(before.get(path), now)).map(([path]) => path);
}

function isChanged(old: GitFile | undefined, now: GitFile): boolean {
  // A folder stands for itself: what is in it has names of its own.
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
  const content = isLink
    ? readlinkSync(at)
    : stat.isFile() && stat.size <= maxBytes
      ? readFileSync(at)
      : undefined;
  if (path.endsWith('/git-rebase-todo') && content !== undefined && !executing.test(content.toString()))
    return;
  files.set(path, { print, mode, isLink, content });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
