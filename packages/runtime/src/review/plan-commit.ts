// A commit of a review: exactly the changes that it shows, whatever else the files contain. Nothing in the workspace changes.
import { type PlanDraft, phrase, ToolError } from '@codelab/protocol';
import { type Committed, tellCommit } from '../git/commit.ts';
import { type CommitEntry, commitEntries, refuseUnfinished } from '../git/commit-entries.ts';
import { countPatch } from '../git/describe-new.ts';
import { findRepository } from '../git/find-repository.ts';
import { gitCommand } from '../git/git-failure.ts';
import { type GitEntries, readAsFile, readGitEntries } from '../git/read/read-entries.ts';
import { type GitHead, readHead } from '../git/read/read-head.ts';
import { readStatus } from '../git/read/read-status.ts';
import { refuseFiltered } from '../git/refuse-paths.ts';
import { digestJson } from '../platform/digest.ts';
import type { PlanContext, Planned, RunContext } from '../tool/define-tool.ts';
import { isSameState } from '../undo/present-state.ts';
import { commitFile } from './commit-file.ts';
import { type ReviewedFile, readReview } from './review-files.ts';
import { stateAt } from './versions.ts';

type ReviewCommitRequest = { message: string; turn: number | null; paths?: readonly string[] | undefined };

export type PreparedReviewCommit = {
  message: string;
  before: GitHead;
  entries: CommitEntry[];
  /** The files as they were when the commit was planned. */
  files: Pick<ReviewedFile, 'path' | 'now'>[];
};

const mostFiles = 2000;

export async function planReviewCommit(
  { message, turn, paths }: ReviewCommitRequest,
  context: PlanContext,
): Promise<Planned<PreparedReviewCommit>> {
  const { workspace, signal } = context;
  const review = await readReview(context, { session: context.session, turn });
  const files = chosenFiles(review.files, paths);
  refuseUnfinished(findRepository(workspace.root.real).gitDirectory);
  const before = await readHead(workspace, signal);
  const reviewedPaths = files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  const git = await readGitEntries({ workspace, signal, paths: reviewedPaths }, before.commit);
  const entries = await entriesOf(withMoves(files), git, context);
  const present = entries.filter(({ blob }) => blob !== null).map(({ path }) => path);
  const { filters } = await readStatus({ workspace, signal, paths: ['.'], untracked: 'no' });
  await refuseFiltered({ workspace, signal, paths: present }, filters);
  const text = message.endsWith('\n') ? message : `${message}\n`;
  return {
    plan: describe({ message, before, files, git }, entries),
    within: files.map(({ path }) => ({ asked: path, path, access: 'read' })),
    intents: [],
    isUnforeseeable: true,
    prepared: { message: text, before, entries, files: files.map(({ path, now }) => ({ path, now })) },
  };
}

export async function makeReviewCommit(
  { message, before, entries, files }: PreparedReviewCommit,
  context: RunContext,
): Promise<Committed> {
  const { workspace } = context;
  await commitEntries({ message, before, entries }, context, () => {
    const changed = files.find(({ path, now }) => !isSameState(stateAt(path, workspace), now?.state ?? null));
    if (changed === undefined) return;
    throw new ToolError('STALE', `${changed.path} was changed meanwhile. Reload the review.`);
  });
  return await tellCommit(before, workspace);
}

function chosenFiles(files: readonly ReviewedFile[], paths: readonly string[] | undefined): ReviewedFile[] {
  const chosenPaths = paths === undefined ? undefined : new Set(paths);
  const chosenFiles = files.filter(
    ({ path, from }) =>
      chosenPaths === undefined || chosenPaths.has(path) || (from !== undefined && chosenPaths.has(from)),
  );
  if (chosenFiles.length === 0) throw nothing('The review has no such changes.');
  if (chosenFiles.length > mostFiles)
    throw new ToolError('GIT_ERROR', `More than ${mostFiles} files: commit them with git.`, {
      reason: 'too_many',
    });
  return chosenFiles;
}

/** A file within a folder that was moved as a whole has come from there as well. */
function withMoves(files: readonly ReviewedFile[]): ReviewedFile[] {
  const folders = files.filter(({ from, now }) => from !== undefined && now?.state.type === 'directory');
  return files.map((file) => {
    const folder = folders.find(({ path }) => file.path.startsWith(`${path}/`));
    if (folder === undefined || file.from !== undefined || file.base === null || file.now === null)
      return file;
    return { ...file, from: `${folder.from}${file.path.slice(folder.path.length)}` };
  });
}

async function entriesOf(
  files: readonly ReviewedFile[],
  git: GitEntries,
  context: PlanContext,
): Promise<CommitEntry[]> {
  const entries = new Map<string, CommitEntry>();
  const refused: { path: string; reason: string }[] = [];
  const read = readAsFile.bind(undefined, context);
  // Moved folders come first, so that entries of files changed in them replace the entries of the move.
  const inOrder = files.toSorted((a, b) => Number(isFolder(b)) - Number(isFolder(a)));
  for (const file of inOrder) {
    const commit = await commitFile(file, { git, read });
    if ('refused' in commit) refused.push({ path: file.path, reason: commit.refused });
    else for (const entry of commit.entries) entries.set(entry.path, entry);
  }
  if (refused.length > 0) {
    const reasons = refused.map(({ path, reason }) => `${path}: ${reason}`).join('\n');
    throw new ToolError('GIT_ERROR', `Nothing was committed.\n${reasons}.`, { reason: 'not_apart', refused });
  }
  if (entries.size === 0) throw nothing('The last commit already has all of these changes.');
  return [...entries.values()];
}

function isFolder({ now }: ReviewedFile): boolean {
  return now?.state.type === 'directory';
}

function nothing(message: string): ToolError {
  return new ToolError('GIT_ERROR', `There is nothing to commit. ${message}`, {
    reason: 'nothing_to_commit',
  });
}

type CommitDescription = {
  message: string;
  before: GitHead;
  files: readonly ReviewedFile[];
  git: GitEntries;
};

function describe(
  { message, before, files, git }: CommitDescription,
  entries: readonly CommitEntry[],
): PlanDraft {
  const reason = phrase('risk.recordsChanges');
  const commit = { files: entries.length, subject: message.split('\n')[0] ?? '' };
  const text = files.map(({ diff }) => diff).join('');
  return {
    summary:
      before.branch === null
        ? phrase('plan.commitReviewDetached', commit)
        : phrase('plan.commitReview', { ...commit, branch: before.branch }),
    risk: 'medium',
    riskReason: reason,
    touches: entries.map(({ path }) => ({ asked: path, path, access: 'read' })),
    notes: [phrase('note.commitReview'), ...(before.branch === null ? [phrase('note.noBranch')] : [])],
    diff: { text, ...countPatch(text), truncated: false },
    command: gitCommand(['commit', '-m', message, '--', ...entries.map(({ path }) => path)], {
      risk: 'medium',
      reason,
    }),
    basis: [
      { path: 'HEAD', print: `${before.branch ?? ''} ${before.commit ?? ''}` },
      { path: 'index', print: digestJson([...git.index]) },
      ...files.map(({ path, digest }) => ({ path, print: digest })),
    ],
  };
}
