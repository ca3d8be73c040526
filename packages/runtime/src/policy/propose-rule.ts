// The narrowest rule that would have decided this call: the same tool on exactly the same places, the same command word by word with the
// same body, or the same arguments for a foreign tool.

import { isDeepStrictEqual } from 'node:util';
import {
  type ApprovalRequest,
  type Command,
  type CommandPart,
  englishText,
  type Plan,
  phrase,
  type Rule,
  ToolError,
  type WordsPattern,
} from '@codelab/protocol';
import { digestJson } from '../platform/digest.ts';
import { definitionOf } from './match-rule.ts';
import { argumentPrints } from './rule-values.ts';

type AskedCall = Pick<ApprovalRequest, 'tool' | 'plan' | 'args'>;

/** Undefined when no rule could allow the call, so that a human is asked each time. `widen`: arguments that may have any value. */
export function proposeRule(
  effect: 'allow' | 'deny',
  { tool, plan, args }: AskedCall,
  widen: readonly string[] = [],
): Rule | undefined {
  const aboutCommand =
    plan.command && (effect === 'deny' ? refusedParts(plan.command) : allowedParts(plan.command));
  if (plan.command && aboutCommand === undefined) return undefined;
  const isAboutPlaces = aboutCommand === undefined || plan.touches.some(({ access }) => access !== 'read');
  const path = isAboutPlaces ? [...new Set(plan.touches.map((touch) => anchored(touch.path)))] : [];
  const foreign = effect === 'allow' ? foreignFields(tool, plan, args, widen) : {};
  const prints = effect === 'allow' && plan.command ? printsOf(plan.command) : undefined;
  const identity = [
    effect,
    tool,
    path,
    ...(aboutCommand ? namedBy(aboutCommand) : []),
    ...('args' in foreign ? [foreign] : []),
  ];
  return {
    id: rememberedId(identity),
    effect,
    tool,
    reason: effect === 'allow' ? allowedBefore : englishText(phrase('rule.refusedBefore')),
    ...aboutCommand,
    ...(path.length > 0 && { path }),
    ...foreign,
    ...(prints && { prints }),
  };
}

export const allowedBefore = englishText(phrase('rule.allowedBefore'));

export function rememberedId(identity: unknown): string {
  return `remembered:${digestJson(identity).slice(7, 19)}`;
}

type AboutCommand = Pick<Rule, 'command' | 'words' | 'cwd' | 'sandboxed'>;

function namedBy({ command, words, ...conditions }: AboutCommand): unknown[] {
  return words === undefined ? [command, conditions] : [words, conditions];
}

/** An allow rule is bound to these arguments; a deny rule holds however the tool changes. */
function foreignFields(
  tool: string,
  plan: Plan,
  args: ApprovalRequest['args'],
  widen: readonly string[],
): Pick<Rule, 'definition' | 'args' | 'free'> {
  const definition = definitionOf(tool, plan);
  const free = [...new Set(widen)].sort();
  if (definition === undefined && free.length > 0)
    throw new ToolError('INVALID_ARGUMENTS', 'Only arguments of MCP tools can have any value.', {
      field: 'remember.widen',
    });
  if (definition === undefined) return {};
  const fixed = Object.entries(argumentPrints(args)).filter(([name]) => !free.includes(name));
  return { definition, args: Object.fromEntries(fixed), ...(free.length > 0 && { free }) };
}

function printsOf({ parts }: Command): NonNullable<Rule['prints']> {
  return parts.flatMap(({ words, execution }) =>
    execution === undefined
      ? []
      : [{ command: words.join(' '), files: execution.files, runs: execution.runs }],
  );
}

function refusedParts({ parts }: Command): AboutCommand {
  const refused = parts.filter(({ verdict }) => verdict !== 'allow');
  return { command: unique((refused.length > 0 ? refused : parts).map(({ text }) => literal(text))) };
}

/** The parts by their words (joined by blanks where that means the same), all in the one folder in which they start. */
function allowedParts({ parts, confinement }: Command): AboutCommand | undefined {
  if (isGranting(confinement) || !parts.every((part) => isRepeatable(part) && !part.isDynamic))
    return undefined;
  const condition = heldBy(confinement);
  const [cwd, ...others] = new Set(parts.map((part) => part.cwd));
  const isPlain = parts.every(({ words }) => words.every((word) => /^\S+$/.test(word)));
  if (others.length > 0 || !isPlain) return { words: parts.map(wordByWord), ...condition };
  const command = unique(parts.map(({ words }) => literal(words.join(' '))));
  return { command, ...(cwd !== undefined && { cwd }), ...condition };
}

/** No rule can grant the network permanently. */
export function isGranting({ sandbox, network }: Command['confinement']): boolean {
  return sandbox !== 'none' && network;
}

export function heldBy({ sandbox }: Command['confinement']): Pick<Rule, 'sandboxed'> {
  return sandbox === 'none' ? {} : { sandboxed: true };
}

/** Whether a rule can allow the part at all: it can't where a human must see each call, or where the executed code is unknown. */
export function isRepeatable({ words, mustAsk, verdict, execution }: CommandPart): boolean {
  return words.length > 0 && !mustAsk && verdict !== 'deny' && execution?.unknown === undefined;
}

export function wordByWord({ words, cwd }: CommandPart): WordsPattern {
  return { words, ...(cwd !== undefined && { cwd }) };
}

function unique(patterns: string[]): string[] {
  return [...new Set(patterns)];
}

// Without a leading `./`, a lone name would lose the slash that anchors it.
export function anchored(path: string): string {
  const escaped = literal(path);
  return escaped.includes('/') ? escaped : `./${escaped}`;
}

function literal(text: string): string {
  return text.replace(/[\\*?[\]{}()!+@|]/g, '\\$&');
}

// Whether a rule reaches no further than the proposed one, judged by its fields: a person may add conditions and drop patterns, but may not
// write new patterns.

/** Fields that, added to a rule, only make it match less often. */
const conditions = ['kind', 'access', 'profile', 'cwd', 'sandboxed', 'definition', 'prints'] as const;

export function isNoWider(rule: Rule, proposed: Rule): boolean {
  return (
    // With another id the rule would replace a different rule.
    rule.id === proposed.id &&
    rule.effect === proposed.effect &&
    isDeepStrictEqual(rule.tool, proposed.tool) &&
    isPartOf(rule.path, proposed.path) &&
    isPartOf(rule.command, proposed.command) &&
    isAmong(rule.words, proposed.words) &&
    isNoWiderIn(rule, proposed) &&
    conditions.every((name) => proposed[name] === undefined || isDeepStrictEqual(rule[name], proposed[name]))
  );
}

/** Each fixed argument stays fixed, and no further argument becomes free. */
function isNoWiderIn(rule: Rule, { args, free = [] }: Rule): boolean {
  if (args === undefined) return true;
  const isFixed = Object.entries(args).every(([name, value]) => rule.args?.[name] === value);
  return isFixed && (rule.free ?? []).every((name) => free.includes(name));
}

function isAmong(words: Rule['words'], proposed: Rule['words']): boolean {
  if (words === undefined || proposed === undefined) return words === proposed;
  return words.every((pattern) => proposed.some((other) => isDeepStrictEqual(pattern, other)));
}

type Patterns = Rule['path'];

function isPartOf(patterns: Patterns, proposed: Patterns): boolean {
  if (proposed === undefined) return patterns === undefined;
  if (patterns === undefined) return false;
  const proposedPatterns = [proposed].flat();
  return [patterns].flat().every((pattern) => proposedPatterns.includes(pattern));
}
