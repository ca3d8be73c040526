// Who answers: nobody, the flag, the human at this terminal, or somebody elsewhere. The terminal is looked for only when
// something is asked, since looking costs more than most calls.
import type { Answer, Host } from '@codelab/runtime';
import type { Interruption } from '../tool-call/interruption.ts';

type Options = {
  host: Host;
  /** `ask`, `never`, `all`, or whatever fits. */
  how: string | undefined;
  /** Whether the session ends with this call, so that nothing can be remembered for it. */
  isOneOff: boolean;
  interruption: Interruption;
};

export function chooseAnswer({ host, how, isOneOff, interruption }: Options): Answer {
  return async (approval, signal) => {
    if (how === 'all') return (await import('./answer-unattended.ts')).answerAll(host, approval);
    if (how === 'never') return (await import('./answer-unattended.ts')).answerNever(host, approval);
    const { openTerminal } = await import('../terminal/open-terminal.ts');
    using terminal = openTerminal({ isInsisted: how === 'ask' });
    if (terminal !== undefined) {
      const { askHuman } = await import('./ask-human.ts');
      return await askHuman({
        host,
        approval,
        terminal,
        signal,
        isOneOff,
        interrupt: interruption.interrupt,
      });
    }
    if (how === 'ask') return (await import('./wait-elsewhere.ts')).waitElsewhere(approval, signal);
    return (await import('./answer-unattended.ts')).answerNever(host, approval);
  };
}
