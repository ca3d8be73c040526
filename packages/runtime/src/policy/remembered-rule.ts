// The rule that a decision asks to remember: the proposed one, or a narrower one.
import { type ApprovalRequest, type Decision, type Remember, type Rule, ToolError } from '@codelab/protocol';
import { proveRule } from './match-rule.ts';
import { proposeBreadth } from './propose-breadth.ts';
import { isNoWider, proposeRule } from './propose-rule.ts';

export type RememberedRule = { scope: Remember['scope']; rule: Rule };

/** Undefined when the decision applies only to this call. */
export function ruleToRemember(approval: ApprovalRequest, decision: Decision): RememberedRule | undefined {
  if (decision.kind !== 'approve' && decision.kind !== 'reject') return undefined;
  const { remember } = decision;
  if (remember === undefined || remember.scope === 'once') return undefined;
  const effect = decision.kind === 'approve' ? 'allow' : 'deny';
  const proposed = proposedFor(approval, effect, remember);
  const { rule = proposed } = remember;
  // The person saw one call. A wider rule has to be written explicitly, where its reach is visible.
  if (!isNoWider(rule, proposed))
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `The rule to remember must be the one that was proposed, or a narrower one that says ${effect}. \`codelab policy add\` makes others.`,
      { field: 'remember.rule' },
    );
  // Checked before the decision is recorded: a rule with false examples would fail every later call.
  proveRule(rule);
  return { scope: remember.scope, rule };
}

function proposedFor(
  approval: ApprovalRequest,
  effect: 'allow' | 'deny',
  { breadth: asked, widen }: Remember,
): Rule {
  if (asked !== undefined && effect === 'deny')
    throw new ToolError('INVALID_ARGUMENTS', 'Only what is allowed can be remembered with a breadth.', {
      field: 'remember.breadth',
    });
  const breadth = asked ?? 'exact';
  const proposed =
    breadth === 'exact' ? proposeRule(effect, approval, widen) : proposeBreadth(breadth, approval);
  if (proposed !== undefined) return proposed;
  throw new ToolError(
    'INVALID_ARGUMENTS',
    breadth === 'exact'
      ? 'No rule can allow this command for good: a human is asked about it each time. Approve it once.'
      : `No rule of the breadth ${breadth} can allow this call. Approve it once, or with another breadth.`,
    { field: 'remember' },
  );
}
