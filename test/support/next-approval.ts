// Waits until an approval is requested.
import type { ApprovalRequest } from '@codelab/protocol';
import type { Workbench } from './workbench.ts';

export async function nextApproval(bench: Workbench, session = 's1', skip = 0): Promise<ApprovalRequest> {
  let approvalCount = 0;
  for await (const { body } of bench.log.subscribe(session, {
    since: 0,
    signal: AbortSignal.timeout(10_000),
  })) {
    if (body.type === 'approval.requested' && approvalCount++ === skip) return body.approval;
  }
  throw new Error('no approval was requested');
}
