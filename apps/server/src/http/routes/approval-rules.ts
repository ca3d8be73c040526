// The rule by which an approval would be remembered, and which earlier calls it would have decided: shown before anybody agrees to it.
import { approvalRoutes, type ProposedRule } from '@codelab/api';
import { type ApprovalRequest, ToolError } from '@codelab/protocol';
import { pastMatches, proposeRule, ruleMatches } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import type { Gateway, Peer } from '../../sessions/gateway.ts';
import { scopesIn } from '../../sessions/shared-session.ts';
import { route } from '../route.ts';
import { ownSessions } from '../work/own-sessions.ts';

const mostMatches = 100;
const why =
  'No rule can allow this for good: what it does can’t be told from its words alone. A human is asked each time.';

export function serveApprovalRules(app: FastifyInstance, gateway: Gateway): void {
  route(app, approvalRoutes.rule, async ({ peer, params, query: { effect, widen } }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    const approval = (await session.pending()).find(({ id }) => id === params.approval);
    if (approval === undefined) throw notWaiting(params.approval);
    const free = widen === undefined || widen === '' ? [] : widen.split(',');
    return await ruleFor(gateway, peer, approval, { effect, free });
  });
}

async function ruleFor(
  gateway: Gateway,
  by: Peer,
  approval: ApprovalRequest,
  { effect, free }: { effect: 'allow' | 'deny'; free: readonly string[] },
): Promise<ProposedRule> {
  const { log, workspace } = gateway.host;
  const { tool, plan, session, callId } = approval;
  const rule = plan.question === undefined ? proposeRule(effect, approval, free) : undefined;
  if (rule === undefined) return { rule: null, why: whyNot(plan) };
  const own = await ownSessions(gateway, by);
  const past = (await pastMatches(log, workspace.root.real, rule)).filter(
    (one) => own.has(one.session) && !(one.session === session && one.callId === callId),
  );
  const matches = past.slice(0, mostMatches).map((one) => ({
    call_id: one.callId,
    session: one.session,
    tool,
    summary: one.summary,
    time: new Date(one.at).toISOString(),
  }));
  const scopes = await scopesIn(log, session);
  // Of a tool of others, whose arguments can be left free.
  const given = rule.args && { arguments: Object.keys(approval.args) };
  return {
    rule,
    scopes,
    text: ruleMatches(rule),
    ...given,
    matches,
    total_matches: past.length,
  };
}

function whyNot({ command }: ApprovalRequest['plan']): string {
  const unknown = command?.parts.flatMap(({ execution }) => execution?.unknown ?? []) ?? [];
  return [why, ...new Set(unknown)].join(' ');
}

function notWaiting(id: string): ToolError {
  return new ToolError(
    'APPROVAL_NOT_FOUND',
    `No approval ${JSON.stringify(id.slice(0, 100))} is waiting in this session.`,
  );
}
