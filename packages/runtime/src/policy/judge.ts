// The verdict on a plan: every rule that speaks about the call is heard, the strictest wins; when none speaks, kind and mode decide.
import {
  type Command,
  type CommandPart,
  highestRisk,
  type Kind,
  type Plan,
  type PolicyMode,
  type RuleEffect,
  type Verdict,
} from '@codelab/protocol';
import { changedBody } from './changed-body.ts';
import { type ActivePolicy, type LayeredRule, type RuleFacts, strictness } from './match-rule.ts';

export function judge(policy: ActivePolicy, facts: RuleFacts, plan: Plan, peerAsks: boolean): Verdict {
  const found = plan.command ? ofCommand(policy, facts, plan, plan.command) : ofCall(policy, facts, plan);
  if (!peerAsks || found.verdict !== 'allow') return found;
  return {
    ...found,
    verdict: 'ask',
    rule: 'requires-approval',
    reason: 'The caller wants a human to be asked.',
  };
}

function ofCall(policy: ActivePolicy, facts: RuleFacts, plan: Plan): Verdict {
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
function ofCommand(policy: ActivePolicy, facts: RuleFacts, plan: Plan, command: Command): Verdict {
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

/** The part changes something and is allowed by the mode alone, by no rule. */
function isByMode({ part, verdict, by }: JudgedPart): boolean {
  return verdict === 'allow' && part.verdict !== 'allow' && by === undefined;
}

/** Modes in which a human looks at what was done, not at what is to be done. */
function worksUnasked(mode: PolicyMode): boolean {
  return mode === 'review' || mode === 'trusted';
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
      if (worksUnasked(mode))
        return { verdict: 'allow', reason: `Edits inside the workspace run unasked in ${mode} mode.` };
      return { verdict: 'ask', reason: `Every change to files is asked in ${mode} mode.` };
    case 'delete':
      if (worksUnasked(mode))
        return { verdict: 'allow', reason: 'What is deleted here can be brought back.' };
      return { verdict: 'ask', reason: `Every deletion is asked in ${mode} mode.` };
    case 'execute':
      return { verdict: 'ask', reason: 'Every command, and every tool of others, is asked.' };
  }
}

/** The verdict on a command: every part is judged by itself, by the rules that name it and then by the mode; the strictest decides. */
type JudgedPart = {
  part: CommandPart;
  verdict: RuleEffect;
  reason: string;
  by: LayeredRule | undefined;
  /** Why a rule that was kept for it does not count any more. */
  changed?: string | undefined;
};

function judgeCommand({ mode, rules }: ActivePolicy, facts: RuleFacts, command: Command): JudgedPart[] {
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
function speaksOf({ rule, test }: LayeredRule, part: CommandPart, facts: RuleFacts): boolean {
  const words = part.words.join(' ');
  const isAboutCommands = rule.command !== undefined || rule.words !== undefined;
  if (rule.effect !== 'allow')
    return isAboutCommands && [words, part.text].some((command) => test({ ...facts, command, part }));
  // A rule about places says nothing about what a program does there.
  const isAboutPlaces = rule.path !== undefined || rule.access !== undefined;
  if (!isAboutCommands) return !part.isDynamic && !isAboutPlaces && test(facts);
  return part.words.length > 0 && test({ ...facts, command: part.isDynamic ? undefined : words, part });
}

// A rule that was kept for one folder and the sandbox says nothing about others, where the same words run other things.
function isHere({ rule }: LayeredRule, part: CommandPart, { confinement }: Command): boolean {
  if (rule.effect !== 'allow') return true;
  if (rule.sandboxed === true && confinement.sandbox === 'none') return false;
  return rule.cwd === undefined || rule.cwd === part.cwd;
}

function withoutRules(
  { verdict, mustAsk, sandboxHolds, reason }: CommandPart,
  mode: ActivePolicy['mode'],
  { confinement }: Command,
): { verdict: RuleEffect; reason: string } {
  if (verdict === 'deny') return { verdict, reason };
  const mayWork = worksUnasked(mode) && confinement.sandbox !== 'none';
  if (mustAsk && !(mayWork && sandboxHolds === true)) return { verdict: 'ask', reason };
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
  if (mayWork) return { verdict: 'allow', reason: `Held in the sandbox, without network. ${reason}` };
  return { verdict: 'ask', reason };
}

// In the sandbox there is no network unless somebody gives it; outside nothing keeps a command from it.
function isGranting({ confinement }: Pick<Command, 'confinement'>): boolean {
  return confinement.sandbox !== 'none' && confinement.network;
}
