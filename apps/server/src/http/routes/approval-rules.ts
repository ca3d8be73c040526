// The rule that would remember an approval, and the earlier calls it would have decided: shown before anyone agrees to it.
import { approvalRoutes, type ProposedRule, type RuleBreadth } from '@codelab/api';
import { type ApprovalRequest, type Rule, ToolError, visibleLine } from '@codelab/protocol';
import { breadthText, pastMatches, proposeBreadths, proposeRule, ruleMatches } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import type { Gateway, Peer } from '../../sessions/gateway.ts';
import { scopesIn } from '../../sessions/session-header.ts';
import { serveRoute } from '../route.ts';
import { ownSessions } from '../work/own-sessions.ts';

const mostMatches = 100;
const explanation =
  'No rule can allow this permanently: its effect can’t be determined from the command line alone. A human is asked each time.';

export function serveApprovalRules(app: FastifyInstance, gateway: Gateway): void {
  serveRoute(app, approvalRoutes.rule, async ({ peer, params, query: { effect, widen } }) => {
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
  const { log } = gateway.host;
  const { plan, session } = approval;
  const rule = plan.question === undefined ? proposeRule(effect, approval, free) : undefined;
  const proposals = effect === 'allow' ? proposeBreadths(approval) : [];
  const breadths: RuleBreadth[] = [];
  for (const proposal of proposals)
    breadths.push({
      ...proposal,
      text: breadthText(proposal.breadth, proposal.rule),
      ...(await reachOf(gateway, by, approval, proposal.rule)),
    });
  if (rule === undefined && breadths.length === 0) return { rule: null, why: whyNot(plan) };
  const scopes = await scopesIn(log, session);
  if (rule === undefined) return { rule: null, why: whyNot(plan), scopes, breadths };
  // For a foreign tool, the arguments that can be left open.
  const openArguments = rule.args && { arguments: Object.keys(approval.args) };
  const reach = await reachOf(gateway, by, approval, rule);
  return { rule, scopes, text: ruleMatches(rule), ...openArguments, ...reach, breadths };
}

/** The earlier calls that a rule would have decided. */
async function reachOf(
  gateway: Gateway,
  by: Peer,
  { tool, session, callId }: ApprovalRequest,
  rule: Rule,
): Promise<Pick<RuleBreadth, 'matches' | 'total_matches'>> {
  const { log, workspace, rules } = gateway.host;
  const sessions = await ownSessions(gateway, by);
  const past = (await pastMatches(log, workspace.root.real, rule, rules.mode)).filter(
    (match) => sessions.has(match.session) && !(match.session === session && match.callId === callId),
  );
  const matches = past.slice(0, mostMatches).map((match) => ({
    call_id: match.callId,
    session: match.session,
    tool,
    summary: match.summary,
    time: new Date(match.at).toISOString(),
  }));
  return { matches, total_matches: past.length };
}

/** Names the parts of a command that stand in the way. */
function whyNot({ command }: ApprovalRequest['plan']): string {
  const parts = command?.parts ?? [];
  const firm = parts
    .filter(({ mustAsk }) => mustAsk)
    .map(({ text, reason }) => `${visibleLine(text)}: ${reason}`);
  const unknown = parts.flatMap(({ execution }) => execution?.unknown ?? []);
  return [explanation, ...new Set([...firm, ...unknown])].join(' ');
}

function notWaiting(id: string): ToolError {
  return new ToolError(
    'APPROVAL_NOT_FOUND',
    `No approval ${JSON.stringify(id.slice(0, 100))} is waiting in this session.`,
  );
}
