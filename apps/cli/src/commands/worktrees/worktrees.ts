// `codelab worktrees`: the git worktrees of sessions: listed with their state, merged into the workspace's branch, or dropped.
import '../../shared.ts';
import { ToolError, visibleLine } from '@codelab/protocol';
import type { ProjectWorktree } from '@codelab/server/worktrees';
import { shortId } from '../../audit/find-sessions.ts';
import { commonOptions, defineCommand } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';
import { paintFor } from '../../output/paint.ts';
import { columns, cutToWidth, screenWidth } from '../../output/text-width.ts';
import { countOf } from '../../output/units.ts';
import { openTty } from '../../terminal/open-terminal.ts';
import { select } from '../../terminal/select.ts';
import { findWorktree, lossText, openWorktrees, stateText } from '../../worktrees/worktrees.ts';

const { workspace, json } = commonOptions;
const via = 'codelab worktrees';

export const worktreesList = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Lists the git worktrees of this workspace's sessions, newest first, with session, branch, state and folder.
The state is clean, missing (the folder is gone), or the number of uncommitted files and unmerged commits, and ignored files.
Dropped worktrees are not listed.`,
  options: { workspace, json },
  async run({ options }) {
    await using worktrees = await openWorktrees(options, via);
    const list = await worktrees.list();
    writeText(1, options.json ? `${JSON.stringify({ worktrees: list.map(jsonOf) })}\n` : listText(list));
    return 0;
  },
});

function jsonOf({ sessions, path, branch, mergedInto, state }: ProjectWorktree): object {
  return {
    ...{ session: sessions[0], sessions, path, branch, merged_into: mergedInto ?? null },
    state: state === undefined ? 'missing' : 'present',
    files: state?.files ?? [],
    ignored: state?.ignored ?? [],
    commits: state?.commits ?? [],
  };
}

function listText(list: readonly ProjectWorktree[]): string {
  if (list.length === 0)
    return 'No session of this workspace has a worktree. `codelab chat --worktree` creates one.\n';
  const paint = paintFor(1);
  const ids = list.flatMap(({ sessions }) => sessions.map((id) => ({ id })));
  const rows = list.map((worktree) => [
    paint('bold', shortId(worktree.sessions[0] ?? '', ids)),
    visibleLine(worktree.branch),
    worktree.state === undefined ? paint('yellow', 'missing') : stateText(worktree),
    visibleLine(worktree.path),
  ]);
  const head = ['SESSION', 'BRANCH', 'STATE', 'FOLDER'].map((text) => paint('dim', text));
  const width = screenWidth();
  return `${columns([head, ...rows])
    .map((line) => cutToWidth(line, width))
    .join('\n')}\n`;
}

export const worktreesMerge = defineCommand({
  words: '[SESSION]',
  takes: { min: 0, max: 1 },
  about: `Merges the branch of a session's worktree into the branch that the workspace has checked out, as git merge does.
SESSION is a session, the worktree's name or its branch; you can omit it if there is only one worktree.
On conflicts nothing is changed, and the conflicting files are listed. The worktree stays, and can be merged again.`,
  options: {
    message: {
      type: 'string',
      value: 'TEXT',
      summary: 'commit uncommitted files in the worktree first, with this message',
    },
    workspace,
    json,
  },
  examples: ['codelab worktrees merge login', 'codelab worktrees merge 3f2a --message "Add the login form"'],
  async run({ words: [word], options }) {
    await using worktrees = await openWorktrees(options, via);
    const { sessions, state } = findWorktree(await worktrees.list(), word);
    if (state !== undefined && state.files.length > 0 && options.message === undefined)
      throw new ToolError(
        'GIT_ERROR',
        `Not merged: ${lossText({ ...state, ignored: [] }, { deletesBranch: false }).join('')}. Commit there first, or give --message TEXT to commit all of it.`,
      );
    const merged = await worktrees.merge(sessions[0] ?? '', {
      message: options.message,
      into: state?.into ?? undefined,
    });
    const { branch, into, before, commit, commits } = merged;
    const isChanged = before !== commit;
    const text = isChanged
      ? `Merged ${branch} into ${into}: ${countOf(commits, 'commit')}, now at ${commit.slice(0, 8)}.`
      : `${into} already has all commits of ${branch}.`;
    writeText(1, options.json ? `${JSON.stringify(merged)}\n` : `${visibleLine(text)}\n`);
    return 0;
  },
});

export const worktreesDrop = defineCommand({
  words: '[SESSION]',
  takes: { min: 0, max: 1 },
  about: `Removes the folder of a session's worktree, or takes one whose folder is gone off the list. The branch stays unless you delete it as well; the session stays readable.
SESSION is a session, the worktree's name or its branch; you can omit it if there is only one worktree.
When uncommitted or ignored files (except files that tools recreate), or with --delete-branch unmerged commits, would be lost, they are listed: at a terminal you are asked;
without one, nothing is dropped unless you pass --force.`,
  options: {
    'delete-branch': { type: 'boolean', summary: 'delete the branch as well' },
    force: { type: 'boolean', summary: 'remove the worktree even if work is lost' },
    workspace,
    json,
  },
  examples: ['codelab worktrees drop login', 'codelab worktrees drop login --delete-branch --force'],
  async run({ words: [word], options }) {
    const deletesBranch = options['delete-branch'] === true;
    await using worktrees = await openWorktrees(options, via);
    const { sessions, branch, state } = findWorktree(await worktrees.list(), word);
    const loss = state === undefined ? [] : lossText(state, { deletesBranch });
    if (loss.length > 0 && !options.force && !(await agreesToLose(branch, loss))) {
      writeText(2, 'codelab: Nothing was dropped.\n');
      return 1;
    }
    const dropped = await worktrees.drop(sessions[0] ?? '', { print: state?.print, deletesBranch });
    const { isBranchDeleted, files, commits } = dropped;
    const branchNote = isBranchDeleted ? 'Its branch is deleted.' : 'Its branch stays.';
    const result = { branch: dropped.branch, branch_deleted: isBranchDeleted, files, commits };
    const text = `Dropped the worktree of ${visibleLine(branch)}. ${branchNote}\n`;
    writeText(1, options.json ? `${JSON.stringify(result)}\n` : text);
    return 0;
  },
});

/** Without a terminal this is an error that lists the losses. */
async function agreesToLose(branch: string, loss: readonly string[]): Promise<boolean> {
  const text = `Dropping the worktree of ${visibleLine(branch)} loses ${loss.join('; ')}.`;
  using terminal = openTty({ isInsisted: false });
  if (terminal === undefined)
    throw new ToolError('STALE', `${text} --force drops it.`, { reason: 'worktree_loss' });
  terminal.output.write(`${terminal.paint('yellow', text)}\n`);
  const answer = await select(terminal, {
    choices: [
      { key: 'k', label: 'Keep the worktree', value: false },
      { key: 'd', label: 'Drop it', hint: 'what is named above is lost', value: true },
    ],
    footer: () => '↑↓ or a letter, then Enter',
    signal: new AbortController().signal,
  });
  return answer === true;
}
