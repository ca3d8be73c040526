// Lets the user choose some hunks of a change: reviewed one by one, counted, confirmed. Escape leads back to the menu.

import { countTaken, type Decision, type Review, reviewDecision, startReview } from '@codelab/protocol';
import { type ApprovalPrompt, timeLeft } from '../approval/approval-prompt.ts';
import { select } from '../terminal/select.ts';
import { reviewHunks } from './review-hunks.ts';

/** Undefined where there is no choice: a tool without hunks, or a diff that was cut. */
export function hunkChooser({
  host,
  approval,
}: ApprovalPrompt): ((prompt: ApprovalPrompt) => Promise<Decision | undefined>) | undefined {
  const { diff, question } = approval.plan;
  if (diff === undefined || diff.truncated || diff.text === '') return undefined;
  const canNarrow = question !== undefined || host.tools.get(approval.tool)?.narrow !== undefined;
  const review = startReview(diff.text, false);
  if (!canNarrow || review.total !== diff.hunks) return undefined;
  return (prompt) => chooseHunks(prompt, review);
}

async function chooseHunks(prompt: ApprovalPrompt, review: Review): Promise<Decision | undefined> {
  const reviewed = await reviewHunks(prompt, review);
  if (reviewed === undefined || !(await isSure(prompt, reviewed))) return undefined;
  return reviewDecision(reviewed, prompt.approval.plan);
}

async function isSure({ terminal, approval, signal }: ApprovalPrompt, review: Review): Promise<boolean> {
  const takenCount = countTaken(review);
  const count =
    takenCount === 0
      ? 'No hunks selected.'
      : `Selected, whole or in part: ${takenCount} of ${review.total} hunks.`;
  terminal.output.write(`\n${terminal.paint('bold', `  ${count}`)}\n\n`);
  const choices = [
    {
      key: 'y',
      label: 'Yes',
      hint: takenCount === 0 ? 'reject the call' : 'do this and leave the rest',
      value: true,
    },
    { key: 'n', label: 'No', hint: 'back', value: false },
  ];
  const answer = await select(terminal, {
    choices,
    footer: () => `${timeLeft(approval)} · ↑↓ or a letter, then Enter · Esc: back`,
    signal,
  });
  return answer ?? false;
}
