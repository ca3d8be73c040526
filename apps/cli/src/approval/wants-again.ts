// After an edit that can't be used: once more in the editor, or drop it.
import { select } from '../terminal/select.ts';
import type { Asking } from './asking.ts';
import { timeLeft } from './time-left.ts';

export async function wantsAgain({ terminal, approval, signal }: Asking): Promise<boolean> {
  const choices = [
    { key: 'e', label: 'Edit again', value: true },
    { key: 'b', label: 'Back', hint: 'drop the edit', value: false },
  ];
  return (await select(terminal, { choices, footer: () => timeLeft(approval), signal })) ?? false;
}
