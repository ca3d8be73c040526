// The verdict on a plan: every rule that speaks about the call is heard, the strictest wins; when none speaks, kind and mode decide.
import {
  type Command,
  highestRisk,
  type Kind,
  type Plan,
  type RuleEffect,
  type Verdict,
} from '@codelab/protocol';
import { type JudgedPart, judgeCommand } from './judge-command.ts';
import type { Facts } from './match-rule.ts';
import type { LayeredRule, Policy, PolicyMode } from './policy.ts';
import { strictness } from './strictness.ts';

export function judge(policy: Policy, facts: Facts, plan: Plan, peerAsks: boolean): Verdict {
  const found = plan.command ? ofCommand(policy, facts, plan, plan.command) : ofCall(policy, facts, plan);
  if (!peerAsks || found.verdict !== 'allow') return found;
  return {
    ...found,
    verdict: 'ask',
    rule: 'requires-approval',
    reason: 'The caller wants a human to be asked.',
  };
}

function ofCall(policy: Policy, facts: Facts, plan: Plan): Verdict {
  const speaking = policy.rules.filter((one) => one.test(facts));
  const byMode =
    facts.caution === undefined || policy.mode === 'trusted'
      ? byDefault(facts.kind, policy.mode)
      : { verdict: 'ask' as const, reason: facts.caution };
  return sum(plan, speaking, { ...byMode, rule: `default:${facts.kind}`, layer: 'built-in' });
}

type Answer = Pick<Verdict, 'verdict' | 'reason' | 'rule' | 'layer'>;

/** The strictest rule holds; where none speaks, the answer does. */
function sum(plan: Plan, speaking: readonly LayeredRule[], answer: Answer): Verdict {
  const risk = highestRisk([plan.risk, ...speaking.flatMap(({ rule }) => rule.risk ?? [])]);
  const strictest = speaking.reduce<LayeredRule | undefined>(
    (best, one) => (best && strictness[best.rule.effect] >= strictness[one.rule.effect] ? best : one),
    undefined,
  );
  const parts = speaking.map(({ rule }) => ({ text: rule.id, verdict: rule.effect, reason: rule.reason }));
  return { ...(strictest ? answerOf(strictest) : answer), risk, parts };
}

function answerOf({ rule, layer }: LayeredRule): Answer {
  return { verdict: rule.effect, rule: rule.id, layer, reason: rule.reason };
}

// Rules about the call as a whole can only tighten what its parts come to.
function ofCommand(policy: Policy, facts: Facts, plan: Plan, command: Command): Verdict {
  const judged = judgeCommand(policy, facts, command);
  const whole = policy.rules.filter(({ rule, test }) => rule.effect !== 'allow' && test(facts));
  const worst = worstOf(judged);
  const own: Answer = {
    rule: 'default:execute',
    layer: 'built-in',
    ...(worst ?? { verdict: 'deny', reason: 'There is no command.' }),
    ...(worst?.by && answerOf(worst.by)),
  };
  const { rule, layer, verdict } = own;
  const changes = verdict === 'ask' ? judged.flatMap(({ changed }) => changed ?? []) : [];
  const reason = [...new Set(changes), own.reason].join(' ');
  const tighter = whole.filter((one) => strictness[one.rule.effect] > strictness[verdict]);
  const summed = sum(plan, tighter, { rule, layer, verdict, reason });
  const risks = [
    ...command.parts,
    ...judged.flatMap(({ by }) => by?.rule ?? []),
    ...whole.map((one) => one.rule),
  ];
  return {
    ...summed,
    ...(summed.verdict === 'allow' && isByRules(judged) && { isAllowedByRules: true as const }),
    risk: highestRisk([summed.risk, ...risks.flatMap(({ risk }) => risk ?? [])]),
    parts: [
      ...judged.map((one) => ({ text: one.part.text, verdict: one.verdict, reason: one.reason })),
      ...whole.map((one) => ({ text: one.rule.id, verdict: one.rule.effect, reason: one.rule.reason })),
    ],
  };
}

// A mode that lets commands run says nothing about this one, and neither does that it is known to change nothing.
function isByRules(judged: readonly JudgedPart[]): boolean {
  const open = judged.filter(({ part, by }) => by !== undefined || part.verdict !== 'allow');
  return open.length > 0 && open.every(({ by }) => by !== undefined && by.layer !== 'built-in');
}

// Of equally strict ones the one that people should hear about first.
function worstOf(judged: readonly JudgedPart[]): JudgedPart | undefined {
  const isWorse = (one: JudgedPart, than: JudgedPart): boolean => {
    if (one.verdict !== than.verdict) return strictness[one.verdict] > strictness[than.verdict];
    // Whether somebody has agreed to the whole line, by a rule, hangs on the part that nobody has.
    if (isByMode(one) !== isByMode(than)) return isByMode(one);
    if (one.part.mustAsk !== than.part.mustAsk) return one.part.mustAsk;
    return highestRisk([one.part.risk, than.part.risk]) !== than.part.risk;
  };
  return judged.reduce<JudgedPart | undefined>(
    (best, one) => (best && !isWorse(one, best) ? best : one),
    undefined,
  );
}

/** It changes something, and runs because of the mode alone. */
function isByMode({ part, verdict, by }: JudgedPart): boolean {
  return verdict === 'allow' && part.verdict !== 'allow' && by === undefined;
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
      return { verdict: 'ask', reason: 'Every command, and every tool of others, is asked.' };
  }
}
