// All rules in force by layer (built-in → user → workspace → session), and their verdict on a plan: the strictest matching rule wins;
// without a match, the kind of the tool and the mode decide. A workspace can only tighten until it is trusted.
import {
  because,
  type Kind,
  type Phrase,
  type Plan,
  type PolicyMode,
  phrase,
  type Rule,
  type RuleLayer,
  reasonPhrases,
  type Scope,
  type Verdict,
} from '@codelab/protocol';
import { builtInRules } from './built-in-rules.ts';
import { judgeCommand } from './judge-command.ts';
import {
  type ActivePolicy,
  compileRule,
  compileTrusted,
  definitionOf,
  type LayeredRule,
  type ReasonedVerdict,
  type RuleFacts,
  reasoned,
  ruleFactsOf,
  strictestVerdict,
  worksUnasked,
} from './match-rule.ts';

/** `isKept`: rules of our own file, not of a configuration. */
export type RuleSource = { layer: RuleLayer; rules: readonly Rule[]; isKept?: boolean };

type KeptScope = Extract<Scope, 'workspace' | 'user'>;

export type RuleBook = {
  /** The mode of sessions without one of their own; a change applies from the next call on. */
  mode: PolicyMode;
  /** The mode of a session. */
  modeOf(session: { mode?: PolicyMode | undefined }): PolicyMode;
  judge(facts: RuleFacts, plan: Plan, more: JudgeOptions): Verdict;
  /** Tests whether a file may be read unasked under the rules that people wrote; the built-in read rules are known by name. */
  mayRead(profile: string, sessionRules: readonly Rule[]): (path: string) => boolean;
  /** Whether a rule denies a tool to read a file. */
  denies(by: { tool: string; profile: string }, path: string, sessionRules: readonly Rule[]): boolean;
  list(): { layer: RuleLayer; rule: Rule; isKept: boolean }[];
  /** Saves a rule beyond this session, replacing the one with the same id. Takes effect immediately. */
  remember(scope: KeptScope, rule: Rule): Promise<void>;
  /** Deletes a saved rule, effective immediately; false when there is none. */
  forget(scope: KeptScope, id: string): Promise<boolean>;
};

/** `mode` is the session's; without it, the book's own. */
type JudgeOptions = { peerAsks: boolean; sessionRules: readonly Rule[]; mode?: PolicyMode };

type Options = {
  mode: PolicyMode;
  /** The mode was fixed at the start of this process, so no session has another. */
  isModeFixed?: boolean;
  sources: readonly RuleSource[];
  /** Called before each judgement: returns the rules again when their files have changed, and throws when the files are unreadable. */
  reload?(): readonly RuleSource[] | undefined;
  save(scope: KeptScope, rule: Rule): Promise<void>;
  drop?(scope: KeptScope, id: string): Promise<boolean>;
};

export function createRuleBook(options: Options): RuleBook {
  const inForce = createRulesInForce(options);
  let { mode } = options;
  const compiled = new WeakMap<Rule, LayeredRule>();
  const ofSession = (rule: Rule): LayeredRule => {
    const compiledRule = compiled.get(rule) ?? { layer: 'session' as const, ...compileRule(rule) };
    compiled.set(rule, compiledRule);
    return compiledRule;
  };
  return {
    get mode() {
      return mode;
    },
    set mode(newMode) {
      mode = newMode;
    },
    modeOf: (session) => (options.isModeFixed ? mode : (session.mode ?? mode)),
    judge(facts, plan, { peerAsks, sessionRules, mode: callMode = mode }) {
      const { rules, problem } = inForce.now();
      const activeRules = sessionRules.length === 0 ? rules : [...rules, ...sessionRules.map(ofSession)];
      const factsWithDefinition = { ...facts, definition: definitionOf(facts.tool, plan) };
      const verdict = judge({ mode: callMode, rules: activeRules }, factsWithDefinition, plan, peerAsks);
      return problem === undefined || verdict.verdict !== 'ask'
        ? verdict
        : { ...verdict, ...because([...reasonPhrases(verdict), problem]) };
    },
    mayRead(profile, sessionRules) {
      const peoplesRules = [...inForce.now().rules, ...sessionRules.map(ofSession)].filter(
        ({ layer, rule }) => layer !== 'built-in' && rule.effect !== 'allow' && rule.path !== undefined,
      );
      if (peoplesRules.length === 0) return () => true;
      const call = { tool: 'read_file', kind: 'read' as const, profile };
      return (path) => {
        const facts = ruleFactsOf(call, [{ asked: path, path, access: 'read' }]);
        return !peoplesRules.some(({ test }) => test(facts));
      };
    },
    denies(by, path, sessionRules) {
      const facts = ruleFactsOf({ ...by, kind: 'read' }, [{ asked: path, path, access: 'read' }]);
      const activeRules = [...inForce.now().rules, ...sessionRules.map(ofSession)];
      return activeRules.some(({ rule, test }) => rule.effect === 'deny' && test(facts));
    },
    list: () => inForce.now().rules.map(({ layer, rule, isKept = false }) => ({ layer, rule, isKept })),
    remember: (scope, rule) => inForce.remember(scope, rule),
    forget: (scope, id) => inForce.forget(scope, id),
  };
}

