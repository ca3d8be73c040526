// The narrowest rule that would have decided this call: the same tool on exactly the same places, the same command word by word with the
// same body, or the same arguments for a tool of others.

import { isDeepStrictEqual } from 'node:util';
import {
  type ApprovalRequest,
  type Command,
  type CommandPart,
  type Plan,
  type Rule,
  ToolError,
} from '@codelab/protocol';
import { digestJson } from '../platform/digest.ts';
import { argumentPrints, definitionOf } from './match-rule.ts';

type Asked = Pick<ApprovalRequest, 'tool' | 'plan' | 'args'>;

/** Nothing when no rule could allow it: a human is asked about such a command each time. `widen`: arguments that may be anything. */
export function proposeRule(
  effect: 'allow' | 'deny',
  { tool, plan, args }: Asked,
  widen: readonly string[] = [],
): Rule | undefined {
  const command = plan.command && commandPatterns(effect, plan.command);
  if (plan.command && command === undefined) return undefined;
  const isAboutPlaces = command === undefined || plan.touches.some(({ access }) => access !== 'read');
  const path = isAboutPlaces ? [...new Set(plan.touches.map((touch) => anchored(touch.path)))] : [];
  const foreign = effect === 'allow' ? foreignFields(tool, plan, args, widen) : {};
  const where = effect === 'allow' && plan.command ? placeOf(plan.command) : {};
  if (where === undefined) return undefined;
  const prints = effect === 'allow' && plan.command ? printsOf(plan.command) : undefined;
  const about = {
    ...(command && { command }),
    ...where,
    ...(path.length > 0 && { path }),
    ...foreign,
    ...(prints && { prints }),
  };
  const named = [
    effect,
    tool,
    path,
    ...(command ? [command, where] : []),
    ...('args' in foreign ? [foreign] : []),
  ];
  return {
    id: `remembered:${digestJson(named).slice(7, 19)}`,
    effect,
    tool,
    reason: effect === 'allow' ? 'You allowed this before.' : 'You refused this for good before.',
    ...about,
  };
}

/** What is allowed holds for these arguments; what is refused stays refused, whatever becomes of the tool. */
function foreignFields(
  tool: string,
  plan: Plan,
  args: ApprovalRequest['args'],
  widen: readonly string[],
): Pick<Rule, 'definition' | 'args' | 'free'> {
  const definition = definitionOf(tool, plan);
  const free = [...new Set(widen)].sort();
  if (definition === undefined && free.length > 0)
    throw new ToolError('INVALID_ARGUMENTS', 'Only the arguments of tools of others can be left free.', {
      field: 'remember.widen',
    });
  if (definition === undefined) return {};
  const fixed = Object.entries(argumentPrints(args)).filter(([name]) => !free.includes(name));
  return { definition, args: Object.fromEntries(fixed), ...(free.length > 0 && { free }) };
}

/** The one folder all parts start in, and the sandbox when there is one; undefined when there are several folders. */
function placeOf({ parts, confinement }: Command): Pick<Rule, 'cwd' | 'sandboxed'> | undefined {
  const folders = new Set(parts.map(({ cwd }) => cwd));
  if (folders.size > 1) return undefined;
  const [cwd] = folders;
  const isHeld = confinement.sandbox !== 'none';
  return { ...(cwd !== undefined && { cwd }), ...(isHeld && { sandboxed: true as const }) };
}

function printsOf({ parts }: Command): NonNullable<Rule['prints']> {
  return parts.flatMap(({ words, execution }) =>
    execution === undefined
      ? []
      : [{ command: words.join(' '), files: execution.files, runs: execution.runs }],
  );
}

function commandPatterns(effect: 'allow' | 'deny', { parts, confinement }: Command): string[] | undefined {
  if (effect === 'deny') {
    const refused = parts.filter(({ verdict }) => verdict !== 'allow');
    return unique((refused.length > 0 ? refused : parts).map(({ text }) => literal(text)));
  }
  const isGranting = confinement.sandbox !== 'none' && confinement.network;
  return isGranting || !parts.every(isRepeatable)
    ? undefined
    : unique(parts.map(({ words }) => literal(words.join(' '))));
}

// Joined by blanks, a word with a blank in it can't be told from two words.
function isRepeatable({ words, isDynamic, mustAsk, verdict, execution }: CommandPart): boolean {
  const isPlain = words.length > 0 && words.every((word) => /^\S+$/.test(word));
  return isPlain && !isDynamic && !mustAsk && verdict !== 'deny' && execution?.unknown === undefined;
}

function unique(patterns: string[]): string[] {
  return [...new Set(patterns)];
}

// A slash in front of a lone name would be lost, so `./` marks it.
function anchored(path: string): string {
  const escaped = literal(path);
  return escaped.includes('/') ? escaped : `./${escaped}`;
}

function literal(text: string): string {
  return text.replace(/[\\*?[\]{}()!+@|]/g, '\\$&');
}

// Does a rule reach no further than the one that was proposed? By its fields alone: conditions may be added, and patterns left out of a
// list, but none may be written anew.

/** Added to a rule they only make it speak less often. */
const conditions = ['kind', 'access', 'profile', 'cwd', 'sandboxed', 'definition', 'prints'] as const;

export function isNoWider(rule: Rule, proposed: Rule): boolean {
  return (
    // Under another id it would take the place of another rule.
    rule.id === proposed.id &&
    rule.effect === proposed.effect &&
    isDeepStrictEqual(rule.tool, proposed.tool) &&
    isPartOf(rule.path, proposed.path) &&
    isPartOf(rule.command, proposed.command) &&
    isNoWiderIn(rule, proposed) &&
    conditions.every((name) => proposed[name] === undefined || isDeepStrictEqual(rule[name], proposed[name]))
  );
}

/** Each argument that is fixed stays so, and none is left free that was not. */
function isNoWiderIn(rule: Rule, { args, free = [] }: Rule): boolean {
  if (args === undefined) return true;
  const isFixed = Object.entries(args).every(([name, value]) => rule.args?.[name] === value);
  return isFixed && (rule.free ?? []).every((name) => free.includes(name));
}

type Patterns = Rule['path'];

function isPartOf(patterns: Patterns, proposed: Patterns): boolean {
  if (proposed === undefined) return patterns === undefined;
  if (patterns === undefined) return false;
  const known = [proposed].flat();
  return [patterns].flat().every((one) => known.includes(one));
}
