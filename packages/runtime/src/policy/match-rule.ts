// Rules: their compiled form, whether a rule matches a call, and the combined verdict of all matching rules: the strictest decides.
import {
  type Access,
  because,
  highestRisk,
  type Kind,
  type Phrase,
  type Phrases,
  type Plan,
  type PolicyMode,
  phraseOf,
  type Rule,
  type RuleEffect,
  type RuleLayer,
  ToolError,
  type Touch,
  type Verdict,
} from '@codelab/protocol';
import { foldPath } from '../workspace/paths.ts';
import { compileGlob } from '../workspace/trees/glob.ts';
import { fitsWords, hasArguments, type NamedPart } from './rule-values.ts';

/** `isKept`: the rule is in our own rules file, so it can be removed. */
export type LayeredRule = CompiledRule & { layer: RuleLayer; isKept?: boolean };
/** The mode and all rules in force, each with its layer: the input for judging a plan. */
export type ActivePolicy = { mode: PolicyMode; rules: readonly LayeredRule[] };

// Whether a rule matches a call. Paths are compared folded (case, invisible characters), both as resolved and as the caller spelled them.

/** A place as rules see it: exact and folded, as resolved and as the caller spelled it. */
type Place = { access: Access; exact: string; resolved: string; asked: string };

export type RuleFacts = {
  tool: string;
  kind: Kind;
  places: readonly Place[];
  profile: string;
  command?: string | undefined;
  /** The part of a command that is judged. */
  part?: NamedPart | undefined;
  /** Why a human is asked when no rule matches, although the kind of the tool alone would let the call run. */
  caution?: Phrase | undefined;
  /** The print of the tool's own definition, when the tool is a foreign one. */
  definition?: string | undefined;
  /** The arguments of the call. */
  args?: Readonly<Record<string, unknown>> | undefined;
};

/** The facts of a call that rules can match. */
export function ruleFactsOf(
  call: Pick<RuleFacts, 'tool' | 'kind' | 'profile' | 'caution' | 'args'>,
  touches: readonly Touch[],
): RuleFacts {
  const places = touches.map(({ access, path, asked }): Place => {
    const resolved = foldPath(path);
    return { access, exact: path, resolved, asked: asked === path ? resolved : foldPath(asked) };
  });
  return { ...call, places };
}

type Test = (text: string) => boolean;
type CompiledRule = { rule: Rule; test: (facts: RuleFacts) => boolean };

/** Compiles a rule at its first test, without checking its examples. */
export function compileTrusted(rule: Rule): CompiledRule {
  let test: CompiledRule['test'] | undefined;
  return {
    rule,
    test: (facts) => {
      test ??= matcher(rule);
      return test(facts);
    },
  };
}

/** Compiles a rule and checks it against its own examples. */
export function compileRule(rule: Rule): CompiledRule {
  const compiled = { rule, test: matcher(rule) };
  for (const example of rule.matches ?? [])
    if (!compiled.test(exampleFacts(example))) throw lies(rule, 'does not match', example);
  for (const example of rule.notMatches ?? [])
    if (compiled.test(exampleFacts(example))) throw lies(rule, 'matches', example);
  return compiled;
}

function matcher(rule: Rule): (facts: RuleFacts) => boolean {
  const tool = names(rule.tool);
  const profile = names(rule.profile);
  const command = names(rule.command);
  const globs = rule.path === undefined ? undefined : list(rule.path);
  const path = globs && pathTest(rule.effect === 'allow' ? globs : globs.map((glob) => glob.toLowerCase()));
  const kinds = rule.kind === undefined ? undefined : list(rule.kind);
  return (facts) => {
    if (tool && !tool(facts.tool)) return false;
    if (kinds && !kinds.includes(facts.kind)) return false;
    if (profile && !profile(facts.profile)) return false;
    if (rule.definition !== undefined && rule.definition !== facts.definition) return false;
    if (!argumentsMatch(rule, facts)) return false;
    if ((command || rule.words) && !isNamed(rule, command, facts)) return false;
    return placesMatch(rule, path, facts.places);
  };
}

function isNamed(
  { effect, words = [] }: Rule,
  command: Test | undefined,
  { command: text, part }: RuleFacts,
): boolean {
  if (command !== undefined && text !== undefined && command(text)) return true;
  return part !== undefined && words.some((pattern) => fitsWords(pattern, part, effect));
}

// A remembered rule without arguments would allow any call of a foreign tool, and a remembered rule about our own tools says nothing about foreign
// ones.
function argumentsMatch({ id, effect, definition, args, free }: Rule, facts: RuleFacts): boolean {
  const isRemembered = effect === 'allow' && id.startsWith('remembered:');
  if (isRemembered && definition === undefined && facts.definition !== undefined) return false;
  if (args !== undefined) return facts.args !== undefined && hasArguments({ args, free }, facts.args);
  return !(isRemembered && definition !== undefined);
}

// A rule that denies or asks matches when any place fits; a rule that allows must cover every place.
function placesMatch(rule: Rule, path: Test | undefined, places: readonly Place[]): boolean {
  if (path === undefined && rule.access === undefined) return true;
  // An allow rule matches only the exact name; ask and deny rules match every name that a file system may treat as the same.
  const fits = ({ access, exact, resolved, asked }: Place): boolean => {
    if (rule.access && !rule.access.includes(access)) return false;
    if (path === undefined) return true;
    if (rule.effect === 'allow') return path(exact);
    return path(resolved) || (asked !== resolved && path(asked));
  };
  return rule.effect === 'allow' ? places.length > 0 && places.every(fits) : places.some(fits);
}

