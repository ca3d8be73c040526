// A question of the agent: its text is on the screen, the human chooses one of its actions or declines.
import { type Decision, visibleLine } from '@codelab/protocol';
import { type Choice, select } from '../terminal/select.ts';
import type { Asking } from './asking.ts';
import { timeLeft } from './time-left.ts';

const keys = '123456789abcdefghijk';

export async function chooseAction({ terminal, approval, signal }: Asking): Promise<Decision> {
  const actions = approval.plan.question?.actions ?? [];
  const choices: Choice<Decision>[] = [
    ...actions.map((action, i) => ({
      key: keys.charAt(i),
      label: visibleLine(action),
      value: { kind: 'answer' as const, action },
    })),
    { key: 'x', label: 'Decline', hint: 'answer nothing', value: { kind: 'reject' } },
  ];
  for (;;) {
    const decision = await select(terminal, {
      choices,
      footer: () => `${timeLeft(approval)} · ↑↓ or a key, then Enter · Ctrl-C cancels the call`,
      signal,
    });
    if (decision !== undefined) return decision;
  }
}
