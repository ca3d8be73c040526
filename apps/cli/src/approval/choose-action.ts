// A question of the agent: its text is on the screen, the human chooses one of its actions or declines. Of a diff that it
// shows they can take some hunks.
import { type Decision, visibleLine } from '@codelab/protocol';
import { hunkChooser } from '../review/hunk-chooser.ts';
import { type Choice, select } from '../terminal/select.ts';
import type { Asking } from './asking.ts';
import { timeLeft } from './time-left.ts';

// Without h, which stands for the hunks, and x, which declines.
const keys = '123456789abcdefgijkl';

type Next = (asking: Asking) => Promise<Decision | undefined>;

export async function chooseAction(asking: Asking): Promise<Decision> {
  const { terminal, approval, signal } = asking;
  const choices = choicesFor(asking);
  for (;;) {
    const next = await select<Next>(terminal, {
      choices,
      footer: () => `${timeLeft(approval)} · ↑↓ or a key, then Enter · Ctrl-C cancels the call`,
      signal,
    });
    const decision = await next?.(asking);
    if (decision !== undefined) return decision;
  }
}

function choicesFor(asking: Asking): Choice<Next>[] {
  const actions = asking.approval.plan.question?.actions ?? [];
  const chooseHunks = hunkChooser(asking);
  return [
    ...(chooseHunks === undefined
      ? []
      : [{ key: 'h', label: 'Hunks…', hint: 'look at them one by one, take only some', value: chooseHunks }]),
    ...actions.map((action, i) => ({
      key: keys.charAt(i),
      label: visibleLine(action),
      value: async (): Promise<Decision> => ({ kind: 'answer', action }),
    })),
    { key: 'x', label: 'Decline', hint: 'answer nothing', value: async () => ({ kind: 'reject' }) },
  ];
}
