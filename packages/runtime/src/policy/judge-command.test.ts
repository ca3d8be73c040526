import type {
  CommandPart,
  Confinement,
  Plan,
  PolicyMode,
  Rule,
  RuleEffect,
  Verdict,
} from '@codelab/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRule, ruleFactsOf } from './match-rule.ts';
import { proposeRule } from './propose-rule.ts';
import { judge } from './rule-book.ts';

const reads: CommandPart = {
  text: 'git log',
  words: ['git', 'log'],
  isDynamic: false,
  verdict: 'allow',
  mustAsk: false,
  risk: 'low',
  reason: 'Only reads.',
};
const changes: CommandPart = {
  ...reads,
  text: 'npm test',
  words: ['npm', 'test'],
  verdict: 'ask',
  risk: 'high',
  reason: 'Runs code.',
};
const dynamic: CommandPart = { ...changes, text: 'npm "$x"', words: ['npm', '"$x"'], isDynamic: true };
const firm: CommandPart = {
  ...changes,
  text: 'sudo id',
  words: ['sudo', 'id'],
  mustAsk: true,
  risk: 'critical',
  reason: 'Gains rights.',
};
const never: CommandPart = { ...firm, text: 'ls\r', words: [], verdict: 'deny', reason: 'Unreadable.' };

const open: Confinement = { sandbox: 'none', network: true };
const confinement: Confinement = { sandbox: 'bubblewrap', network: false };

type VerdictOptions = {
  mode?: PolicyMode;
  confinement?: Confinement;
  rules?: readonly Rule[];
  touches?: Plan['touches'];
};

function planOf(parts: CommandPart[], { confinement = open, touches = [] }: VerdictOptions = {}): Plan {
  const command = { line: parts.map(({ text }) => text).join('; '), cwd: '.', parts, confinement };
  return { summary: '', risk: 'low', riskReason: '', touches, notes: [], command, basis: [] };
}

function verdict(parts: CommandPart[], options: VerdictOptions = {}): Verdict {
  const { mode = 'balanced', rules = [], touches = [] } = options;
  const layered = rules.map((rule) => ({ layer: 'user' as const, ...compileRule(rule) }));
  const facts = ruleFactsOf({ tool: 'run_command', kind: 'execute', profile: 'build' }, touches);
  return judge({ mode, rules: layered }, facts, planOf(parts, options), false);
}

const rule = (effect: RuleEffect, command: string): Rule => ({
  id: effect,
  effect,
  reason: 'A rule.',
  command,
});

test('without rules the mode decides, part by part, and the strictest part for all', () => {
  const table = (mode: PolicyMode, confinement: Confinement): RuleEffect[] =>
    [reads, changes, dynamic, firm, never].map(
      (part) => verdict([reads, part], { mode, confinement }).verdict,
    );
  expect(table('strict', open)).toEqual(['ask', 'ask', 'ask', 'ask', 'deny']);
  expect(table('balanced', open)).toEqual(['allow', 'ask', 'ask', 'ask', 'deny']);
  expect(table('balanced', confinement)).toEqual(['allow', 'ask', 'ask', 'ask', 'deny']);
  expect(table('trusted', open)).toEqual(['allow', 'ask', 'ask', 'ask', 'deny']);
  expect(table('trusted', confinement)).toEqual(['allow', 'allow', 'allow', 'ask', 'deny']);
});

test('the network inside the sandbox is a human’s to grant, whatever rules and mode say', () => {
  const granted: VerdictOptions = { mode: 'trusted', confinement: { sandbox: 'bubblewrap', network: true } };
  expect(verdict([reads], { ...granted, rules: [rule('allow', '*')] })).toMatchObject({
    verdict: 'ask',
    reason: 'Only a human can grant the network. Only reads.',
  });
});

test('every part is told with its own verdict and reason', () => {
  expect(verdict([reads, changes, firm])).toMatchObject({
    verdict: 'ask',
    risk: 'critical',
    rule: 'default:execute',
    layer: 'built-in',
    reason: 'Gains rights.',
    parts: [
      { text: 'git log', verdict: 'allow', reason: 'Only reads.' },
      { text: 'npm test', verdict: 'ask', reason: 'Runs code.' },
      { text: 'sudo id', verdict: 'ask', reason: 'Gains rights.' },
    ],
  });
});

