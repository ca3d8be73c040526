// Who answers: nobody, the flag, the human at this terminal, or somebody elsewhere. The terminal is looked for only when
// something is asked, since looking costs more than most calls.
import type { ApprovalRequest } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import type { Interruption } from '../tool-call/interruption.ts';

type Options = {
  host: Host;
  /** `ask`, `never`, `all`, or whatever fits. */
  how: string | undefined;
  /** Whether the session ends with this call, so that nothing can be remembered for it. */
  isOneOff: boolean;
  interruption: Interruption;
};

/** Calls of a reply that are asked together come as one list. */
type Answers = (asked: ApprovalRequest | readonly ApprovalRequest[], signal: AbortSignal) => Promise<void>;

export function approvalHandler({ host, how, isOneOff, interruption }: Options): Answers {
  return async (asked, signal) => {
    const approvals = [asked].flat();
    if (how === 'all' || how === 'never') return await answerUnattended(host, approvals, how);
    const { openTty } = await import('../terminal/open-terminal.ts');
    using terminal = openTty({ isInsisted: how === 'ask' });
    if (terminal !== undefined) {
      const { promptApprovals } = await import('./prompt-approval.ts');
      const { interrupt } = interruption;
      return await promptApprovals({ host, terminal, signal, isOneOff, interrupt }, approvals);
    }
    if (how !== 'ask') return await answerUnattended(host, approvals, 'never');
    const { waitForOthers } = await import('./unattended.ts');
    await Promise.all(approvals.map((approval) => waitForOthers(approval, signal)));
  };
}

/** As a flag says, for everything that is asked. */
export async function answerUnattended(
  host: Host,
  approvals: readonly ApprovalRequest[],
  how: 'all' | 'never',
): Promise<void> {
  const { approveAll, rejectAll } = await import('./unattended.ts');
  for (const approval of approvals) await (how === 'all' ? approveAll : rejectAll)(host, approval);
}
