// Reads the branch that is checked out and its last commit.

import { ToolError } from '@codelab/protocol';
import type { Workspace } from '../../workspace/workspace.ts';
import { mustGit, runGit } from '../run-git.ts';
import { readStatus } from './read-status.ts';

/** `branch` is null when HEAD is detached; `commit` is undefined when the branch has none yet. */
export type GitHead = { branch: string | null; commit: string | undefined };

export async function readHead(workspace: Workspace, signal: AbortSignal): Promise<GitHead> {
  const [branch, commit] = await Promise.all([
    runGit({ workspace, signal, args: ['symbolic-ref', '--quiet', 'HEAD'] }),
    commitOf(workspace, signal, 'HEAD'),
  ]);
  const name = branch.stdout.toString().trimEnd();
  return { branch: branch.exitCode === 0 ? name.replace(/^refs\/heads\//, '') : null, commit };
}

/** The commit that a name refers to; undefined when there is none. */
export async function commitOf(
  workspace: Workspace,
  signal: AbortSignal,
  name: string,
): Promise<string | undefined> {
  const revision = `${name}^{commit}`;
  const ran = await runGit({
    workspace,
    signal,
    args: ['rev-parse', '--verify', '--quiet', '--end-of-options', revision],
  });
  const commit = ran.stdout.toString().trim();
  return ran.exitCode === 0 && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
}

/** The tree with which a first commit is compared. */
export async function emptyTree(workspace: Workspace, signal: AbortSignal): Promise<string> {
  const { stdout } = await mustGit({
    workspace,
    signal,
    args: ['hash-object', '-t', 'tree', '--stdin'],
    input: '',
  });
  return stdout.toString().trim();
}

/** The local branches. */
type Branch = { name: string; hash: string; current: boolean };

export async function readBranches(workspace: Workspace, signal: AbortSignal): Promise<Branch[]> {
  const format = '%(objectname) %(HEAD) %(refname:lstrip=2)';
  const { stdout } = await mustGit({
    workspace,
    signal,
    args: ['for-each-ref', `--format=${format}`, 'refs/heads/'],
  });
  const lines = stdout.toString().split('\n').slice(0, -1);
  return lines.map((line) => {
    const at = line.indexOf(' ');
    return { name: line.slice(at + 3), hash: line.slice(0, at), current: line[at + 1] === '*' };
  });
}

/** Throws unless git accepts the name literally as a branch name: no option, no `@{-1}`. */
export async function checkBranchName(
  workspace: Workspace,
  signal: AbortSignal,
  name: string,
): Promise<void> {
  const isPlain = !/^-|\0/.test(name) && name !== 'HEAD' && name !== '@' && Buffer.byteLength(name) <= 200;
  if (isPlain) {
    const ran = await runGit({ workspace, signal, args: ['check-ref-format', `refs/heads/${name}`] });
    if (ran.exitCode === 0) return;
  }
  throw new ToolError(
    'INVALID_ARGUMENTS',
    `git takes no branch named ${JSON.stringify(name.slice(0, 200))}.`,
    {
      field: 'name',
    },
  );
}

/** Whether the tracked files are as they were committed. Untracked files do not count, as in git's own commands. */
export async function isClean(workspace: Workspace, signal: AbortSignal): Promise<boolean> {
  const { entries } = await readStatus({ workspace, signal, untracked: 'no' });
  return entries.length === 0;
}
