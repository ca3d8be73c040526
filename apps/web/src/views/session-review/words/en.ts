// Words of the review after the fact, in English. Its shape is the list of keys: a language that lacks one does not compile.
import { plural } from '../../../text/plural.ts';

export const enSessionReview = {
  name: 'Review changes',
  none: 'Nothing to review',
  noneHint: 'What the agent changes in this session is listed here, to keep or discard.',
  noneTurn: 'None of this turn’s changes are left.',
  scope: 'What to review',
  session: 'Whole session',
  turn: (turn: number) => `Turn ${turn}`,
  files: 'Changed files',
  viewedCount: (viewed: number, total: number) => `${viewed} of ${total} viewed`,
  viewed: 'Viewed',
  viewedFile: (path: string) => `Viewed: ${path}`,
  goTo: 'Go to a file',
  fold: (path: string) => `Hide the lines of ${path}`,
  unfold: (path: string) => `Show the lines of ${path}`,
  keepFile: (path: string) => `Keep all of ${path}`,
  keepHunk: (number: number) => `Keep hunk ${number}`,
  keepPart: (number: number, part: string) => `Keep part ${part} of hunk ${number}`,
  discarded: 'to discard',
  gone: 'can’t be discarded',
  uncertain: 'author unknown',
  comment: (line: number) => `Comment on line ${line}`,
  commentOn: 'Comment on line',
  commentLine: (line: number) => `Line ${line}`,
  removedLine: (line: number) => `Line ${line} (removed)`,
  commentHint: 'What should be different here?',
  commentDone: 'Done',
  commentEdit: 'Edit the comment',
  commentDelete: 'Delete the comment',
  counts: (files: number) => plural('en', files, { one: '# file', other: '# files' }),
  howToDiscard: 'Uncheck a change to discard it.',
  toDiscard: (count: number) =>
    plural('en', count, { one: '# hunk to discard', other: '# hunks to discard' }),
  edited: (count: number) => plural('en', count, { one: '# hunk edited', other: '# hunks edited' }),
  apply: (count: number) => plural('en', count, { one: 'Apply # edit', other: 'Apply # edits' }),
  before: 'Before',
  editKeep: 'Save edit',
  comments: (count: number) => plural('en', count, { one: '# comment', other: '# comments' }),
  discard: (count: number) => plural('en', count, { one: 'Discard # hunk', other: 'Discard # hunks' }),
  send: (count: number) =>
    plural('en', count, { one: 'Send # comment to the agent', other: 'Send # comments to the agent' }),
  sendFirst: 'Hunks you marked or edited are applied first.',
  sent: 'Comments sent.',
  discardAll: 'Discard all…',
  discardAllTitle: 'Discard all changes?',
  discardAllText: (files: number) =>
    plural('en', files, {
      one: '# file is restored to what it was before. You can undo this.',
      other: '# files are restored to what they were before. You can undo this.',
    }),
  discardAllDo: 'Discard all',
  done: ({ changes, paths, keptHunks }: { changes: number; paths: readonly string[]; keptHunks: number }) => {
    const where = paths.length === 1 ? paths[0] : `${paths.length} files`;
    const rest = plural('en', keptHunks, { one: ' # change kept.', other: ' # changes kept.' });
    return `Discarded ${plural('en', changes, { one: '# change', other: '# changes' })} in ${where}.${keptHunks > 0 ? rest : ''}`;
  },
  undo: 'Undo',
  undone: 'The discarded changes are restored.',
  refused: 'Not discarded:',
  commit: 'Commit…',
  commitTitle: 'Commit these changes',
  commitMessage: 'Commit message',
  commitFiles: (files: number) => plural('en', files, { one: '# file', other: '# files' }),
  commitDo: 'Commit',
  commitComments: (count: number) =>
    plural('en', count, {
      one: '# comment has not been sent yet.',
      other: '# comments have not been sent yet.',
    }),
  commitHeld: (paths: string) =>
    `Marked to be discarded, and could not be: ${paths}. Not committed until you mark it as viewed.`,
  committed: (hash: string) => `Committed as ${hash}.`,
  noCommit: 'Nothing to commit: no git repository, or git sees no change.',
  losses: 'Removed or changed for good',
  moreLosses: (count: number) => `${count} more in the conversation`,
  branches: 'Changes of other branches',
  branchHas: (title: string, files: number) =>
    plural('en', files, {
      one: `# file changed on the branch “${title}” is still in the workspace.`,
      other: `# files changed on the branch “${title}” are still in the workspace.`,
    }),
  branchReview: 'Review that branch',
  cancel: 'Cancel',
  refresh: 'Refresh',
  moreFiles: (count: number) =>
    plural('en', count, { one: '# more file is not shown.', other: '# more files are not shown.' }),
  binary: 'Binary file: there is no diff to show.',
  types: {
    text: 'text file',
    binary: 'binary file',
    file: 'file that is too large to compare',
    symlink: 'symbolic link',
    directory: 'folder',
    other: 'special file',
  },
  linkTo: (target: string) => `symbolic link to ${target}`,
  truncated: 'The diff is too long to show. You can keep or discard the whole file.',
  keys: {
    'J / K': 'next and previous hunk',
    Space: 'keep the hunk or discard it',
    D: 'discard the hunk and go on',
    F: 'keep or discard the whole file',
    V: 'mark the file as viewed',
    C: 'comment on a line',
    S: 'split the hunk',
    E: 'edit the hunk',
    U: 'unified or side by side',
    '?': 'these keys',
  },
};

export type ReviewWords = typeof enSessionReview;
