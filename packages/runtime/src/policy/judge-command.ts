// The verdict on a command: each part is judged by the rules that name it and then by the mode; the strictest result decides.
import {
  because,
  type Command,
  type CommandPart,
  englishText,
  highestRisk,
  type Phrase,
  type Plan,
  phrase,
  phraseOf,
  reasonPhrases,
  type Verdict,
} from '@codelab/protocol';
import { distinct } from '../platform/digest.ts';
import { changedBody } from './changed-body.ts';
import {
  type ActivePolicy,
  effectOf,
  type LayeredRule,
  partOfRule,
  type ReasonedVerdict,
  type RuleFacts,
  type RuleVerdict,
  reasoned,
  strictestVerdict,
  strictness,
  verdictOfRule,
  worksUnasked,
} from './match-rule.ts';

/** Rules about the whole call can only make the verdict on its parts stricter. */
export function judgeCommand(policy: ActivePolicy, facts: RuleFacts, plan: Plan, command: Command): Verdict {
  const judged = judgeParts(policy, facts, command);
  const whole = policy.rules.filter(({ rule, test }) => rule.effect !== 'allow' && test(facts));
  const worst = worstOf(judged);
  const partsAnswer: RuleVerdict = {
    rule: 'default:execute',
    layer: 'built-in',
    ...(worst === undefined ? reasoned('deny', phrase('mode.noCommand')) : judgedOf(worst)),
    ...(worst?.by && verdictOfRule(worst.by)),
  };
  const { rule, layer, verdict } = partsAnswer;
  const changes = verdict === 'ask' ? judged.flatMap(({ changed }) => (changed ? [changed] : [])) : [];
  const reason = because([...distinct(changes).flat(), ...reasonPhrases(partsAnswer)]);
  const tighter = whole.filter((layered) => strictness[layered.rule.effect] > strictness[verdict]);
  const summed = strictestVerdict(plan, tighter, { rule, layer, verdict, ...reason });
  const risks = [
    ...command.parts,
    ...judged.flatMap(({ by }) => by?.rule ?? []),
    ...whole.map((layered) => layered.rule),
  ];
  return {
    ...summed,
    ...(summed.verdict === 'allow' && isByRules(judged) && { isAllowedByRules: true as const }),
    risk: highestRisk([summed.risk, ...risks.flatMap(({ risk }) => risk ?? [])]),
    parts: [...judged.map((item) => ({ text: item.part.text, ...judgedOf(item) })), ...whole.map(partOfRule)],
  };
}

function judgedOf({ verdict, reason, phrases }: JudgedPart): ReasonedVerdict {
  return { verdict, reason, ...(phrases && { phrases }) };
}

// Whether rules that people wrote allow the line. Parts that change nothing need no rule; permission by the mode alone does not count.
function isByRules(judged: readonly JudgedPart[]): boolean {
  const open = judged.filter(({ part, by }) => by !== undefined || part.verdict !== 'allow');
  return open.length > 0 && open.every(({ by }) => by !== undefined && by.layer !== 'built-in');
}

// Of equally strict parts, picks the one whose reason a person should read first.
function worstOf(judged: readonly JudgedPart[]): JudgedPart | undefined {
  const isWorse = (candidate: JudgedPart, than: JudgedPart): boolean => {
    if (candidate.verdict !== than.verdict) return strictness[candidate.verdict] > strictness[than.verdict];
    // A part that only the mode allows comes first: a line counts as allowed by rules only when rules allow every part.
    if (isByMode(candidate) !== isByMode(than)) return isByMode(candidate);
    if (candidate.part.mustAsk !== than.part.mustAsk) return candidate.part.mustAsk;
    return highestRisk([candidate.part.risk, than.part.risk]) !== than.part.risk;
  };
  return judged.reduce<JudgedPart | undefined>(
    (best, candidate) => (best && !isWorse(candidate, best) ? best : candidate),
    undefined,
  );
}

/** The part changes something and is allowed by the mode alone, by no rule. */
function isByMode({ part, verdict, by }: JudgedPart): boolean {
  return verdict === 'allow' && part.verdict !== 'allow' && by === undefined;
}

