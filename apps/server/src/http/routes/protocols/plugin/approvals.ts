// A human's decision over the plugin's REST: by the approval's id or by the call's, in the long form or the short one.
import { approvalRoutes, pluginRoutes, type RouteAnswer } from '@codelab/api';
import { readPluginDecision } from '@codelab/dialects';
import { type Decision, ToolError } from '@codelab/protocol';
import type { FastifyInstance } from 'fastify';
import type { Peer } from '../../../../sessions/gateway.ts';
import type { CallFinder, CallOfSession } from '../../../plugin/find-call.ts';
import { serveRoute } from '../../../route.ts';

export function servePluginApprovals(scope: FastifyInstance, calls: CallFinder): void {
  serveRoute(scope, pluginRoutes.approve, async ({ params, body: { session_id, ...answer }, peer }) => {
    const word = answer.modified_args === undefined ? 'approve' : 'edit';
    const found = await calls.find(params.id, peer, session_id);
    const decision = answer.decision ?? word;
    return await decide(found, { ...answer, decision }, peer, ['approve', 'edit', 'hunks', 'answer']);
  });
  serveRoute(scope, pluginRoutes.reject, async ({ params, body: { session_id, ...answer }, peer }) => {
    const found = await calls.find(params.id, peer, session_id);
    return await decide(found, { ...answer, decision: 'reject' }, peer, ['reject']);
  });
}

/** `may` are the decisions that the address allows: the body must not contradict the address. */
async function decide(
  { session, entry }: CallOfSession,
  body: Record<string, unknown>,
  by: Peer,
  may: readonly Decision['kind'][],
): Promise<RouteAnswer<typeof pluginRoutes.approve>> {
  if (by.page !== undefined)
    throw new ToolError('PERMISSION_DENIED', `A page decides at \`${approvalRoutes.decide.path}\`.`);
  const { state, approvalId } = entry;
  if (approvalId === undefined)
    throw new ToolError('APPROVAL_NOT_FOUND', 'This call has no approval, so there is nothing to decide.');
  refuseSettled(entry);
  const decision = readPluginDecision(state.call, body);
  if (!may.includes(decision.kind))
    throw new ToolError('INVALID_ARGUMENTS', '`decision` does not match the URL.', {
      field: 'decision',
    });
  await session.decide({ approvalId, decision, by: { who: by.subject, via: by.via } });
  const status = decision.kind === 'reject' ? 'rejected' : 'approved';
  return { success: true, approval_id: approvalId, tool_id: state.call.id, status };
}

function refuseSettled({ state }: CallOfSession['entry']): void {
  if (state.state === 'awaiting_approval') return;
  if (state.state === 'expired')
    throw new ToolError(
      'APPROVAL_EXPIRED',
      'The time for this decision is over and nothing was run. Ask for the call again.',
    );
  throw new ToolError('ALREADY_DECIDED', `This call was decided before; it is ${state.state}.`);
}
