// The two ends of a worktree: merging its branch into the one the workspace has checked out, or removing it. The caller is shown beforehand
// what would be lost, and agrees by naming its print.
import { type Actor, type EventBody, ToolError } from '@codelab/protocol';
import {
  commitAll,
  deleteBranch,
  digestJson,
  mergeBranch,
  notMadeAgain,
  readWorktree,
  removeWorktree,
  type Workspace,
  type WorktreeState,
} from '@codelab/runtime';

/** The workspace, and one of its worktrees. */
export type WorktreePair = { main: Workspace; worktree: Workspace; signal: AbortSignal };

const mostIgnored = 10_000;

/** `print` changes with everything that would be lost. Of what git ignores, `ignored` has what no tool makes again. */
export type PrintedState = WorktreeState & { print: string };

export async function worktreeState({ main, worktree, signal }: WorktreePair): Promise<PrintedState> {
  const found = await readWorktree({ workspace: main, signal }, worktree);
  const ignored = notMadeAgain(worktree.root, found.ignored).slice(0, mostIgnored);
  const state = { ...found, ignored };
  return { ...state, print: digestJson(state) };
}

export type MergeWish = {
  /** With a message, uncommitted changes are committed first. */
  message?: string | undefined;
  /** The branch that the person was shown. */
  into?: string | undefined;
};

type Recorded<T extends EventBody['type']> = Omit<Extract<EventBody, { type: T }>, 'type' | 'by'>;

export type MergedWorktree = Recorded<'worktree.merged'> & { commits: number };

export async function mergeWorktree(
  pair: WorktreePair,
  { message, into }: MergeWish,
): Promise<MergedWorktree> {
  const { main, worktree, signal } = pair;
  const state = await worktreeState(pair);
  if (state.branch === null)
    throw new ToolError('GIT_ERROR', 'No branch is checked out in the worktree. Switch to one there first.', {
      reason: 'no_branch',
    });
  if (into !== undefined && into !== state.into)
    throw new ToolError(
      'STALE',
      `The workspace is on ${state.into ?? 'no branch'} now, not on ${into}. Look again, then merge.`,
    );
  if (state.files.length > 0) {
    if (message === undefined) throw uncommitted(state.files);
    await commitAll({ workspace: worktree, signal }, message);
  }
  const { branch, commits } = message === undefined ? state : await worktreeState(pair);
  const merged = await mergeBranch({ workspace: main, signal }, branch ?? state.branch);
  return { branch: state.branch, ...merged, commits: commits.length };
}

export type DropWish = {
  /** The print of what the person was shown; required when something would be lost. */
  print?: string | undefined;
  deletesBranch: boolean;
};

export type DroppedWorktree = Recorded<'worktree.dropped'>;

/** `end` closes everything open over the worktree, just before it is removed. */
export async function dropWorktree(
  pair: WorktreePair,
  { print, deletesBranch }: DropWish,
  end: () => Promise<void>,
): Promise<DroppedWorktree> {
  const place = { workspace: pair.main, signal: pair.signal };
  const state = await worktreeState(pair);
  const { branch, files, ignored } = state;
  // Commits without a branch would be lost.
  const commits = deletesBranch || branch === null ? state.commits : [];
  const fileCount = files.length + ignored.length;
  if (fileCount + commits.length > 0 && print !== state.print) throw wouldLose(state, print !== undefined);
  const path = pair.worktree.root.real;
  await end();
  await removeWorktree(place, { path, isForced: files.length > 0 });
  const isBranchDeleted = deletesBranch && branch !== null;
  if (isBranchDeleted) await deleteBranch(place, branch);
  return { branch, isBranchDeleted, files: fileCount, commits: commits.length };
}

/** The merge as the log records it. */
export function mergedEvent({ commits: _counted, ...merged }: MergedWorktree, by: Actor): EventBody {
  return { type: 'worktree.merged', by, ...merged };
}

export function droppedEvent(dropped: DroppedWorktree, by: Actor): EventBody {
  return { type: 'worktree.dropped', by, ...dropped };
}

const mostNamed = 10;

function shortList(paths: readonly string[]): string {
  const overflowNote = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
  return `${paths.slice(0, mostNamed).join(', ')}${overflowNote}`;
}

function uncommitted(files: readonly string[]): ToolError {
  return new ToolError(
    'GIT_ERROR',
    `Not committed in the worktree: ${shortList(files)}. Commit first, or give a message to commit all of it with.`,
    { reason: 'uncommitted', files: [...files] },
  );
}

function wouldLose({ files, ignored, commits, print }: PrintedState, hasChanged: boolean): ToolError {
  const losses = [
    ...(files.length > 0 ? [`files that are not committed: ${shortList(files)}`] : []),
    ...(ignored.length > 0 ? [`files that git ignores: ${shortList(ignored)}`] : []),
    ...(commits.length > 0 ? [`commits that are not merged: ${shortList(commits)}`] : []),
  ].join('; ');
  const first = hasChanged ? 'More changed since you looked. ' : '';
  return new ToolError('STALE', `${first}Dropping the worktree loses ${losses}. Confirm to drop it anyway.`, {
    reason: 'worktree_loss',
    ...{ files: [...files], ignored: [...ignored], commits: [...commits], print },
  });
}