type JudgedPart = ReasonedVerdict & {
  part: CommandPart;
  by: LayeredRule | undefined;
  /** Why a remembered rule for this part no longer applies. */
  changed?: Phrase[] | undefined;
};

function judgeParts({ mode, rules }: ActivePolicy, facts: RuleFacts, command: Command): JudgedPart[] {
  return command.parts.map((part) => {
    const fitting = rules.filter(
      (layered) => matchesPart(layered, part, facts) && isHere(layered, part, command),
    );
    const changes = fitting.map(({ rule }) => changedBody(rule, part));
    const applicable = fitting.filter((_one, i) => changes[i] === undefined);
    const by = applicable.reduce<LayeredRule | undefined>(
      (best, layered) =>
        best && strictness[best.rule.effect] >= strictness[layered.rule.effect] ? best : layered,
      undefined,
    );
    const withoutRule = withoutRules(part, mode, command);
    // No rule loosens what a human must see or what is denied.
    const isBound = part.mustAsk || part.verdict === 'deny' || isGranting(command);
    if (by === undefined || (isBound && strictness[withoutRule.verdict] >= strictness[by.rule.effect]))
      return {
        part,
        ...withoutRule,
        by: undefined,
        changed: changes.findLast((change) => change !== undefined),
      };
    return { part, ...effectOf(by), by };
  });
}

// An allow rule must match the exact words; a rule that asks or denies also matches the text as written.
function matchesPart({ rule, test }: LayeredRule, part: CommandPart, facts: RuleFacts): boolean {
  const words = part.words.join(' ');
  const isAboutCommands = rule.command !== undefined || rule.words !== undefined;
  if (rule.effect !== 'allow')
    return isAboutCommands && [words, part.text].some((command) => test({ ...facts, command, part }));
  // A rule about places does not cover what a program does there.
  const isAboutPlaces = rule.path !== undefined || rule.access !== undefined;
  if (!isAboutCommands) return !part.isDynamic && !isAboutPlaces && test(facts);
  return part.words.length > 0 && test({ ...facts, command: part.isDynamic ? undefined : words, part });
}

// A rule remembered for one folder and the sandbox does not cover other folders, where the same words run other code.
function isHere({ rule }: LayeredRule, part: CommandPart, { confinement }: Command): boolean {
  if (rule.effect !== 'allow') return true;
  if (rule.sandboxed === true && confinement.sandbox === 'none') return false;
  return rule.cwd === undefined || rule.cwd === part.cwd;
}

function withoutRules(
  part: CommandPart,
  mode: ActivePolicy['mode'],
  { confinement }: Command,
): ReasonedVerdict {
  const { verdict, mustAsk, sandboxHolds } = part;
  const partPhrases = reasonPhrases(part);
  if (verdict === 'deny') return reasoned(verdict, partPhrases);
  const mayWork = worksUnasked(mode) && confinement.sandbox !== 'none';
  if (mustAsk && !(mayWork && sandboxHolds === true)) return reasoned('ask', partPhrases);
  if (isGranting({ confinement })) return reasoned('ask', [phrase('mode.network'), ...partPhrases]);
  if (mode === 'strict') return reasoned('ask', [phrase('mode.strict'), ...partPhrases]);
  if (confinement.unheld !== undefined) return reasoned('ask', unheldPhrase(confinement.unheld));
  if (verdict === 'allow') return reasoned(verdict, partPhrases);
  if (mayWork && confinement.unrecorded) return reasoned('ask', [phrase('mode.unrecorded'), ...partPhrases]);
  if (mayWork) return reasoned('allow', [phrase('mode.held'), ...partPhrases]);
  return reasoned('ask', partPhrases);
}

// The plan has the clause as English text; a clause without parameters has a message key for the whole sentence.
function unheldPhrase(why: string): Phrase {
  const whole = phrase('mode.unheld', { why });
  const phraseOfWhole = phraseOf(englishText(whole));
  return phraseOfWhole.key === 'text' ? whole : phraseOfWhole;
}

// Whether the command gets the network: in the sandbox that takes a person's grant; outside, nothing withholds the network.
function isGranting({ confinement }: Pick<Command, 'confinement'>): boolean {
  return confinement.sandbox !== 'none' && confinement.network;
}
