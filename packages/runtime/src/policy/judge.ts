// The verdict on a plan: of all rules that match the call the strictest wins; when no rule matches, the kind of the tool and the mode decide.
import {
  because,
  type Command,
  type CommandPart,
  englishText,
  highestRisk,
  type Kind,
  type Phrase,
  type Phrases,
  type Plan,
  type PolicyMode,
  phrase,
  phraseOf,
  type RuleEffect,
  reasonPhrases,
  type Verdict,
} from '@codelab/protocol';
import { distinct } from '../platform/digest.ts';
import { changedBody } from './changed-body.ts';
import { type ActivePolicy, type LayeredRule, type RuleFacts, strictness } from './match-rule.ts';

export function judge(policy: ActivePolicy, facts: RuleFacts, plan: Plan, peerAsks: boolean): Verdict {
  const found = plan.command ? ofCommand(policy, facts, plan, plan.command) : ofCall(policy, facts, plan);
  if (!peerAsks || found.verdict !== 'allow') return found;
  return {
    ...found,
    verdict: 'ask',
    rule: 'requires-approval',
    ...because(phrase('mode.callerAsks')),
  };
}

function ofCall(policy: ActivePolicy, facts: RuleFacts, plan: Plan): Verdict {
  const matching = policy.rules.filter((layered) => layered.test(facts));
  const byMode =
    facts.caution === undefined || policy.mode === 'trusted'
      ? byDefault(facts.kind, policy.mode)
      : answer('ask', facts.caution);
  return sum(plan, matching, { ...byMode, rule: `default:${facts.kind}`, layer: 'built-in' });
}

/** What is said of a call or of a part, and why. */
type Judged = Pick<Verdict, 'verdict' | 'reason' | 'phrases'>;
type Answer = Judged & Pick<Verdict, 'rule' | 'layer'>;

function answer(verdict: RuleEffect, phrases: Phrases): Judged {
  return { verdict, ...because(phrases) };
}

/** The strictest rule decides; where no rule matches, `otherwise` does. */
function sum(plan: Plan, matching: readonly LayeredRule[], otherwise: Answer): Verdict {
  const risk = highestRisk([plan.risk, ...matching.flatMap(({ rule }) => rule.risk ?? [])]);
  const strictest = matching.reduce<LayeredRule | undefined>(
    (best, layered) =>
      best && strictness[best.rule.effect] >= strictness[layered.rule.effect] ? best : layered,
    undefined,
  );
  return { ...(strictest ? answerOf(strictest) : otherwise), risk, parts: matching.map(partOfRule) };
}

function answerOf({ rule, layer }: LayeredRule): Answer {
  return { rule: rule.id, layer, ...effectOf({ rule }) };
}

function effectOf({ rule }: Pick<LayeredRule, 'rule'>): Judged {
  return answer(rule.effect, phraseOf(rule.reason));
}

function partOfRule({ rule }: LayeredRule): Verdict['parts'][number] {
  return { text: rule.id, ...effectOf({ rule }) };
}

// Rules about the call as a whole can only make the verdict on its parts stricter.
function ofCommand(policy: ActivePolicy, facts: RuleFacts, plan: Plan, command: Command): Verdict {
  const judged = judgeCommand(policy, facts, command);
  const whole = policy.rules.filter(({ rule, test }) => rule.effect !== 'allow' && test(facts));
  const worst = worstOf(judged);
  const partsAnswer: Answer = {
    rule: 'default:execute',
    layer: 'built-in',
    ...(worst === undefined ? answer('deny', phrase('mode.noCommand')) : judgedOf(worst)),
    ...(worst?.by && answerOf(worst.by)),
  };
  const { rule, layer, verdict } = partsAnswer;
  const changes = verdict === 'ask' ? judged.flatMap(({ changed }) => (changed ? [changed] : [])) : [];
  const reason = because([...distinct(changes).flat(), ...reasonPhrases(partsAnswer)]);
  const tighter = whole.filter((layered) => strictness[layered.rule.effect] > strictness[verdict]);
  const summed = sum(plan, tighter, { rule, layer, verdict, ...reason });
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

function judgedOf({ verdict, reason, phrases }: JudgedPart): Judged {
  return { verdict, reason, ...(phrases && { phrases }) };
}

// Whether rules that people wrote allow the line: parts that change nothing need no rule, and being allowed by the mode does not count.
function isByRules(judged: readonly JudgedPart[]): boolean {
  const open = judged.filter(({ part, by }) => by !== undefined || part.verdict !== 'allow');
  return open.length > 0 && open.every(({ by }) => by !== undefined && by.layer !== 'built-in');
}

// Of equally strict parts, the one whose reason a person should read first.
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

/** Modes in which a human looks at what was done, not at what is to be done. */
function worksUnasked(mode: PolicyMode): boolean {
  return mode === 'review' || mode === 'trusted';
}

function byDefault(kind: Kind, mode: PolicyMode): Judged {
  switch (kind) {
    case 'read':
    case 'search':
    case 'think':
    case 'ask':
      return answer('allow', phrase('mode.reading'));
    case 'edit':
    case 'move':
      if (worksUnasked(mode)) return answer('allow', phrase('mode.editsRun', { mode }));
      return answer('ask', phrase('mode.editsAsk', { mode }));
    case 'delete':
      if (worksUnasked(mode)) return answer('allow', phrase('mode.deletionsRun'));
      return answer('ask', phrase('mode.deletionsAsk', { mode }));
    case 'execute':
      return answer('ask', phrase('mode.commandsAsk'));
  }
}

/** The verdict on a command: every part is judged by itself, by the rules that name it and then by the mode; the strictest decides. */
type JudgedPart = Judged & {
  part: CommandPart;
  by: LayeredRule | undefined;
  /** Why a remembered rule for this part no longer applies. */
  changed?: Phrase[] | undefined;
};

function judgeCommand({ mode, rules }: ActivePolicy, facts: RuleFacts, command: Command): JudgedPart[] {
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
    // No rule loosens what a human must see or what never runs.
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

function withoutRules(part: CommandPart, mode: ActivePolicy['mode'], { confinement }: Command): Judged {
  const { verdict, mustAsk, sandboxHolds } = part;
  const partPhrases = reasonPhrases(part);
  if (verdict === 'deny') return answer(verdict, partPhrases);
  const mayWork = worksUnasked(mode) && confinement.sandbox !== 'none';
  if (mustAsk && !(mayWork && sandboxHolds === true)) return answer('ask', partPhrases);
  if (isGranting({ confinement })) return answer('ask', [phrase('mode.network'), ...partPhrases]);
  if (mode === 'strict') return answer('ask', [phrase('mode.strict'), ...partPhrases]);
  if (confinement.unheld !== undefined) return answer('ask', unheldPhrase(confinement.unheld));
  if (verdict === 'allow') return answer(verdict, partPhrases);
  if (mayWork) return answer('allow', [phrase('mode.held'), ...partPhrases]);
  return answer('ask', partPhrases);
}

// The clause stands in the plan as English text; a clause without parameters makes a sentence that has a key of its own.
function unheldPhrase(why: string): Phrase {
  const whole = phrase('mode.unheld', { why });
  const known = phraseOf(englishText(whole));
  return known.key === 'text' ? whole : known;
}

// Whether the command is given the network: in the sandbox that takes a person's grant, and outside the sandbox nothing withholds the network.
function isGranting({ confinement }: Pick<Command, 'confinement'>): boolean {
  return confinement.sandbox !== 'none' && confinement.network;
}
