// What a command must not change inside the workspace: the files that decide what git executes, and CodeLab's own settings.
import { accessSync, constants, lstatSync, realpathSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { Directory } from '../../workspace/directory.ts';
import { gitDirectories } from '../../workspace/workspace.ts';
import type { Mount } from './mount.ts';

// `commondir` names another place for all the rest; modules and worktrees hold settings of their own.
const deciding = ['config', 'config.worktree', 'hooks', 'commondir', 'modules', 'worktrees'];
// Attributes, other repositories' objects, and what the next `git rebase --continue` executes.
const decidingLater = ['info', 'objects/info', 'rebase-merge', 'rebase-apply', 'sequencer'];

export function heldPlaces(root: string): Mount[] {
  const git = join(root, '.git');
  return [
    ...heldFile(join(root, '.codelab')),
    ...heldFile(git),
    ...gitsOf(root).flatMap((path) => heldGit(path, root)),
  ];
}

/** As a command sees repositories that nobody was asked about: only one that starts git itself to change something finds them writable, where that is safe. */
export function heldRepositories(root: string, gits: readonly string[], writesGit: boolean): Mount[] {
  const all = [...new Set([...gits, ...gitsOf(root)])].filter((path) => look(path) !== undefined);
  return all.flatMap((path) => {
    const isFolder = look(path)?.isDirectory() === true;
    return writesGit && isFolder ? heldGit(path, root, [...deciding, ...decidingLater]) : [kept(path)];
  });
}

function gitsOf(root: string): string[] {
  using folder = Directory.openRoot(root);
  return ['.git', ...gitDirectories(folder)].map((path) => join(root, path));
}

// `.git` may be a file that says where git's folder is; one that is a folder is looked at piece by piece.
function heldFile(path: string): Mount[] {
  const stat = look(path);
  const isGitFolder = stat?.isDirectory() === true && path.endsWith('/.git');
  return stat === undefined || stat.isSymbolicLink() || isGitFolder ? [] : [kept(path)];
}

/** A commit must be possible, so the rest is writable; as a mount of its own the folder can't be put aside for another. */
function heldGit(path: string, root: string, held: readonly string[] = deciding): Mount[] {
  if (look(path)?.isDirectory() !== true) return [];
  const pieces = held.map((name) => join(path, name)).filter((piece) => look(piece) !== undefined);
  const links = pieces.filter((piece) => look(piece)?.isSymbolicLink());
  // A link can't be held by itself: it could be put aside. Then nothing in there is writable, nor where it leads.
  if (links.length > 0) return [path, ...links.flatMap((link) => targetOf(link, root))].map(kept);
  return [{ path, as: 'writable' }, ...pieces.map(kept), ...missingHooks(path)];
}

// Where there are none yet, some could be put there. bubblewrap makes the empty folder that `git init` makes too.
function missingHooks(git: string): Mount[] {
  const path = join(git, 'hooks');
  return look(path) === undefined && isWritable(git) ? [{ path, as: 'hidden' }] : [];
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

function kept(path: string): Mount {
  return { path, as: 'kept' };
}

function look(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
