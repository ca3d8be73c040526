// The verdict on a command: every part is judged by itself, by the rules that name it and then by the mode; the strictest decides.
import type { Command, CommandPart, RuleEffect } from '@codelab/protocol';
import { changedBody } from './changed-body.ts';
import type { Facts } from './match-rule.ts';
import type { LayeredRule, Policy } from './policy.ts';
import { strictness } from './strictness.ts';

export type JudgedPart = {
  part: CommandPart;
  verdict: RuleEffect;
  reason: string;
  by: LayeredRule | undefined;
  /** Why a rule that was kept for it does not count any more. */
  changed?: string | undefined;
};

export function judgeCommand({ mode, rules }: Policy, facts: Facts, command: Command): JudgedPart[] {
  return command.parts.map((part) => {
    const fitting = rules.filter((one) => speaksOf(one, part, facts) && isHere(one, part, command));
    const changes = fitting.map(({ rule }) => changedBody(rule, part));
    const speaking = fitting.filter((_one, i) => changes[i] === undefined);
    const by = speaking.reduce<LayeredRule | undefined>(
      (best, one) => (best && strictness[best.rule.effect] >= strictness[one.rule.effect] ? best : one),
      undefined,
    );
    const own = withoutRules(part, mode, command);
    // No rule loosens what a human must see or what never runs.
    const isBound = part.mustAsk || part.verdict === 'deny' || isGranting(command);
    if (by === undefined || (isBound && strictness[own.verdict] >= strictness[by.rule.effect]))
      return { part, ...own, by: undefined, changed: changes.findLast((one) => one !== undefined) };
    return { part, verdict: by.rule.effect, reason: by.rule.reason, by };
  });
}

// What is allowed is allowed for exactly these words; what is asked or denied, also for how they are written.
function speaksOf({ rule, test }: LayeredRule, part: CommandPart, facts: Facts): boolean {
  const words = part.words.join(' ');
  if (rule.effect !== 'allow')
    return rule.command !== undefined && [words, part.text].some((command) => test({ ...facts, command }));
  if (part.isDynamic) return false;
  // A rule about places says nothing about what a program does there.
  const isAboutPlaces = rule.path !== undefined || rule.access !== undefined;
  if (rule.command === undefined) return !isAboutPlaces && test(facts);
  return part.words.length > 0 && test({ ...facts, command: words });
}

// A rule that was kept for one folder and the sandbox says nothing about others, where the same words run other things.
function isHere({ rule }: LayeredRule, part: CommandPart, { confinement }: Command): boolean {
  if (rule.effect !== 'allow') return true;
  if (rule.sandboxed === true && confinement.sandbox === 'none') return false;
  return rule.cwd === undefined || rule.cwd === part.cwd;
}

function withoutRules(
  { verdict, mustAsk, reason }: CommandPart,
  mode: Policy['mode'],
  { confinement }: Command,
): { verdict: RuleEffect; reason: string } {
  if (verdict === 'deny' || mustAsk) return { verdict: verdict === 'deny' ? 'deny' : 'ask', reason };
  if (isGranting({ confinement }))
    return { verdict: 'ask', reason: `Only a human can grant the network. ${reason}` };
  if (mode === 'strict')
    return { verdict: 'ask', reason: `Every command is asked in strict mode. ${reason}` };
  if (confinement.unheld !== undefined)
    return {
      verdict: 'ask',
      reason: `It can't be held tightly enough to run unasked: ${confinement.unheld}.`,
    };
  if (verdict === 'allow') return { verdict, reason };
  if (mode === 'trusted' && confinement.sandbox !== 'none')
    return { verdict: 'allow', reason: `Held in the sandbox, without network. ${reason}` };
  return { verdict: 'ask', reason };
}

// In the sandbox there is no network unless somebody gives it; outside nothing keeps a command from it.
function isGranting({ confinement }: Pick<Command, 'confinement'>): boolean {
  return confinement.sandbox !== 'none' && confinement.network;
}
