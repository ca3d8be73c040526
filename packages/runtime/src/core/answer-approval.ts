// A human's decision, recorded with what it asks to be remembered.
import {
  type ApprovalRequest,
  type DecidedBy,
  type Decision,
  type EventBody,
  type Remember,
  type Rule,
  ToolError,
} from '@codelab/protocol';
import { isNoWider } from '../policy/is-no-wider.ts';
import { proposeRule } from '../policy/propose-rule.ts';
import { proveRule } from '../policy/prove-rule.ts';
import { decide, pendingApprovals } from './approvals.ts';
import type { Host } from './host.ts';

export async function answerApproval(
  host: Host,
  given: {
    session: string;
    approvalId: string;
    decision: Decision;
    by: DecidedBy;
    also?: readonly EventBody[];
  },
): Promise<void> {
  const session = await host.session(given.session);
  await session.catchUp();
  const approval = pendingApprovals(session).find((one) => one.id === given.approvalId);
  const kept = approval && rememberedRule(approval, given.decision);
  const also: EventBody[] = [...(given.also ?? [])];
  if (kept?.scope === 'session') also.push({ type: 'rule.remembered', rule: kept.rule, by: given.by });
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
  const proposed = proposeRule(effect, approval, remember.widen);
  if (proposed === undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'No rule can allow this command for good: a human is asked about it each time. Approve it once.',
    );
  const { rule = proposed } = remember;
  // Who decides was shown one call. A rule that reaches further is made by hand, where it is seen for what it is.
  if (!isNoWider(rule, proposed))
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `The rule to remember must be the one that was proposed, or a narrower one that says ${effect}. \`codelab policy add\` makes others.`,
      { field: 'remember.rule' },
    );
  // Before anything is decided: one whose examples lie would stand in the way of every later call.
  proveRule(rule);
  return { scope: remember.scope, rule };
}
