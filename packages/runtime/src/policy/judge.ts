// The verdict on a plan: every rule that speaks about the call is heard, the strictest wins; when none speaks, kind and mode decide.
import {
  highestRisk,
  type Kind,
  type Plan,
  type RuleEffect,
  type RuleLayer,
  type Verdict,
} from '@codelab/protocol';
import type { CompiledRule, Facts } from './match-rule.ts';

export type PolicyMode = 'strict' | 'balanced' | 'trusted';
export type LayeredRule = CompiledRule & { layer: RuleLayer };
export type Policy = { mode: PolicyMode; rules: readonly LayeredRule[] };

const strictness: Record<RuleEffect, number> = { allow: 0, ask: 1, deny: 2 };

export function judge(policy: Policy, facts: Facts, plan: Plan, peerAsks: boolean): Verdict {
  const speaking = policy.rules.filter((one) => one.test(facts));
  const risk = highestRisk([plan.risk, ...speaking.flatMap(({ rule }) => rule.risk ?? [])]);
  const strictest = speaking.reduce<LayeredRule | undefined>(
    (best, one) => (best && strictness[best.rule.effect] >= strictness[one.rule.effect] ? best : one),
    undefined,
  );
  const parts = speaking.map(({ rule }) => ({ text: rule.id, verdict: rule.effect, reason: rule.reason }));
  const found: Verdict = strictest
    ? {
        verdict: strictest.rule.effect,
        risk,
        rule: strictest.rule.id,
        layer: strictest.layer,
        reason: strictest.rule.reason,
        parts,
      }
    : {
        ...byDefault(facts.kind, policy.mode),
        risk,
        rule: `default:${facts.kind}`,
        layer: 'built-in',
        parts,
      };
  if (!peerAsks || found.verdict !== 'allow') return found;
  return {
    ...found,
    verdict: 'ask',
    rule: 'requires-approval',
    reason: 'The caller wants a human to be asked.',
  };
}

function byDefault(kind: Kind, mode: PolicyMode): { verdict: RuleEffect; reason: string } {
  switch (kind) {
    case 'read':
    case 'search':
    case 'think':
    case 'ask':
      return { verdict: 'allow', reason: 'Reading changes nothing.' };
    case 'edit':
    case 'move':
      if (mode === 'trusted')
        return { verdict: 'allow', reason: 'Edits inside the workspace run unasked in trusted mode.' };
      return { verdict: 'ask', reason: `Every change to files is asked in ${mode} mode.` };
    case 'delete':
      return { verdict: 'ask', reason: 'Every deletion is asked.' };
    case 'execute':
      return { verdict: 'ask', reason: 'Every command is asked.' };
  }
}
