// Some hunks of a change: reviewed one by one, counted, confirmed. Escape leads back to the menu.

import { type Decision, type DiffFile, readDiff } from '@codelab/protocol';
import { type Carry, carryDiff } from '../review/carry-diff.ts';
import type { Piece } from '../review/piece.ts';
import { reviewDecision } from '../review/review-decision.ts';
import { reviewHunks } from '../review/review-hunks.ts';
import { say } from '../terminal/say.ts';
import { select } from '../terminal/select.ts';
import type { Asking } from './asking.ts';
import { timeLeft } from './time-left.ts';

type Review = { files: DiffFile[]; total: number; carry: Carry | undefined };

/** Undefined where there is nothing to choose from: a diff that is not all there, or one hunk, to be taken or not. */
export function hunkChooser(asking: Asking): ((asking: Asking) => Promise<Decision | undefined>) | undefined {
  const { host, approval } = asking;
  const { diff, question } = approval.plan;
  if (diff === undefined || diff.truncated || diff.text === '') return undefined;
  const files = readDiff(diff.text);
  const total = files.reduce((sum, { hunks }) => sum + Math.max(1, hunks.length), 0);
  const carry = carryDiff(asking, files);
  const canNarrow = question !== undefined || host.tools.get(approval.tool)?.narrow !== undefined;
  const isChoice = total > 1 || carry !== undefined || question !== undefined;
  if (!canNarrow || !isChoice || total !== diff.hunks) return undefined;
  return (open) => chooseHunks(open, { files, total, carry });
}

async function chooseHunks(asking: Asking, review: Review): Promise<Decision | undefined> {
  const { files, carry } = review;
  const taken = await reviewHunks(asking, { files, canChange: carry !== undefined });
  if (taken === undefined || !(await isSure(asking, taken, review.total))) return undefined;
  const decision = reviewDecision(asking.approval, { files, taken, carry });
  if (decision === undefined)
    say(asking.terminal, 'The file was changed meanwhile, so these hunks no longer fit it.');
  return decision;
}

async function isSure(asking: Asking, taken: readonly Piece[], total: number): Promise<boolean> {
  const { terminal, approval, signal } = asking;
  const hunks = new Set(taken.map(({ number }) => number)).size;
  const count =
    taken.length === 0 ? 'No hunk is taken.' : `Taken, whole or in part: ${hunks} of ${total} hunks.`;
  terminal.output.write(`\n${terminal.paint('bold', `  ${count}`)}\n\n`);
  const hint = taken.length === 0 ? 'reject the call' : 'do this and leave the rest';
  const choices = [
    { key: 'y', label: 'Yes', hint, value: true },
    { key: 'n', label: 'No', hint: 'back', value: false },
  ];
  return (
    (await select(terminal, {
      choices,
      footer: () => `${timeLeft(approval)} · ↑↓ or a letter, then Enter · Esc: back`,
      signal,
    })) ?? false
  );
}
