// Finds the repository of a workspace. `.git` may point to a directory elsewhere only when that directory points back:
// otherwise any folder could claim another repository as its own.
import { type BigIntStats, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { ToolError } from '@codelab/protocol';
import type { Workspace } from '../workspace/workspace.ts';

const maxPointerBytes = 4096;

export type Repository = {
  /** Where the files are checked out: the workspace or a folder above it. */
  top: string;
  /** The prefix that turns a workspace path into a repository path: empty, or a folder with a trailing slash. */
  prefix: string;
  gitDirectory: string;
  commonDirectory: string;
  /** A submodule names its checkout in its settings, so the reader of the settings must compare it with `top`. */
  mustNameTop: boolean;
};

export function findRepository(root: string): Repository {
  const top = findTop(root);
  if (top === undefined) throw noRepository();
  return repositoryFrom(root, top);
}

/** Undefined where there is none, or one that does not belong to this folder. */
export function repositoryIfAny(root: string): Repository | undefined {
  try {
    const top = findTop(root);
    return top === undefined ? undefined : repositoryFrom(root, top);
  } catch {
    return undefined;
  }
}

function repositoryFrom(root: string, top: string): Repository {
  const prefix = top === root ? '' : `${root.slice(top.endsWith('/') ? top.length : top.length + 1)}/`;
  return { top, prefix, ...directoriesOf(top) };
}

function findTop(root: string): string | undefined {
  const { dev } = statSync(root);
  for (let at = root; ; at = dirname(at)) {
    // As in git, the search for a repository stops at a mount point.
    if (statSync(at).dev !== dev) break;
    if (entryAt(join(at, '.git')) !== undefined) return at;
    if (dirname(at) === at) break;
  }
  return undefined;
}

type Directories = Pick<Repository, 'gitDirectory' | 'commonDirectory' | 'mustNameTop'>;

function directoriesOf(top: string): Directories {
  const dotGit = join(top, '.git');
  if (!entryAt(dotGit)?.isFile()) {
    const real = realOf(dotGit);
    if (!isGitDirectory(real)) throw noRepository();
    // Only the directory of a linked worktree has a common directory, and `.git` itself is never one.
    if (!real.startsWith(top.endsWith(sep) ? top : top + sep) || entryAt(join(real, 'commondir')))
      throw repositoryElsewhere();
    return { gitDirectory: real, commonDirectory: real, mustNameTop: false };
  }
  const gitdir = readPointer(dotGit)?.match(/^gitdir: (.+)$/s)?.[1];
  if (gitdir === undefined) throw noRepository();
  const real = realOf(resolve(top, gitdir));
  const shared = readPointer(join(real, 'commondir'));
  return shared === undefined ? submodule(real) : worktree(dotGit, real, realOf(resolve(real, shared)));
}

function submodule(real: string): Directories {
  if (!isGitDirectory(real)) throw noRepository();
  return { gitDirectory: real, commonDirectory: real, mustNameTop: true };
}

function worktree(dotGit: string, real: string, shared: string): Directories {
  const back = readPointer(join(real, 'gitdir'));
  const isOurs =
    back !== undefined &&
    realOf(resolve(real, back)) === realOf(dotGit) &&
    basename(dirname(real)) === 'worktrees' &&
    dirname(dirname(real)) === shared &&
    isGitDirectory(shared);
  if (!isOurs) throw repositoryElsewhere();
  return { gitDirectory: real, commonDirectory: shared, mustNameTop: false };
}

function isGitDirectory(path: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => entryAt(join(path, name)) !== undefined);
}

function entryAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function readPointer(path: string): string | undefined {
  const stat = entryAt(path);
  if (!stat?.isFile() || stat.size > maxPointerBytes) return undefined;
  return readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
}

/** The real path; the path itself when it does not exist. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function noRepository(): ToolError {
  return new ToolError(
    'GIT_NOT_INITIALIZED',
    'This workspace is not in a git repository. Run `git init` first.',
  );
}

/** The error for a repository that does not name this workspace as its checkout. */
export function repositoryElsewhere(): ToolError {
  return new ToolError(
    'GIT_ERROR',
    '`.git` points to a repository that does not name this folder as its own, so it is not used. If it is, set core.worktree there.',
    { reason: 'git_elsewhere' },
  );
}

// Workspace paths as git pathspecs from the top of the repository; they never match anything above the workspace.
export function pathSpecs(workspace: Workspace, paths: readonly string[]): string[] {
  const { prefix } = findRepository(workspace.root.real);
  const wholePath = prefix === '' ? '.' : prefix.slice(0, -1);
  if (paths.length === 0) return prefix === '' ? [] : [wholePath];
  return paths.map((path) => (path === '.' ? wholePath : `${prefix}${path}`));
}
