// Where the repository stands: the branch that is checked out and its last commit.
import type { Workspace } from '../workspace/workspace.ts';
import { mustGit, runGit } from './run-git.ts';

/** No branch: a commit itself is checked out. No commit: the branch has none yet. */
export type Head = { branch: string | null; commit: string | undefined };

export async function readHead(workspace: Workspace, signal: AbortSignal): Promise<Head> {
  const [branch, commit] = await Promise.all([
    runGit({ workspace, signal, args: ['symbolic-ref', '--quiet', 'HEAD'] }),
    commitOf(workspace, signal, 'HEAD'),
  ]);
  const name = branch.stdout.toString().trimEnd();
  return { branch: branch.exitCode === 0 ? name.replace(/^refs\/heads\//, '') : null, commit };
}

/** The commit a name stands for; undefined when there is none. */
export async function commitOf(
  workspace: Workspace,
  signal: AbortSignal,
  name: string,
): Promise<string | undefined> {
  const asked = `${name}^{commit}`;
  const ran = await runGit({
    workspace,
    signal,
    args: ['rev-parse', '--verify', '--quiet', '--end-of-options', asked],
  });
  const commit = ran.stdout.toString().trim();
  return ran.exitCode === 0 && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
}

/** What a first commit is compared with. */
export async function emptyTree(workspace: Workspace, signal: AbortSignal): Promise<string> {
  const { stdout } = await mustGit({
    workspace,
    signal,
    args: ['hash-object', '-t', 'tree', '--stdin'],
    input: '',
  });
  return stdout.toString().trim();
}
