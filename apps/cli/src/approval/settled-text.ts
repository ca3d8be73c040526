// How an approval ended that was not decided here.
import { type ApprovalRequest, type SessionLog, visibleLine } from '@codelab/protocol';

export async function settledText(log: SessionLog, { id, session }: ApprovalRequest): Promise<string> {
  for (const { body } of (await log.read(session)).reverse()) {
    if (body.type === 'approval.decided' && body.approvalId === id)
      return `■ Decided elsewhere: ${body.decision.kind} by ${visibleLine(body.by.who)} via ${visibleLine(body.by.via)}`;
    if (body.type === 'approval.expired' && body.approvalId === id)
      return '■ Time is up: it counts as a rejection';
  }
  return '■ The call has ended';
}