// As in ignore files: a pattern without a slash names a file or folder at any depth, with everything below it.
export function pathTest(patterns: readonly string[]): Test {
  let test: Test | undefined;
  // Compiled on first use: most commands have no path to test.
  return (path) => {
    test ??= compilePathTest(patterns);
    return test(path);
  };
}

function compilePathTest(patterns: readonly string[]): Test {
  const names = patterns.filter((pattern) => !pattern.includes('/'));
  // A deleted tree is tested path by path, so names without wildcards are looked up instead of matched.
  const plain = new Set(names.filter((name) => !/[*?[{\\]/.test(name)));
  const wild = names.filter((name) => !plain.has(name)).map(globTest);
  const whole = patterns
    .filter((pattern) => pattern.includes('/'))
    .map((pattern) => globTest(pattern.replace(/^\.?\//, '')));
  const fits = (name: string): boolean => plain.has(name) || wild.some((test) => test(name));
  return (path) => path.split('/').some(fits) || whole.some((test) => test(path));
}

/** A matching path contains the pattern's longest piece between wildcards. Most paths contain none, so most patterns are never compiled. */
function globTest(pattern: string): Test {
  const pieces = /[[{\\]/.test(pattern) ? [] : pattern.split(/[*?/]/);
  const piece = pieces.reduce((longest, next) => (next.length > longest.length ? next : longest), '');
  let test: Test | undefined;
  return (text) => {
    if (!text.includes(piece)) return false;
    test ??= compileGlob(pattern);
    return test(text);
  };
}

// Names of tools and profiles, and commands, are not paths: a slash is an ordinary character.
function names(patterns: string | readonly string[] | undefined): Test | undefined {
  if (patterns === undefined) return undefined;
  const flat = (text: string): string => text.replaceAll('/', '∕');
  const tests = list(patterns).map((pattern) => compileGlob(flat(pattern)));
  return (text) => tests.some((test) => test(flat(text)));
}

function list<T extends string>(value: T | readonly T[]): readonly T[] {
  return typeof value === 'string' ? [value] : value;
}

function exampleFacts(example: NonNullable<Rule['matches']>[number]): RuleFacts {
  const { tool = 'example', kind = 'edit', profile = 'build', path, access = 'write', command } = example;
  const facts = ruleFactsOf(
    { tool, kind, profile },
    path === undefined ? [] : [{ asked: path, path, access }],
  );
  return command === undefined ? facts : { ...facts, command };
}

function lies(rule: Rule, verb: string, example: unknown): ToolError {
  return new ToolError(
    'INVALID_ARGUMENTS',
    `Rule "${rule.id}" ${verb} its own example ${JSON.stringify(example)}. Correct the rule or the example.`,
  );
}

/** Of several effects, the one with the highest number wins. */
export const strictness: Record<RuleEffect, number> = { allow: 0, ask: 1, deny: 2 };

/** The print of the definition of a foreign tool, whose owner may change it under the same name; part of the plan's basis. */
export function definitionOf(tool: string, { basis }: Plan): string | undefined {
  return basis.find(({ path }) => path === definitionPath(tool))?.print;
}

export function definitionPath(tool: string): string {
  return `tool:${tool}`;
}

/** Checks a rule against its own examples without compiling it for use; throws when an example fails. */
export function proveRule(rule: Rule): void {
  compileRule(rule);
}

/** A verdict on a call or a part, with its reason. */
export type ReasonedVerdict = Pick<Verdict, 'verdict' | 'reason' | 'phrases'>;
export type RuleVerdict = ReasonedVerdict & Pick<Verdict, 'rule' | 'layer'>;

export function reasoned(verdict: RuleEffect, phrases: Phrases): ReasonedVerdict {
  return { verdict, ...because(phrases) };
}

/** The strictest matching rule decides; without a match, `otherwise` does. */
export function strictestVerdict(plan: Plan, rules: readonly LayeredRule[], otherwise: RuleVerdict): Verdict {
  const risk = highestRisk([plan.risk, ...rules.flatMap(({ rule }) => rule.risk ?? [])]);
  const strictest = rules.reduce<LayeredRule | undefined>(
    (best, layered) =>
      best && strictness[best.rule.effect] >= strictness[layered.rule.effect] ? best : layered,
    undefined,
  );
  return { ...(strictest ? verdictOfRule(strictest) : otherwise), risk, parts: rules.map(partOfRule) };
}

export function verdictOfRule({ rule, layer }: LayeredRule): RuleVerdict {
  return { rule: rule.id, layer, ...effectOf({ rule }) };
}

export function effectOf({ rule }: Pick<LayeredRule, 'rule'>): ReasonedVerdict {
  return reasoned(rule.effect, phraseOf(rule.reason));
}

export function partOfRule({ rule }: LayeredRule): Verdict['parts'][number] {
  return { text: rule.id, ...effectOf({ rule }) };
}

/** Modes in which a human reviews changes afterwards instead of approving them beforehand. */
export function worksUnasked(mode: PolicyMode): boolean {
  return mode === 'review' || mode === 'trusted';
}
