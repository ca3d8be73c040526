// Puts a question to the client's user while others may answer it, too: the first answer counts, and the losing question is taken away.
import { type ApprovalRequest, type DecidedBy, ToolError } from '@codelab/protocol';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { SharedSession } from '../../sessions/gateway.ts';
import { approvalForm, readAnswer } from './approval-form.ts';

type How = {
  ctx: Pick<ServerContext, 'mcpReq'>;
  by: DecidedBy;
  settled: AbortSignal;
  /** For a client that does not answer: says where else it can be decided. */
  tellWay(approval: ApprovalRequest): Promise<void>;
};

// The deadline is kept by the call itself.
const afterDeadlineMs = 5000;

export async function askClient(
  session: SharedSession,
  approval: ApprovalRequest,
  { ctx, by, settled, tellWay }: How,
): Promise<void> {
  const timeout = Math.max(0, approval.deadline - Date.now()) + afterDeadlineMs;
  const params = { mode: 'form', ...approvalForm(approval) };
  const options = { signal: settled, timeout };
  // Clients made with the first SDK can't take away the question with the id 0, so that it is given to something else.
  ctx.mcpReq.send({ method: 'ping' }, options).catch(() => undefined);
  const answer = await ctx.mcpReq
    .send({ method: 'elicitation/create', params }, options)
    .catch(() => undefined);
  if (settled.aborted) return;
  if (answer === undefined) return await tellWay(approval);
  const decision = readAnswer(approval, answer);
  await session.decide({ approvalId: approval.id, decision, by }).catch((error: unknown) => {
    // Somebody was first, or the time is over.
    if (!(error instanceof ToolError)) throw error;
  });
}
