// A human's decision, recorded with what it asks to be remembered.
import {
  type ApprovalRequest,
  type DecidedBy,
  type Decision,
  type Remember,
  type Rule,
  ToolError,
} from '@codelab/protocol';
import { decide, pendingApprovals } from './approvals.ts';
import type { Host } from './host.ts';
import { proposeRule } from './policy/propose-rule.ts';

export async function answerApproval(
  host: Host,
  given: { session: string; approvalId: string; decision: Decision; by: DecidedBy },
): Promise<void> {
  const session = await host.session(given.session);
  await session.catchUp();
  const approval = pendingApprovals(session).find((one) => one.id === given.approvalId);
  const kept = approval && rememberedRule(approval, given.decision);
  const also =
    kept?.scope === 'session' ? [{ type: 'rule.remembered' as const, rule: kept.rule, by: given.by }] : [];
  await decide(session, { ...given, also });
  if (kept?.scope === 'workspace' || kept?.scope === 'user') await host.rules.remember(kept.scope, kept.rule);
}

function rememberedRule(
  approval: ApprovalRequest,
  decision: Decision,
): { scope: Remember['scope']; rule: Rule } | undefined {
  if (decision.kind !== 'approve' && decision.kind !== 'reject') return undefined;
  const { remember } = decision;
  if (remember === undefined || remember.scope === 'once') return undefined;
  const effect = decision.kind === 'approve' ? 'allow' : 'deny';
  const rule = remember.rule ?? proposeRule(effect, approval.tool, approval.plan);
  if (rule === undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'No rule can allow this command for good: a human is asked about it each time. Approve it once.',
    );
  if (rule.effect !== effect)
    throw new ToolError('INVALID_ARGUMENTS', `The rule to remember must say ${effect}.`);
  return { scope: remember.scope, rule };
}
