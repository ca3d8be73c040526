// A review from the list of files to the end: hunk by hunk, then discard, send comments to the agent, commit, or discard everything.
import { countFiles, reviewMessage, visibleLine } from '@codelab/protocol';
import { countOf } from '../output/units.ts';
import { openEditorDraft } from '../terminal/editor-draft.ts';
import { printNotice, type Tty } from '../terminal/open-terminal.ts';
import { select } from '../terminal/select.ts';
import { askHunks, firstUnviewed, type ReviewContext } from './review-screen.ts';
import type { ReviewSource, SentComments } from './review-source.ts';
import { type ReviewProgress, resumeReview, reviewDraft, unviewedIn } from './review-state.ts';
import { chooseReviewAction, type ReviewAction } from './review-summary.ts';
import { discardLines, fileLines, lossLines, reviewTitle } from './review-text.ts';

type Options = {
  terminal: Tty;
  source: ReviewSource;
  /** Null for the whole session. */
  turn: number | null;
  signal: AbortSignal;
};

/** The caller sends `comments` to the agent. */
export type ReviewOutcome = { comments?: SentComments };

export async function reviewChanges(options: Options): Promise<ReviewOutcome> {
  const { terminal, source, turn, signal } = options;
  const save = (state: ReviewProgress): void => source.save(turn, reviewDraft(state), unviewedIn(state));
  const reviewing: ReviewContext = { terminal, signal, save };
  let state = resumeReview(await source.get(turn));
  if (state.found.files.length === 0) {
    const setting = { paint: terminal.paint, columns: terminal.size().columns };
    for (const line of [nothingChanged(turn), ...lossLines(state.found.losses, setting)])
      printNotice(terminal, line);
    return {};
  }
  showFiles(terminal, state);
  for (let start = firstUnviewed(state) ?? state.picks.items.length; ; start = 0) {
    const step = await askHunks(reviewing, state, start);
    ({ state } = step);
    if (step.isLeft) return leave(terminal, turn);
    const ended = await end(options, state, await chooseReviewAction(reviewing, state));
    if (ended.isDone) return ended.reviewed;
    ({ state } = ended);
    showFiles(terminal, state);
  }
}

export function nothingChanged(turn: number | null): string {
  return turn === null ? 'This session has no changes in place.' : `Turn ${turn} has no changes in place.`;
}

type Ended = { isDone: true; reviewed: ReviewOutcome } | { isDone: false; state: ReviewProgress };

async function end(
  options: Options,
  state: ReviewProgress,
  action: ReviewAction | undefined,
): Promise<Ended> {
  const { terminal, source, turn } = options;
  const ended = (reviewed: ReviewOutcome = {}): Ended => ({ isDone: true, reviewed });
  switch (action) {
    case 'back':
      return { isDone: false, state };
    case 'keep':
      return ended();
    case 'discard': {
      await applyPicks(options, state);
      return ended();
    }
    case 'send': {
      // The message quotes the lines as they were commented on, including lines that are discarded now.
      const message = reviewMessage(state.comments, state.found.files);
      const after = await applyPicks(options, state);
      const clear = (): void => source.save(turn, reviewDraft({ ...after, comments: [] }));
      return ended({ comments: { message, clear } });
    }
    case 'commit': {
      const after = await applyPicks(options, state);
      return (await commit(options, after)) ? ended() : { isDone: false, state: after };
    }
    case 'all': {
      if (!(await isSure(options, state))) return { isDone: false, state };
      printLines(terminal, discardLines(await source.discard({ turn, all: true }), terminal));
      return ended();
    }
    case undefined:
      return ended(leave(terminal, turn));
  }
}

function showFiles({ output, paint, size }: Tty, state: ReviewProgress): void {
  const columns = size().columns - 3;
  const losses = lossLines(state.found.losses, { paint, columns }).map((line) => `  ${line}`);
  const lines = [
    ...['', `  ${reviewTitle(state, { paint })}`, ...losses, ''],
    ...fileLines(state, { paint, columns }),
  ];
  output.write(`${lines.join('\n')}\n`);
}

function leave(terminal: Tty, turn: number | null): ReviewOutcome {
  const commandLine =
    turn === null
      ? '/review all, or `codelab review`'
      : `/review ${turn}, or \`codelab review --turn ${turn}\``;
  printNotice(terminal, `Saved. To go on: ${commandLine}`);
  return {};
}

function printLines({ output }: Tty, lines: readonly string[]): void {
  output.write(lines.map((line) => `  ${line}\n`).join(''));
}

/** Discards the picked hunks and returns the review as it then is; viewed files stay viewed. */
async function applyPicks(options: Options, state: ReviewProgress): Promise<ReviewProgress> {
  const { source, turn, terminal } = options;
  const { discard: hunks, edits } = reviewDraft(state);
  if (hunks.length === 0 && edits.length === 0) return state;
  printLines(terminal, discardLines(await source.discard({ turn, hunks, edits }), terminal));
  const loaded = await source.get(turn);
  const after: ReviewProgress = { ...resumeReview(loaded), viewed: state.viewed, comments: state.comments };
  source.save(turn, reviewDraft(after));
  return after;
}

async function isSure({ terminal, signal }: Options, { found }: ReviewProgress): Promise<boolean> {
  printNotice(
    terminal,
    `All changes to ${countOf(countFiles(found.files), 'file')} are discarded. This can be undone.`,
  );
  const choices = [
    { key: 'y', label: 'Discard all', value: true },
    { key: 'n', label: 'Back', value: false },
  ];
  return (await select(terminal, { choices, footer: () => 'A letter, then Enter', signal })) ?? false;
}

/** Whether the changes were committed. */
async function commit(
  { terminal, source, turn, signal }: Options,
  { found }: ReviewProgress,
): Promise<boolean> {
  if (found.commit === null || found.commit.paths.length === 0) {
    printNotice(terminal, 'There is nothing to commit any more.');
    return false;
  }
  const { output, paint } = terminal;
  let { message } = found.commit;
  for (;;) {
    output.write(
      `\n${message
        .split('\n')
        .map((line) => `  ${paint('bold', visibleLine(line))}`)
        .join('\n')}\n\n`,
    );
    const choices = [
      {
        key: 'y',
        label: 'Commit',
        hint: `${countOf(found.commit.paths.length, 'file')} with this message`,
        value: 'yes',
      },
      { key: 'e', label: 'Edit the message', value: 'edit' },
      { key: 'b', label: 'Back', value: 'back' },
    ] as const;
    const answer = await select(terminal, { choices, footer: () => 'A letter, then Enter', signal });
    if (answer === 'edit') message = (await editMessage(terminal, message)) || message;
    else if (answer === 'yes') break;
    else return false;
  }
  const { hash, files_committed: files } = await source.commit({ message, turn });
  output.write(
    `  ${paint('green', '✔')} Committed ${files} ${files === 1 ? 'file' : 'files'} as ${hash.slice(0, 10)}\n`,
  );
  return true;
}

async function editMessage(terminal: Tty, message: string): Promise<string> {
  using draft = openEditorDraft(terminal, {
    name: 'COMMIT_EDITMSG',
    text: `${message}\n\n# Lines starting with # are removed. An empty message keeps the old one.\n`,
  });
  const text = await draft.edit();
  const lines = text.split('\n').filter((line) => !line.startsWith('#'));
  return lines.join('\n').trim();
}
