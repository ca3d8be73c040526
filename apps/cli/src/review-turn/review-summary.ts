// The end of a review: its summary and the choice of what to do with it. No choice is preselected, so Enter alone decides nothing.
import { countOf } from '../output/units.ts';
import { type MenuChoice, select } from '../terminal/select.ts';
import type { ReviewContext } from './review-screen.ts';
import { countReview, type ReviewProgress } from './review-state.ts';

export type ReviewAction = 'discard' | 'send' | 'commit' | 'all' | 'keep' | 'back';

/** Undefined when the user leaves with Escape. */
export async function chooseReviewAction(
  { terminal, signal }: ReviewContext,
  state: ReviewProgress,
): Promise<ReviewAction | undefined> {
  const { paint, output } = terminal;
  const { files, hunks, discarded, changed, comments, committed } = countReview(state);
  const facts = [
    `${countOf(hunks, 'hunk')} in ${countOf(files, 'file')}`,
    `${hunks - discarded} kept${changed > 0 ? `, ${changed} of them in part` : ''}`,
    `${discarded} discarded`,
    ...(comments > 0 ? [countOf(comments, 'comment')] : []),
  ];
  output.write(`\n  ${paint('bold', facts.join(' · '))}\n\n`);
  const choices = actionChoices({ pending: discarded + changed, comments, committed });
  return await select<ReviewAction>(terminal, {
    choices,
    footer: () => '↑↓ or a letter, then Enter · Esc leaves; everything is saved',
    signal,
  });
}

type Counts = { pending: number; comments: number; committed: number };

function actionChoices({ pending, comments, committed }: Counts): MenuChoice<ReviewAction>[] {
  const first = pending > 0 ? `discard ${countOf(pending, 'hunk')}, then ` : '';
  return [
    ...(pending > 0
      ? [
          {
            key: 'd',
            label: 'Discard',
            hint: `${countOf(pending, 'hunk')}, keep the rest`,
            value: 'discard' as const,
          },
        ]
      : [{ key: 'k', label: 'Keep', hint: 'everything stays as it is', value: 'keep' as const }]),
    ...(comments > 0
      ? [
          {
            key: 's',
            label: 'Send',
            hint: `${first}send ${countOf(comments, 'comment')} to the agent`,
            value: 'send' as const,
          },
        ]
      : []),
    ...(committed > 0
      ? [
          {
            key: 'c',
            label: 'Commit',
            hint: `${first}commit ${countOf(committed, 'file')}`,
            value: 'commit' as const,
          },
        ]
      : []),
    { key: 'x', label: 'Discard all', hint: 'every change of this review', value: 'all' as const },
    { key: 'b', label: 'Back', hint: 'to the first hunk', value: 'back' as const },
  ];
}
