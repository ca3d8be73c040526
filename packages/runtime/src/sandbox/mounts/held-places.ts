// The places inside the workspace that a command must not change: files that decide what git executes, and CodeLab's settings.
import { accessSync, constants, lstatSync, realpathSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { Directory } from '../../workspace/directory.ts';
import { gitDirectories } from '../../workspace/workspace.ts';
import type { Mount } from './mount.ts';

// `commondir` redirects all the others; modules and worktrees have settings of their own.
const deciding = ['config', 'config.worktree', 'hooks', 'commondir', 'modules', 'worktrees'];
// Attributes, objects of other repositories, and what the next `git rebase --continue` executes.
const decidingLater = ['info', 'objects/info', 'rebase-merge', 'rebase-apply', 'sequencer'];

export function heldPlaces(root: string): Mount[] {
  const git = join(root, '.git');
  return [
    ...heldFile(join(root, '.codelab')),
    ...heldFile(git),
    ...gitsOf(root).flatMap((path) => heldGit(path, root)),
  ];
}

/**
 * Repositories as an unasked command sees them: writable only for a command that starts git itself to change something, where that is
 * safe.
 */
export function heldRepositories(root: string, gits: readonly string[], writesGit: boolean): Mount[] {
  const gitFolders = [...new Set([...gits, ...gitsOf(root)])].filter((path) => statOf(path) !== undefined);
  return gitFolders.flatMap((path) => {
    const isFolder = statOf(path)?.isDirectory() === true;
    return writesGit && isFolder ? heldGit(path, root, [...deciding, ...decidingLater]) : [readOnly(path)];
  });
}

function gitsOf(root: string): string[] {
  using folder = Directory.openRoot(root);
  return ['.git', ...gitDirectories(folder)].map((path) => join(root, path));
}

// `.git` may be a file that names git's folder; a `.git` folder is protected piece by piece.
function heldFile(path: string): Mount[] {
  const stat = statOf(path);
  const isGitFolder = stat?.isDirectory() === true && path.endsWith('/.git');
  return stat === undefined || stat.isSymbolicLink() || isGitFolder ? [] : [readOnly(path)];
}

/** A commit must be possible, so the rest is writable. As its own mount, the folder cannot be replaced by another. */
function heldGit(path: string, root: string, heldNames: readonly string[] = deciding): Mount[] {
  if (statOf(path)?.isDirectory() !== true) return [];
  const pieces = heldNames.map((name) => join(path, name)).filter((piece) => statOf(piece) !== undefined);
  const links = pieces.filter((piece) => statOf(piece)?.isSymbolicLink());
  // A link cannot be protected by itself, because it could be replaced. Then nothing in the folder is writable, nor the link's target.
  if (links.length > 0) return [path, ...links.flatMap((link) => targetOf(link, root))].map(readOnly);
  return [{ path, as: 'writable' }, ...pieces.map(readOnly), ...missingHooks(path)];
}

// A missing hooks folder could be created with hooks in it. bubblewrap creates the empty folder that `git init` creates too.
function missingHooks(git: string): Mount[] {
  const path = join(git, 'hooks');
  return statOf(path) === undefined && isWritable(git) ? [{ path, as: 'hidden' }] : [];
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function targetOf(link: string, root: string): string[] {
  try {
    const target = realpathSync.native(link);
    return target.startsWith(`${root}/`) ? [target] : [];
  } catch {
    return [];
  }
}

function readOnly(path: string): Mount {
  return { path, as: 'kept' };
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
