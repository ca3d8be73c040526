// All rules in force, layer by layer: built-in → user → workspace → session. A workspace may only tighten until it is trusted.
import type { Plan, Rule, RuleLayer, Scope, Verdict } from '@codelab/protocol';
import { builtInRules } from './built-in-rules.ts';
import { judge, type LayeredRule, type PolicyMode } from './judge.ts';
import { compileRule, compileTrusted, type Facts } from './match-rule.ts';

export type RuleSource = { layer: RuleLayer; rules: readonly Rule[] };

export type RuleBook = {
  mode: PolicyMode;
  judge(facts: Facts, plan: Plan, more: { peerAsks: boolean; sessionRules: readonly Rule[] }): Verdict;
  list(): { layer: RuleLayer; rule: Rule }[];
  /** Keeps a rule beyond this session; takes effect at once. */
  remember(scope: Extract<Scope, 'workspace' | 'user'>, rule: Rule): Promise<void>;
};

type Options = {
  mode: PolicyMode;
  sources: readonly RuleSource[];
  save(scope: 'workspace' | 'user', rule: Rule): Promise<void>;
};

export function createRuleBook(options: Options): RuleBook {
  // A test has proven the built-in ones; proving them at every start would cost more than most calls.
  const builtIn = builtInRules.map((rule): LayeredRule => ({ layer: 'built-in', ...compileTrusted(rule) }));
  const given = options.sources.flatMap(({ layer, rules }) =>
    rules.map((rule) => ({ layer, ...compileRule(rule) })),
  );
  const rules: LayeredRule[] = [...builtIn, ...given];
  const compiled = new WeakMap<Rule, LayeredRule>();
  const ofSession = (rule: Rule): LayeredRule => {
    const known = compiled.get(rule) ?? { layer: 'session' as const, ...compileRule(rule) };
    compiled.set(rule, known);
    return known;
  };
  return {
    mode: options.mode,
    judge(facts, plan, { peerAsks, sessionRules }) {
      const all = sessionRules.length === 0 ? rules : [...rules, ...sessionRules.map(ofSession)];
      return judge({ mode: options.mode, rules: all }, facts, plan, peerAsks);
    },
    list: () => rules.map(({ layer, rule }) => ({ layer, rule })),
    async remember(scope, rule) {
      const layered: LayeredRule = { layer: scope, ...compileRule(rule) };
      await options.save(scope, rule);
      rules.push(layered);
    },
  };
}
