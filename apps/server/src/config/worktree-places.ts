// Where the worktrees of a workspace lie: beside the state folder, which no tool may enter, and outside the workspace. The state folder
// remembers which workspace each of these folders belongs to.
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { sha256 } from '@codelab/runtime';
import type { ConfigPlaces } from './config-files.ts';
import { checkFolderOwner, readStateFile, writeStateFile } from './state-file.ts';

/** The folder of a workspace's worktrees, whether it exists or not. `root` is the real path of the workspace. */
function worktreeFolder(home: string, root: string): string {
  return join(baseOf(home), keyOf(root));
}

/** Makes the folder, for the user alone, and records its workspace. */
export function makeWorktreeFolder(home: string, root: string): string {
  const folder = worktreeFolder(home, root);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const one of [dirname(folder), folder]) checkFolderOwner(one, 'The folder of worktrees');
  // A link in the way would put the worktree somewhere else.
  if (realpathSync(folder) !== folder)
    throw new ToolError('PERMISSION_DENIED', `${folder} is reached through a link. Remove the link.`);
  writeStateFile(noteOf(home, keyOf(root)), { workspace: root });
  return folder;
}

/** The workspace that a folder is a worktree of, when CodeLab made it; undefined for any other folder. */
export function workspaceOfWorktree(home: string, path: string): string | undefined {
  const folder = dirname(path);
  if (dirname(folder) !== baseOf(home)) return undefined;
  const note = readStateFile(noteOf(home, basename(folder)));
  const { workspace } = (note ?? {}) as { workspace?: unknown };
  return typeof workspace === 'string' && worktreeFolder(home, workspace) === folder ? workspace : undefined;
}

/** A worktree that CodeLab made has the settings of the workspace it was made from. */
export function configPlaces(home: string, folder: string): ConfigPlaces {
  const root = workspaceOfWorktree(home, folder);
  return root === undefined ? { home, root: folder } : { home, root, worktree: folder };
}

/** The workspace whose settings apply in a folder: the folder itself, unless it is a worktree that CodeLab made. */
export function settingsRoot(home: string, folder: string): string {
  return existsSync(home) ? configPlaces(home, folder).root : folder;
}

/** Whether a session's folder is the workspace itself or the place of one of its worktrees. */
export function isInProject(home: string, root: string, folder: string): boolean {
  return folder === root || dirname(folder) === worktreeFolder(home, root);
}

function baseOf(home: string): string {
  return `${realpathSync(home)}-worktrees`;
}

function noteOf(home: string, key: string): string {
  return join(home, 'worktrees', `${key}.json`);
}

/** Readable, and different for each path. */
function keyOf(root: string): string {
  return `${slug(basename(root)) || 'workspace'}-${sha256(root).slice(0, 12)}`;
}

/** The branch of the worktree with this name. */
export function branchOf(name: string): string {
  return `codelab/${name}`;
}

/** What a text gives for the name of a folder or branch: lower-case ASCII letters, digits and hyphens; maybe nothing. */
export function slug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
}
