// Ways to answer approvals: not at all, by an option, by the user at this terminal, or from elsewhere. The terminal is opened only for the
// first question, since opening it costs more than most calls.
import { once } from 'node:events';
import { type ApprovalRequest, type Decision, visibleLine } from '@codelab/protocol';
import { answerApproval, expire, type Host, userName } from '@codelab/runtime';
import { type Interruption, writeText } from '../command-line/process.ts';
import { timeOfDay } from '../output/units.ts';

type Options = {
  host: Host;
  /** `ask`, `never` or `all`; undefined chooses by the terminal. */
  how: string | undefined;
  /** Whether the session ends with this call, so that no rule can be remembered for it. */
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
    await Promise.all(approvals.map((approval) => waitForOthers(approval, signal)));
  };
}

const nobodyAsked =
  'This call needs approval and this run cannot ask, so it did not run. Continue without it.';

/** Gives the answer of the option to every approval. */
export async function answerUnattended(
  host: Host,
  approvals: readonly ApprovalRequest[],
  how: 'all' | 'never',
): Promise<void> {
  for (const approval of approvals) await (how === 'all' ? approveAll : rejectAll)(host, approval);
}

/** `--approve all`: the flag is the human's word. A question with other answers than yes stays unanswered. */
async function approveAll(host: Host, approval: ApprovalRequest): Promise<void> {
  const { session, id: approvalId, plan } = approval;
  const decision = decisionFor(plan.question?.actions);
  if (decision !== undefined) {
    const by = { who: userName(), via: '--approve all' };
    return answerApproval(host, { session, approvalId, decision, by });
  }
  await expire(await host.session(session), approval, nobodyAsked);
  const actions = plan.question?.actions.map(visibleLine).join(', ');
  writeText(2, `codelab: --approve all can't choose between: ${actions}. Run it in a terminal to answer.\n`);
}

function decisionFor(actions: readonly string[] | undefined): Decision | undefined {
  if (actions === undefined) return { kind: 'approve' };
  return actions.includes('approve') ? { kind: 'answer', action: 'approve' } : undefined;
}

/** `--approve never`: every approval expires immediately, and standard error says what it was about. */
async function rejectAll(host: Host, approval: ApprovalRequest): Promise<void> {
  const { tool, verdict, plan } = approval;
  await expire(await host.session(approval.session), approval, nobodyAsked);
  const why = plan.question === undefined ? `${verdict.rule}: ${verdict.reason}` : 'It asks a question.';
  writeText(
    2,
    `codelab: ${visibleLine(tool)} needs approval, and this run cannot ask (${visibleLine(why)})\n` +
      'codelab: run it in a terminal to decide yourself, or with --approve all to allow everything\n',
  );
}

/** `--approve ask` without a terminal: the approval stays pending in the log for other clients, until its deadline. */
async function waitForOthers(approval: ApprovalRequest, signal: AbortSignal): Promise<void> {
  const { id, tool, deadline } = approval;
  const until = deadline === undefined ? '' : ` until ${timeOfDay(deadline)}`;
  writeText(
    2,
    `codelab: there is no terminal to ask in; ${visibleLine(tool)} waits for a decision (${id})${until}\n` +
      `codelab: answer it from any terminal: codelab approvals approve ${id} (or reject)\n`,
  );
  if (!signal.aborted) await once(signal, 'abort');
}
