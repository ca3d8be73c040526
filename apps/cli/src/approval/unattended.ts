// `--approve all` and `--approve never`: answers without a person at the terminal.
import '../shared.ts';
import { once } from 'node:events';
import { type ApprovalRequest, type Decision, visibleLine } from '@codelab/protocol';
import { answerApproval, expire, type Host } from '@codelab/runtime';
import { timeOfDay } from '../output/units.ts';
import { writeText } from '../output/write-text.ts';
import { userName } from './user-name.ts';

/** `--approve all`: the flag is the human's word. A question with other answers than yes stays unanswered. */
export async function approveAll(host: Host, approval: ApprovalRequest): Promise<void> {
  const { session, id: approvalId, plan } = approval;
  const decision = decisionFor(plan.question?.actions);
  if (decision !== undefined) {
    const by = { who: userName(), via: '--approve all' };
    return answerApproval(host, { session, approvalId, decision, by });
  }
  await expire(await host.session(session), approval);
  const actions = plan.question?.actions.map(visibleLine).join(', ');
  writeText(2, `codelab: --approve all can't choose between: ${actions}. Run it in a terminal to answer.\n`);
}

function decisionFor(actions: readonly string[] | undefined): Decision | undefined {
  if (actions === undefined) return { kind: 'approve' };
  return actions.includes('approve') ? { kind: 'answer', action: 'approve' } : undefined;
}

/** `--approve never`: what would be asked expires at once, and standard error says what it was. */
export async function rejectAll(host: Host, approval: ApprovalRequest): Promise<void> {
  const { tool, verdict, plan } = approval;
  await expire(await host.session(approval.session), approval);
  const why = plan.question === undefined ? `${verdict.rule}: ${verdict.reason}` : 'It asks a question.';
  writeText(
    2,
    `codelab: ${visibleLine(tool)} needs a human and nobody was asked (${visibleLine(why)})\n` +
      'codelab: run it in a terminal to decide yourself, or with --approve all to allow everything\n',
  );
}

/** `--approve ask` without a terminal: the question stays in the log for whoever can answer it, until its deadline. */
export async function waitForOthers(approval: ApprovalRequest, signal: AbortSignal): Promise<void> {
  const { id, tool, deadline } = approval;
  const until = deadline === undefined ? '' : ` until ${timeOfDay(deadline)}`;
  writeText(
    2,
    `codelab: there is no terminal to ask in; ${visibleLine(tool)} waits for a decision (${id})${until}\n`,
  );
  if (!signal.aborted) await once(signal, 'abort');
}
