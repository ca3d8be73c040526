// The local branches, and whether a name may be one.
import { ToolError } from '@codelab/protocol';
import type { Workspace } from '../workspace/workspace.ts';
import { mustGit, runGit } from './run-git.ts';

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

/** Throws unless git takes it literally as the name of a branch: no option, no `@{-1}`. */
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
