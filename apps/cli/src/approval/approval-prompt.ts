// One approval on its way to a decision at this terminal.
import type { ApprovalRequest } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import type { Tty } from '../terminal/open-terminal.ts';
import { select } from '../terminal/select.ts';

export type PromptContext = {
  host: Host;
  terminal: Tty;
  signal: AbortSignal;
  /** Whether the session ends with this call, so that nothing can be remembered for it. */
  isOneOff: boolean;
  interrupt(): void;
  /** Given what was typed here and not sent when the question is over. */
  keepText?(text: string): void;
  /** Takes a command of the chat that was typed here, for when it can be run. */
  later?(text: string): void;
};

/** What a chat adds to the place where it asks. */
export type ChatPromptContext = Pick<PromptContext, 'signal' | 'interrupt' | 'keepText' | 'later'>;

export type ApprovalPrompt = PromptContext & { approval: ApprovalRequest };

// How long a decision may still take, for the line below a menu.

/** Empty when it waits until it is decided. */
export function timeLeft({ deadline }: ApprovalRequest): string {
  if (deadline === undefined) return '';
  const seconds = Math.max(0, Math.round((deadline - Date.now()) / 1000));
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return `expires in ${clock}`;
}

/** After an edit that can't be used: once more in the editor, or drop it. */
export async function askRetry({ terminal, approval, signal }: ApprovalPrompt): Promise<boolean> {
  const choices = [
    { key: 'e', label: 'Edit again', value: true },
    { key: 'b', label: 'Back', hint: 'discard the edit', value: false },
  ];
  return (await select(terminal, { choices, footer: () => timeLeft(approval), signal })) ?? false;
}
