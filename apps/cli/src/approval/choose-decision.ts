// The menu of an approval. Each choice may need one more answer; Escape there leads back here.
import type { Decision } from '@codelab/protocol';
import { proposeRule } from '@codelab/runtime';
import { hunkChooser } from '../review/hunk-chooser.ts';
import { askLine } from '../terminal/ask-line.ts';
import { type Choice, select } from '../terminal/select.ts';
import type { Asking } from './asking.ts';
import { chooseRule } from './choose-rule.ts';
import { editArguments } from './edit-arguments.ts';
import { timeLeft } from './time-left.ts';

type Next = (asking: Asking) => Promise<Decision | undefined>;

export async function chooseDecision(asking: Asking): Promise<Decision> {
  const { terminal, approval, signal } = asking;
  for (;;) {
    const next = await select<Next>(terminal, {
      choices: choicesFor(asking),
      footer: () => `${timeLeft(approval)} · ↑↓ or a letter, then Enter · Ctrl-C cancels the call`,
      signal,
    });
    const decision = await next?.(asking);
    if (decision !== undefined) return decision;
  }
}

function choicesFor(asking: Asking): Choice<Next>[] {
  const { approval } = asking;
  const chooseHunks = hunkChooser(asking);
  // An allowing rule only ever speaks where no other rule does: the strictest wins.
  const canRemember =
    approval.verdict.rule.startsWith('default:') && proposeRule('allow', approval) !== undefined;
  return [
    { key: 'a', label: 'Approve', hint: 'run it as shown', value: async () => ({ kind: 'approve' }) },
    { key: 'e', label: 'Edit…', hint: 'change the arguments, then run it', value: editArguments },
    ...(chooseHunks === undefined
      ? []
      : [{ key: 'h', label: 'Hunks…', hint: 'look at them one by one, take only some', value: chooseHunks }]),
    { key: 'r', label: 'Reject…', hint: 'and say why, if you like', value: reject },
    ...(canRemember
      ? [
          {
            key: 'w',
            label: 'Always…',
            hint: 'approve, and remember a rule for next time',
            value: chooseRule,
          },
        ]
      : []),
  ];
}

async function reject({ terminal, signal }: Asking): Promise<Decision | undefined> {
  const feedback = await askLine(terminal, { prompt: '  Why? (Enter: no reason · Esc: back) ', signal });
  if (feedback === undefined) return undefined;
  return feedback.trim() === '' ? { kind: 'reject' } : { kind: 'reject', feedback: feedback.trim() };
}
