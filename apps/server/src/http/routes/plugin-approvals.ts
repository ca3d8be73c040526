// A human's decision over the plugin's REST: by the approval's id or by the call's, in the long form or the short one.
import { findDialect } from '@codelab/dialects';
import { type Decision, ToolError } from '@codelab/protocol';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { readInput } from '../../edge/read-input.ts';
import type { Peer } from '../../sessions/gateway.ts';
import type { CallFinder, FoundCall } from '../plugin/find-call.ts';
import { project } from '../plugin/plugin-scope.ts';

const Approval = () =>
  z.looseObject({
    decision: z.optional(z.string()),
    modified_args: z.optional(z.record(z.string(), z.unknown())),
    session_id: z.optional(z.string()),
  });

const Rejection = () =>
  z.looseObject({
    reason: z.nullish(z.string()),
    /** When no human said no: nobody answered the client in time, or it does not show such a request. */
    cause: z.optional(z.enum(['timeout', 'invalid'])),
    session_id: z.optional(z.string()),
  });

type ById = { Params: { id: string } };

export function pluginApprovalRoutes(scope: FastifyInstance, calls: CallFinder): void {
  const approving = { summary: 'Approves a call, or what a human made of it', body: Approval };
  const rejecting = { summary: 'Refuses a call', body: Rejection };
  for (const base of [
    `${project}/approvals/:id`,
    '/my/approvals/:id',
    '/tools/:id',
    `${project}/tools/:id`,
  ]) {
    for (const verb of ['approve', 'confirm'])
      scope.post<ById>(
        `${base}/${verb}`,
        { config: { about: approving } },
        async ({ params, body, peer }) => {
          const { session_id, ...said } = readInput(Approval(), body);
          const word = said.modified_args === undefined ? 'approve' : 'edit';
          const found = await calls.find(params.id, peer, session_id);
          const decision = said.decision ?? word;
          return await decide(found, { ...said, decision }, peer, ['approve', 'edit', 'hunks', 'answer']);
        },
      );
    scope.post<ById>(`${base}/reject`, { config: { about: rejecting } }, async ({ params, body, peer }) => {
      const { session_id, ...said } = readInput(Rejection(), body);
      const found = await calls.find(params.id, peer, session_id);
      return await decide(found, { ...said, decision: 'reject' }, peer, ['reject']);
    });
  }
}

/** `may` are the decisions that the address stands for: what it says and what the body says must not differ. */
async function decide(
  { session, entry }: FoundCall,
  said: Record<string, unknown>,
  by: Peer,
  may: readonly Decision['kind'][],
): Promise<object> {
  if (by.page !== undefined)
    throw new ToolError('PERMISSION_DENIED', 'A page decides at `/api/v1/sessions/{id}/decisions`.');
  const { state, approvalId } = entry;
  if (approvalId === undefined)
    throw new ToolError(
      'APPROVAL_NOT_FOUND',
      'Nobody was asked about this call, so there is nothing to decide.',
    );
  refuseSettled(entry);
  const plugin = findDialect('plugin');
  const message = plugin.decode({ ...said, type: 'tool.approval_decision', tool_id: state.call.id });
  if (message.type !== 'decision' || !may.includes(message.decision.kind))
    throw new ToolError('INVALID_ARGUMENTS', '`decision` says something else than the address.', {
      field: 'decision',
    });
  const asked = plugin.spell(state.call);
  const isKnown = plugin.tools.some((row) => row.tool === state.call.tool);
  const decision = isKnown ? plugin.settle(asked, message.decision) : message.decision;
  await session.decide({ approvalId, decision, by: { who: by.subject, via: by.via } });
  const status = decision.kind === 'reject' ? 'rejected' : 'approved';
  return { success: true, approval_id: approvalId, tool_id: state.call.id, status };
}

function refuseSettled({ state }: FoundCall['entry']): void {
  if (state.state === 'awaiting_approval') return;
  if (state.state === 'expired')
    throw new ToolError('APPROVAL_EXPIRED', 'The time for this decision is over; it counts as a rejection.');
  throw new ToolError('ALREADY_DECIDED', `It was decided before; the call is ${state.state}.`);
}
