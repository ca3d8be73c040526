// An anchor in a git repository: a ref whose commits, each with the one before as its parent, hold a seal each as their message.
import { ToolError } from '@codelab/protocol';
import { mustGit, runGit, Workspace } from '@codelab/runtime';
import type { Anchor, AnchorLine } from './anchor.ts';

type GitAnchor = Extract<Anchor, { git_ref: string }>;

const readMs = 30_000;
const newestLines = 10_000;
const who = 'CodeLab <audit@codelab.invalid>';

export async function publishToGit(
  { git_ref: ref, repository }: GitAnchor,
  line: AnchorLine,
  signal: AbortSignal,
): Promise<void> {
  using workspace = Workspace.open(repository);
  const change = { workspace, signal, isChange: true } as const;
  const parent = await commitAt(workspace, ref, signal);
  const tree = await mustGit({ ...change, args: ['hash-object', '-w', '-t', 'tree', '--stdin'], input: '' });
  // Written by hand: `git commit-tree` wants a name and an address that a machine may not have.
  const seconds = Math.floor(line.time / 1000);
  const commit = [
    `tree ${textOf(tree)}`,
    ...(parent === undefined ? [] : [`parent ${parent}`]),
    `author ${who} ${seconds} +0000`,
    `committer ${who} ${seconds} +0000`,
    '',
    JSON.stringify(line),
    '',
  ].join('\n');
  const made = await mustGit({
    ...change,
    args: ['hash-object', '-w', '-t', 'commit', '--stdin'],
    input: commit,
  });
  // Refused when somebody else has moved it meanwhile; an empty old value means that there is none yet.
  const old = parent ?? '0'.repeat(textOf(made).length);
  await mustGit({ ...change, args: ['update-ref', '--no-deref', ref, textOf(made), old] });
}

export async function readFromGit({ git_ref: ref, repository }: GitAnchor): Promise<string> {
  using workspace = Workspace.open(repository);
  const signal = AbortSignal.timeout(readMs);
  if ((await commitAt(workspace, ref, signal)) === undefined)
    throw new ToolError('FILE_NOT_FOUND', `There is no ${ref} in ${repository}.`);
  const args = ['log', '--format=%B', `--max-count=${newestLines}`, ref] as const;
  return (await mustGit({ workspace, signal, args })).stdout.toString('utf8');
}

async function commitAt(workspace: Workspace, ref: string, signal: AbortSignal): Promise<string | undefined> {
  const found = await runGit({
    workspace,
    signal,
    args: ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`],
  });
  return found.exitCode === 0 ? textOf(found) : undefined;
}

function textOf({ stdout }: { stdout: Buffer }): string {
  return stdout.toString('utf8').trim();
}
