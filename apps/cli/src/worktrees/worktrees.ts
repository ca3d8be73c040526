// The worktrees of this workspace as commands use them: opening them, finding the one that is meant, beginning a session in a new one.
import { firstNames, ToolError, visibleLine } from '@codelab/protocol';
import { randomId, userName } from '@codelab/runtime';
import { openProjectWorktrees, type ProjectWorktree, type ProjectWorktrees } from '@codelab/server/worktrees';
import { expandSessionId, worktreeIn } from '../audit/find-sessions.ts';
import { openLog } from '../audit/open-log.ts';
import { composeOptions, realRoot, UsageError } from '../command-line/define-command.ts';
import { writeText } from '../command-line/process.ts';
import { countOf } from '../output/units.ts';

type Given = { workspace?: string | undefined };

export async function openWorktrees({ workspace }: Given, via: string): Promise<ProjectWorktrees> {
  const root = realRoot(workspace);
  return await openProjectWorktrees(composeOptions({ workspace: root }), { who: userName(), via });
}

type Wanted = Given & {
  worktree?: string | undefined;
  session?: string | undefined;
  continue?: boolean | undefined;
};

/** A new session in a new worktree, where `--worktree` asks for one. Says where on standard error. */
export async function beginInWorktree(
  options: Wanted,
  via: string,
): Promise<{ session: string; workspace: string } | undefined> {
  const { worktree, session: typedSession } = options;
  if (worktree === undefined) return undefined;
  if (typedSession !== undefined || options.continue)
    throw new UsageError('--worktree starts a new session. Omit --session and --continue.');
  await using worktrees = await openWorktrees(options, via);
  const session = randomId();
  const { path, branch } = await worktrees.begin(session, worktree === '' ? undefined : worktree);
  writeText(2, `codelab: Working in ${visibleLine(path)} on the new branch ${visibleLine(branch)}.\n`);
  return { session, workspace: path };
}

/** The worktree of an earlier session, if it has one. */
export async function placeInWorktree(
  typedSession: string | undefined,
): Promise<{ session: string; workspace: string } | undefined> {
  if (typedSession === undefined) return undefined;
  await using log = await openLog();
  const session = await expandSessionId(log, typedSession);
  const [first] = await log.read(session, { limit: 1 });
  if (first?.body.type !== 'session.opened' || worktreeIn(first) === undefined) return undefined;
  return { session, workspace: first.body.workspace };
}

/** By a session in it (the beginning of its id is enough), by its name, or by its branch. Without a word, the only one there is. */
export function findWorktree(list: readonly ProjectWorktree[], word: string | undefined): ProjectWorktree {
  const [first, ...others] = matching(list, word);
  if (first !== undefined && others.length === 0) return first;
  const names = list.map(({ branch }) => branch).join(', ');
  if (list.length === 0)
    throw new ToolError(
      'SESSION_NOT_FOUND',
      'No session of this workspace has a worktree. `codelab chat --worktree` creates one.',
    );
  const problem =
    word === undefined
      ? 'There are several worktrees.'
      : `${first === undefined ? 'No worktree' : 'More than one worktree'} matches ${JSON.stringify(word)}.`;
  throw new ToolError('SESSION_NOT_FOUND', `${problem} Give a session or one of: ${names}.`);
}

const shortestId = 4;

function matching(list: readonly ProjectWorktree[], word: string | undefined): ProjectWorktree[] {
  if (word === undefined) return [...list];
  const onBranch = list.filter(({ branch }) => branch === word || branch === `codelab/${word}`);
  if (onBranch.length > 0) return onBranch;
  const isMeant = (id: string): boolean => id === word || (word.length >= shortestId && id.startsWith(word));
  return list.filter(({ sessions }) => sessions.some(isMeant));
}

/** The losses with a worktree, one line for each kind; empty when there are none. */
export function lossText(
  { branch, files, ignored, commits }: Loss,
  { deletesBranch }: { deletesBranch: boolean },
): string[] {
  // Commits without a branch would be lost.
  const isLosingCommits = commits.length > 0 && (deletesBranch || branch === null);
  return [
    ...(files.length > 0 ? [`${countOf(files.length, 'uncommitted file')}: ${shortList(files)}`] : []),
    ...(ignored.length > 0 ? [`${countOf(ignored.length, 'ignored file')}: ${shortList(ignored)}`] : []),
    ...(isLosingCommits ? [`${countOf(commits.length, 'unmerged commit')}: ${shortList(commits)}`] : []),
  ];
}

type Loss = Pick<NonNullable<ProjectWorktree['state']>, 'branch' | 'files' | 'ignored' | 'commits'>;

/** `clean`, `missing`, or the uncommitted and unmerged changes, and the ignored files that a drop would lose. */
export function stateText({ state }: ProjectWorktree): string {
  if (state === undefined) return 'missing';
  const { files, ignored, commits } = state;
  const parts = [
    ...(files.length > 0 ? [countOf(files.length, 'uncommitted file')] : []),
    ...(commits.length > 0 ? [countOf(commits.length, 'unmerged commit')] : []),
    ...(ignored.length > 0 ? [`ignored: ${firstNames(ignored.map(visibleLine), 3)}`] : []),
  ];
  return parts.length === 0 ? 'clean' : parts.join(', ');
}

const mostShown = 10;

function shortList(list: readonly string[]): string {
  const overflowNote = list.length > mostShown ? ` and ${list.length - mostShown} more` : '';
  return `${list.slice(0, mostShown).map(visibleLine).join(', ')}${overflowNote}`;
}