describe('rules', () => {
  test('one that allows must fit every part that is not harmless, by its exact words', () => {
    expect(verdict([reads, changes], { rules: [rule('allow', 'npm test')] }).verdict).toBe('allow');
    expect(
      verdict([changes, { ...changes, words: ['npm', 'test', 'x'] }], { rules: [rule('allow', 'npm test')] })
        .verdict,
    ).toBe('ask');
    expect(verdict([reads, changes], { mode: 'strict', rules: [rule('allow', 'npm test')] }).verdict).toBe(
      'ask',
    );
    expect(verdict([dynamic], { rules: [rule('allow', 'npm *')] }).verdict).toBe('ask');
    expect(verdict([firm], { rules: [rule('allow', '*')] }).verdict).toBe('ask');
    expect(verdict([never], { rules: [rule('allow', '*')] }).verdict).toBe('deny');
  });

  test('one that denies or asks needs one part, and sees how it is written', () => {
    expect(verdict([reads, changes], { rules: [rule('deny', 'npm *')] })).toMatchObject({
      verdict: 'deny',
      rule: 'deny',
    });
    expect(verdict([dynamic], { rules: [rule('deny', 'npm "$x"')] }).verdict).toBe('deny');
    expect(verdict([reads], { rules: [rule('ask', 'git *'), rule('allow', 'git *')] })).toMatchObject({
      verdict: 'ask',
      rule: 'ask',
    });
  });

  test('one about places allows no program to do what it likes there', () => {
    const touches = [{ asked: 'src/a.ts', path: 'src/a.ts', access: 'write' as const }];
    const places: Rule = { id: 'src', effect: 'allow', reason: 'r', path: 'src/**' };
    expect(verdict([changes], { touches, rules: [places] }).verdict).toBe('ask');
    expect(verdict([changes], { touches, rules: [{ ...places, command: 'npm test' }] }).verdict).toBe(
      'allow',
    );
    const denied: Rule = { ...places, effect: 'deny' };
    expect(verdict([reads], { touches, rules: [denied] })).toMatchObject({ verdict: 'deny', rule: 'src' });
  });

  test('one about the tool alone allows what may be allowed at all', () => {
    const tool: Rule = { id: 'tool', effect: 'allow', reason: 'r', tool: 'run_command' };
    expect(verdict([changes], { rules: [tool] })).toMatchObject({
      verdict: 'allow',
      rule: 'tool',
      layer: 'user',
    });
    expect(verdict([firm], { rules: [tool] }).verdict).toBe('ask');
  });
});

test('law: one more part, and one more rule that asks or denies, never loosens', () => {
  const strictness = { allow: 0, ask: 1, deny: 2 };
  const part = fc.constantFrom(reads, changes, dynamic, firm, never);
  const anyRule = fc.tuple(
    fc.constantFrom<RuleEffect>('allow', 'ask', 'deny'),
    fc.constantFrom('*', 'git *', 'npm test', 'sudo id'),
  );
  const rules = fc
    .array(anyRule, { maxLength: 3 })
    .map((pairs) => pairs.map(([effect, command]) => rule(effect, command)));
  const mode = fc.constantFrom<PolicyMode>('strict', 'balanced', 'trusted');
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      part,
      rules,
      anyRule,
      mode,
      fc.constantFrom(open, confinement),
      (parts, extraPart, rules, [effect, command], mode, confinement) => {
        const options = { mode, confinement, rules };
        const before = strictness[verdict(parts, options).verdict];
        expect(strictness[verdict([...parts, extraPart], options).verdict]).toBeGreaterThanOrEqual(before);
        const tighter = { ...options, rules: [...rules, rule(effect, command)] };
        if (effect !== 'allow')
          expect(strictness[verdict(parts, tighter).verdict]).toBeGreaterThanOrEqual(before);
      },
    ),
  );
});

describe('a remembered rule', () => {
  const propose = (parts: CommandPart[], options?: VerdictOptions): Rule | undefined =>
    proposeRule('allow', { tool: 'run_command', plan: planOf(parts, options), args: {} });

  test('names the command word by word', () => {
    const found = propose([reads, changes]);
    expect(found).toMatchObject({ effect: 'allow', tool: 'run_command', command: ['git log', 'npm test'] });
    expect(verdict([reads, changes], { mode: 'strict', rules: [found ?? rule('deny', '*')] }).verdict).toBe(
      'allow',
    );
  });

  test('takes glob characters literally and covers the places that change', () => {
    const touches = [{ asked: 'a*', path: 'a*', access: 'delete' as const }];
    const removes = { ...changes, words: ['rm', 'a*'], text: 'rm a\\*' };
    expect(propose([removes], { touches })).toMatchObject({ command: ['rm a\\*'], path: ['./a\\*'] });
  });

  test('keeps words with blanks apart, and each part in its own folder', () => {
    const commitPart = { ...changes, words: ['git', 'commit', '-m', 'a b'], cwd: 'sub' };
    const found = propose([{ ...reads, cwd: '.' }, commitPart]);
    expect(found).toMatchObject({
      words: [
        { words: ['git', 'log'], cwd: '.' },
        { words: ['git', 'commit', '-m', 'a b'], cwd: 'sub' },
      ],
    });
    const rules = found ? [found] : [];
    const judged = (words: string[], cwd = 'sub'): RuleEffect =>
      verdict([{ ...commitPart, words, cwd }], { rules }).verdict;
    expect(judged(['git', 'commit', '-m', 'a b'])).toBe('allow');
    expect(judged(['git', 'commit', '-m', 'a', 'b'])).toBe('ask');
    expect(judged(['git', 'commit', '-m', 'a b'], '.')).toBe('ask');
  });

  test('is not offered for what must be asked or is not known', () => {
    const granted: VerdictOptions = { confinement: { sandbox: 'bubblewrap', network: true } };
    for (const part of [firm, dynamic, never]) expect(propose([reads, part])).toBeUndefined();
    expect(propose([changes], granted)).toBeUndefined();
  });

  test('that refuses speaks about the parts that were not harmless', () => {
    const found = proposeRule('deny', { tool: 'run_command', plan: planOf([reads, dynamic]), args: {} });
    expect(found?.command).toEqual(['npm "$x"']);
    expect(verdict([reads], { rules: [found ?? rule('deny', '*')] }).verdict).toBe('allow');
    expect(verdict([dynamic], { rules: [found ?? rule('allow', '*')] }).verdict).toBe('deny');
  });
});
