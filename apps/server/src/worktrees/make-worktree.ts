// Makes a worktree for a session: a folder of ours outside the workspace, on a new branch `codelab/NAME` that starts at HEAD.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type SessionWorktree, ToolError } from '@codelab/protocol';
import { addWorktree, deleteBranch, type Host, hasBranch, removeWorktree, takeTurns } from '@codelab/runtime';
import { makeWorktreeFolder, slug, workspaceOfWorktree } from '../config/config-files.ts';

/** `name` is a person's input, and must be free; otherwise the title or the session's id supplies one. */
export type WorktreeWish = { name?: string | undefined; title?: string | undefined };

export type MadeWorktree = { path: string; worktree: SessionWorktree };

const gitMs = 120_000;
const mostTries = 100;

type Place = Pick<Host, 'home' | 'workspace'>;

/** Makes one worktree after the other, so that no two choose the same name. */
export async function makeWorktree(
  place: Place,
  session: string,
  options: WorktreeWish,
): Promise<MadeWorktree> {
  return await takeTurns(`worktrees of ${place.workspace.root.real}`, () => make(place, session, options));
}

async function make(
  { home, workspace }: Place,
  session: string,
  options: WorktreeWish,
): Promise<MadeWorktree> {
  const root = workspace.root.real;
  if (workspaceOfWorktree(home, root) !== undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'This workspace is a worktree already. Make further ones from the workspace it belongs to.',
    );
  const place = { workspace, signal: AbortSignal.timeout(gitMs) };
  const folder = makeWorktreeFolder(home, root);
  const isFree = async (name: string): Promise<boolean> =>
    !existsSync(join(folder, name)) && !(await hasBranch(place, branchOf(name)));
  const name = await chooseName(options, session, isFree);
  const path = join(folder, name);
  const base = await addWorktree(place, { path, branch: branchOf(name) });
  return { path, worktree: { of: root, branch: branchOf(name), base } };
}

/** Removes the worktree when no session could be created for it. */
export async function unmakeWorktree(
  { workspace }: Pick<Place, 'workspace'>,
  { path, worktree }: MadeWorktree,
): Promise<void> {
  const place = { workspace, signal: AbortSignal.timeout(gitMs) };
  await removeWorktree(place, { path, isForced: false });
  await deleteBranch(place, worktree.branch);
}

async function chooseName(
  { name, title = '' }: WorktreeWish,
  session: string,
  isFree: (name: string) => Promise<boolean>,
): Promise<string> {
  if (name !== undefined) {
    const slugged = slug(name);
    if (slugged === '')
      throw new ToolError('INVALID_ARGUMENTS', 'A worktree’s name needs a letter a–z or a digit.', {
        field: 'name',
      });
    if (await isFree(slugged)) return slugged;
    throw new ToolError(
      'ALREADY_EXISTS',
      `A branch ${branchOf(slugged)} or a worktree of that name already exists. Choose another name.`,
      { field: 'name' },
    );
  }
  const first = slug(title) || `session-${slug(session).slice(0, 8)}`;
  for (let i = 1; i <= mostTries; i++) {
    const tried = i === 1 ? first : `${first}-${i}`;
    if (await isFree(tried)) return tried;
  }
  throw new ToolError('ALREADY_EXISTS', `All names like ${branchOf(first)} are taken. Give a name.`, {
    field: 'name',
  });
}

/** The branch of the worktree with this name. */
export function branchOf(name: string): string {
  return `codelab/${name}`;
}