export function judge(policy: ActivePolicy, facts: RuleFacts, plan: Plan, peerAsks: boolean): Verdict {
  const verdict = plan.command
    ? judgeCommand(policy, facts, plan, plan.command)
    : judgeCall(policy, facts, plan);
  if (!peerAsks || verdict.verdict !== 'allow') return verdict;
  return {
    ...verdict,
    verdict: 'ask',
    rule: 'requires-approval',
    ...because(phrase('mode.callerAsks')),
  };
}

function judgeCall(policy: ActivePolicy, facts: RuleFacts, plan: Plan): Verdict {
  const matching = policy.rules.filter((layered) => layered.test(facts));
  const byMode =
    facts.caution === undefined || policy.mode === 'trusted'
      ? byDefault(facts.kind, policy.mode)
      : reasoned('ask', facts.caution);
  return strictestVerdict(plan, matching, { ...byMode, rule: `default:${facts.kind}`, layer: 'built-in' });
}

function byDefault(kind: Kind, mode: PolicyMode): ReasonedVerdict {
  switch (kind) {
    case 'read':
    case 'search':
    case 'think':
    case 'ask':
      return reasoned('allow', phrase('mode.reading'));
    case 'edit':
    case 'move':
      if (worksUnasked(mode)) return reasoned('allow', phrase('mode.editsRun', { mode }));
      return reasoned('ask', phrase('mode.editsAsk', { mode }));
    case 'delete':
      if (worksUnasked(mode)) return reasoned('allow', phrase('mode.deletionsRun'));
      return reasoned('ask', phrase('mode.deletionsAsk', { mode }));
    case 'execute':
      return reasoned('ask', phrase('mode.commandsAsk'));
  }
}

type RulesInForce = Pick<RuleBook, 'remember' | 'forget'> & {
  /** `problem` says why allow rules are suspended. */
  now(): { rules: readonly LayeredRule[]; problem: Phrase | undefined };
};

function createRulesInForce({ sources, reload, save, drop }: Options): RulesInForce {
  // A test proves the built-in rules; proving them at every start would cost more than most calls.
  const builtIn = builtInRules.map((rule): LayeredRule => ({ layer: 'built-in', ...compileTrusted(rule) }));
  let rules: LayeredRule[] = [...builtIn, ...compileSources(sources)];
  let problem: Phrase | undefined;
  const without = (scope: KeptScope, id: string): LayeredRule[] =>
    rules.filter(({ layer, rule, isKept }) => !(isKept && layer === scope && rule.id === id));
  const now = (): ReturnType<RulesInForce['now']> => {
    try {
      const fresh = reload?.();
      if (fresh !== undefined) {
        rules = [...builtIn, ...compileSources(fresh)];
        problem = undefined;
      }
    } catch (error) {
      // Deny and ask rules stay in force. Allow rules are dropped, because the unreadable text may have removed them.
      rules = rules.filter(({ layer, rule }) => layer === 'built-in' || rule.effect !== 'allow');
      const why = error instanceof Error ? error.message : String(error);
      problem = phrase('rule.unreadable', { why });
    }
    return { rules, problem };
  };
  return {
    now,
    async remember(scope, rule) {
      const layered: LayeredRule = { layer: scope, isKept: true, ...compileRule(rule) };
      await save(scope, rule);
      rules = [...without(scope, rule.id), layered];
    },
    async forget(scope, id) {
      const wasThere = (await drop?.(scope, id)) ?? false;
      rules = without(scope, id);
      return wasThere;
    },
  };
}

function compileSources(sources: readonly RuleSource[]): LayeredRule[] {
  return sources.flatMap(({ layer, rules, isKept = false }) =>
    rules.map((rule): LayeredRule => ({ layer, isKept, ...compileRule(rule) })),
  );
}
