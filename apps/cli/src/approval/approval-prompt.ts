// One approval that is shown at this terminal.
import type { ApprovalRequest } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import type { Tty } from '../terminal/open-terminal.ts';
import { select } from '../terminal/select.ts';

export type PromptContext = {
  host: Host;
  terminal: Tty;
  signal: AbortSignal;
  /** Whether the session ends with this call, so that no rule can be remembered for it. */
  isOneOff: boolean;
  interrupt(): void;
  /** Called with the unsent text when the question is over. */
  keepText?(text: string): void;
  /** Takes a command of the chat that was typed here, to run it later. */
  later?(text: string): void;
};

/** The chat's additions to the prompt. */
export type ChatPromptContext = Pick<PromptContext, 'signal' | 'interrupt' | 'keepText' | 'later'>;

export type ApprovalPrompt = PromptContext & { approval: ApprovalRequest };

// The remaining time of a decision, for the line below a menu.

/** Empty when the approval has no deadline. */
export function timeLeft({ deadline }: ApprovalRequest): string {
  if (deadline === undefined) return '';
  const seconds = Math.max(0, Math.round((deadline - Date.now()) / 1000));
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return `expires in ${clock}`;
}

/** After an edit that can't be used: open the editor again, or drop the edit. */
export async function askRetry({ terminal, approval, signal }: ApprovalPrompt): Promise<boolean> {
  const choices = [
    { key: 'e', label: 'Edit again', value: true },
    { key: 'b', label: 'Back', hint: 'discard the edit', value: false },
  ];
  return (await select(terminal, { choices, footer: () => timeLeft(approval), signal })) ?? false;
}
