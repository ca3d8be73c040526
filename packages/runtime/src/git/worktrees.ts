// Further worktrees of a repository: which there are, adding one on a new branch, what would be lost with one, and removing it.
import { ToolError } from '@codelab/protocol';
import type { Workspace } from '../workspace/workspace.ts';
import { findRepository, realOf } from './find-repository.ts';
import { checkBranchName, commitOf, readHead } from './read/read-head.ts';
import { readStatus } from './read/read-status.ts';
import { refuseFiltered } from './refuse-paths.ts';
import { mustGit } from './run-git.ts';
import { takeTurns } from './run-program.ts';

type GitPlace = { workspace: Workspace; signal: AbortSignal };

/** `branch` is null where a commit itself is checked out. */
type Worktree = { path: string; branch: string | null };

/** As `git worktree list` has them; the one the workspace is in is among them. */
async function listWorktrees({ workspace, signal }: GitPlace): Promise<Worktree[]> {
  const { stdout } = await mustGit({ workspace, signal, args: ['worktree', 'list', '--porcelain', '-z'] });
  return stdout
    .toString()
    .split('\0\0')
    .filter((block) => block !== '')
    .map((block) => {
      const fields = new Map(block.split('\0').map((line) => pairOf(line)));
      const branch = fields.get('branch')?.replace(/^refs\/heads\//, '') ?? null;
      return { path: fields.get('worktree') ?? '', branch };
    });
}

function pairOf(line: string): [string, string] {
  const at = line.indexOf(' ');
  return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}

/** Whether git has this folder as a further worktree of the workspace's repository, and the folder says the same. */
export async function isWorktree(place: GitPlace, path: string): Promise<boolean> {
  const worktrees = await listWorktrees(place);
  if (!worktrees.some((worktree) => realOf(worktree.path) === path)) return false;
  try {
    const { top, commonDirectory } = findRepository(path);
    const repository = findRepository(place.workspace.root.real);
    return top === path && repository.top !== path && commonDirectory === repository.commonDirectory;
  } catch {
    return false;
  }
}

/** The commit that the new branch starts at. Refused where the workspace is only a part of the repository. */
export async function addWorktree(
  place: GitPlace,
  { path, branch }: { path: string; branch: string },
): Promise<string> {
  const { workspace, signal } = place;
  if (findRepository(workspace.root.real).prefix !== '')
    throw new ToolError(
      'GIT_ERROR',
      'A worktree holds the whole repository, and this workspace is a folder in it. Open the whole repository with --workspace.',
      { reason: 'above_workspace' },
    );
  await checkBranchName(workspace, signal, branch);
  if (await hasBranch(place, branch))
    throw new ToolError('ALREADY_EXISTS', `The branch ${branch} already exists. Choose another name.`, {
      field: 'name',
    });
  const { commit } = await readHead(workspace, signal);
  if (commit === undefined)
    throw new ToolError('GIT_ERROR', 'There is no commit yet to start a worktree from. Commit first.', {
      reason: 'no_commit',
    });
  await refuseFilteredTree(place, commit);
  const args = ['worktree', 'add', '--quiet', '--no-track', '-b', branch, path, commit] as const;
  await takeTurns(workspace.root.real, () => mustGit({ ...place, args, isChange: true }));
  return commit;
}

export async function hasBranch({ workspace, signal }: GitPlace, branch: string): Promise<boolean> {
  return (await commitOf(workspace, signal, `refs/heads/${branch}`)) !== undefined;
}

/** Filters are not run here, so their files would be checked out in the wrong form. */
async function refuseFilteredTree(place: GitPlace, commit: string): Promise<void> {
  const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit] as const;
  const { stdout, filters } = await mustGit({ ...place, args });
  const paths = stdout.toString().split('\0').slice(0, -1);
  await refuseFiltered({ ...place, paths }, filters);
}

/** How a worktree stands to the workspace it was made from. Branches are null where a commit itself is checked out. */
export type WorktreeState = {
  branch: string | null;
  /** The branch that the workspace has checked out. */
  into: string | null;
  /** Files that are not committed, or not known to git. */
  files: string[];
  /** Ignored by git; a folder that is ignored as a whole ends with a slash. */
  ignored: string[];
  /** Hash and subject of each commit that the workspace's branch has not, the latest first. */
  commits: string[];
};

const mostCommits = 1000;

export async function readWorktree(place: GitPlace, worktree: Workspace): Promise<WorktreeState> {
  const { workspace, signal } = place;
  const [head, mainHead, { entries }] = await Promise.all([
    readHead(worktree, signal),
    readHead(workspace, signal),
    readStatus({ workspace: worktree, signal, untracked: 'all', ignored: true }),
  ]);
  const paths = (isIgnored: boolean): string[] =>
    entries.filter(({ index }) => (index === '!') === isIgnored).map(({ path }) => path);
  const range = `${mainHead.commit ?? ''}..${head.commit ?? ''}`;
  const format = ['-z', '--format=%h %s', `--max-count=${mostCommits}`];
  const { stdout } = await mustGit({ ...place, args: ['log', ...format, '--end-of-options', range, '--'] });
  return {
    branch: head.branch,
    into: mainHead.branch,
    files: paths(false),
    ignored: paths(true),
    commits: stdout
      .toString()
      .split('\0')
      .filter((line) => line !== ''),
  };
}

/** By git itself, which removes only what it has as a worktree. `isForced`: also with files that are not committed. */
export async function removeWorktree(
  place: GitPlace,
  { path, isForced }: { path: string; isForced: boolean },
): Promise<void> {
  if (!(await isWorktree(place, path)))
    throw new ToolError('GIT_ERROR', `git has no worktree at ${path}, so nothing is removed.`, {
      reason: 'no_worktree',
    });
  const force = isForced ? ['--force'] : [];
  await takeTurns(place.workspace.root.real, () =>
    mustGit({ ...place, args: ['worktree', 'remove', ...force, path], isChange: true }),
  );
}

/** Takes a worktree whose folder is gone off git's list, unless `git worktree prune` already did. */
export async function forgetWorktree(place: GitPlace, path: string): Promise<void> {
  const worktrees = await listWorktrees(place);
  if (!worktrees.some((worktree) => worktree.path === path || realOf(worktree.path) === path)) return;
  await takeTurns(place.workspace.root.real, () =>
    mustGit({ ...place, args: ['worktree', 'remove', '--force', path], isChange: true }),
  );
}

/** Deletes the branch even when no other branch has its commits. */
export async function deleteBranch(place: GitPlace, branch: string): Promise<void> {
  const args = ['branch', '--delete', '--force', '--quiet', '--', branch] as const;
  await takeTurns(place.workspace.root.real, () => mustGit({ ...place, args, isChange: true }));
}
