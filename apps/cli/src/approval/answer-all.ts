// `--approve all`: the flag is the human's word. A question with other answers than yes stays unanswered.
import '../shared.ts';
import { type ApprovalRequest, type Decision, visibleLine } from '@codelab/protocol';
import { answerApproval, expire, type Host } from '@codelab/runtime';
import { writeText } from '../output/write-text.ts';
import { userName } from './user-name.ts';

export async function answerAll(host: Host, approval: ApprovalRequest): Promise<void> {
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
