// Merging a branch into the one that is checked out, as `git merge` does it. Conflicts are found before a file is touched where git can do
// that (2.38); an older git begins the merge, and it is aborted. Either way the files are as before.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import type { Workspace } from '../workspace/workspace.ts';
import { refuseUnfinished } from './commit-entries.ts';
import { findRepository } from './find-repository.ts';
import { gitFailure } from './git-failure.ts';
import { readHead } from './read/read-head.ts';
import { readStatus } from './read/read-status.ts';
import { refuseFiltered } from './refuse-paths.ts';
import { type GitRun, mustGit, runGit } from './run-git.ts';
import { takeTurns } from './run-program.ts';

type GitPlace = { workspace: Workspace; signal: AbortSignal };

/** `into` is the branch that is checked out; `before` and `commit`: where it stood and where it stands now. */
type Merged = { into: string; before: string; commit: string };

export async function mergeBranch(place: GitPlace, branch: string): Promise<Merged> {
  return await takeTurns(place.workspace.root.real, () => merge(place, branch));
}

async function merge(place: GitPlace, branch: string): Promise<Merged> {
  const { workspace, signal } = place;
  const { gitDirectory } = findRepository(workspace.root.real);
  refuseUnfinished(gitDirectory);
  const head = await readHead(workspace, signal);
  if (head.branch === null || head.commit === undefined)
    throw new ToolError('GIT_ERROR', 'No branch is checked out to merge into. Switch to one first.', {
      reason: 'no_branch',
    });
  const into = head.branch;
  const ref = `refs/heads/${branch}`;
  await refuseFilteredChanges(place, ref);
  const foreseen = await foreseeConflicts(place, ref);
  if (foreseen.length > 0) throw inConflict(into, foreseen);
  const ran = await runGit({
    ...place,
    args: ['merge', ...options, `Merge branch '${branch}'`, ref],
    isChange: true,
  });
  if (ran.exitCode !== 0) {
    if (!existsSync(join(gitDirectory, 'MERGE_HEAD'))) throw refusedBy(ran, into);
    const conflicts = await unmergedPaths(place);
    await mustGit({
      ...place,
      signal: AbortSignal.timeout(abortMs),
      args: ['merge', '--abort'],
      isChange: true,
    });
    throw inConflict(into, conflicts);
  }
  const { commit = head.commit } = await readHead(workspace, AbortSignal.timeout(abortMs));
  return { into, before: head.commit, commit };
}

// Cancelled or not: a merge that was begun is put back.
const abortMs = 60_000;

const options = [
  '--quiet',
  '--no-edit',
  '--no-verify',
  '--no-stat',
  '--no-gpg-sign',
  '--no-verify-signatures',
  '--no-autostash',
  '-m',
] as const;

/** The conflicts of a merge; none when this version of git can't tell. */
async function foreseeConflicts(place: GitPlace, ref: string): Promise<string[]> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', 'HEAD', ref] as const;
  const { exitCode, stdout } = await runGit({ ...place, args, isChange: true });
  // The first record is the tree that the merge would make.
  return exitCode === 1
    ? stdout
        .toString()
        .split('\0')
        .slice(1)
        .filter((path) => path !== '')
    : [];
}

async function unmergedPaths({ workspace, signal }: GitPlace): Promise<string[]> {
  const { entries } = await readStatus({ workspace, signal, untracked: 'no' });
  return entries.filter(({ index, worktree }) => `${index}${worktree}`.includes('U')).map(({ path }) => path);
}

async function refuseFilteredChanges(place: GitPlace, ref: string): Promise<void> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', 'HEAD', ref] as const;
  const { stdout, filters } = await mustGit({ ...place, args });
  await refuseFiltered({ ...place, paths: stdout.toString().split('\0').slice(0, -1) }, filters);
}

/** Git names the files that are in its way below each other, after a tab. */
function refusedBy(ran: GitRun, into: string): ToolError {
  if (!/would be overwritten by merge/.test(ran.stderr)) return gitFailure(ran);
  const files = [...ran.stderr.matchAll(/^\t(.+)$/gm)].map(([, path = '']) => path);
  return new ToolError(
    'GIT_ERROR',
    `Merging into ${into} would overwrite what is not committed there: ${shortList(files)}. Commit or stash it, then merge again.`,
    { reason: 'overwritten', files },
  );
}

const mostNamed = 10;

function shortList(paths: readonly string[]): string {
  const overflowNote = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
  return `${paths.slice(0, mostNamed).join(', ')}${overflowNote}`;
}

function inConflict(into: string, paths: readonly string[]): ToolError {
  return new ToolError(
    'GIT_ERROR',
    `Merging into ${into} conflicts in ${shortList(paths)}; nothing was changed. Merge ${into} into the worktree’s branch, resolve the conflicts there, then merge again.`,
    { reason: 'conflict', files: [...paths] },
  );
}

/** Everything that differs from the last commit, also what git does not know yet. Returns the files; none makes no commit. */
export async function commitAll(place: GitPlace, message: string): Promise<string[]> {
  const { workspace, signal } = place;
  refuseUnfinished(findRepository(workspace.root.real).gitDirectory);
  const { entries, filters } = await readStatus({ workspace, signal, untracked: 'all' });
  const present = entries.filter(({ worktree }) => worktree !== 'D').map(({ path }) => path);
  if (entries.length === 0) return [];
  await refuseFiltered({ workspace, signal, paths: present }, filters);
  const input = message.endsWith('\n') ? message : `${message}\n`;
  const written = [
    'commit',
    '--quiet',
    '--no-verify',
    '--no-status',
    '--cleanup=verbatim',
    '--file=-',
  ] as const;
  await takeTurns(workspace.root.real, async () => {
    await mustGit({ ...place, args: ['add', '--all'], isChange: true });
    await mustGit({ ...place, args: written, input, isChange: true });
  });
  return entries.map(({ path }) => path);
}
