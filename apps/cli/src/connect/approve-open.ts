// The gateway's human has said yes, and that counts here: what is being asked about here is answered by it.
import '../shared.ts';
import { type ApprovalRequest, ToolError } from '@codelab/protocol';
import { answerApproval, pendingApprovals } from '@codelab/runtime';
import type { ExecutorOptions } from './executor-options.ts';
import type { Job } from './job.ts';

export async function approveOpen(options: ExecutorOptions, job: Job): Promise<void> {
  const live = await options.host.session(options.session());
  const open = pendingApprovals(live).find(({ callId }) => callId === job.localId);
  if (open !== undefined && isCovered(open)) await approve(options, open);
}

/** What has changed since it was approved, and what wants another answer than yes, was not approved by it. */
export function isCovered({ again, plan }: ApprovalRequest): boolean {
  return again === undefined && plan.question === undefined;
}

export async function approve({ host }: ExecutorOptions, approval: ApprovalRequest): Promise<void> {
  const { session, id: approvalId } = approval;
  const by = { who: 'gateway', via: '--trust-gateway' };
  try {
    await answerApproval(host, { session, approvalId, decision: { kind: 'approve' }, by });
  } catch (error) {
    // Whoever was first has decided.
    if (!(error instanceof ToolError && error.code === 'ALREADY_DECIDED')) throw error;
  }
}
