// Nobody sits here: the demo shows what a human would see, says that it decides by itself, and approves.
import type { ApprovalRequest } from '@codelab/protocol';
import { answerApproval, type Host } from '@codelab/runtime';
import { approvalText } from '../approval/approval-text.ts';
import type { Paint } from '../output/paint.ts';
import { writeText } from '../output/write-text.ts';

export async function decideAlone(host: Host, approval: ApprovalRequest, paint: Paint): Promise<void> {
  const lines = approvalText(approval, { columns: 100, paint });
  const remark = paint('yellow', '✔ Approved by the demo itself: there is no terminal here to ask you in.');
  writeText(1, `\n${lines.join('\n')}\n\n${remark}\n`);
  await answerApproval(host, {
    session: approval.session,
    approvalId: approval.id,
    decision: { kind: 'approve' },
    by: { who: 'codelab demo', via: 'script' },
  });
}
