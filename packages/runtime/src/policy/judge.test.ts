import type { Plan, PolicyMode, Rule, RuleEffect } from '@codelab/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtInRules } from './built-in-rules.ts';
import { compileRule, ruleFactsOf } from './match-rule.ts';
import { proposeRule } from './propose-rule.ts';
import { judge } from './rule-book.ts';

const plan: Plan = { summary: '', risk: 'high', riskReason: '', touches: [], notes: [], basis: [] };
const edit = { tool: 'write_file', kind: 'edit' as const, profile: 'build' };
const writes = (path: string, requestedPath = path) =>
  ruleFactsOf(edit, [{ asked: requestedPath, path, access: 'write' }]);

function verdict(
  rules: readonly Rule[],
  facts = writes('src/a.ts'),
  mode: PolicyMode = 'strict',
  peerAsks = false,
) {
  const layered = rules.map((rule) => ({ layer: 'user' as const, ...compileRule(rule) }));
  return judge({ mode, rules: layered }, facts, plan, peerAsks);
}

const anyRule: fc.Arbitrary<Rule> = fc.record({
  id: fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/),
  effect: fc.constantFrom<RuleEffect>('allow', 'ask', 'deny'),
  reason: fc.constant('because'),
  path: fc.constantFrom('src/**', '**', '*.ts', 'docs/**', './src/a.ts'),
});

describe('laws', () => {
  test('a deny rule that matches wins, whatever else is said and in whatever order', () => {
    fc.assert(
      fc.property(
        fc.array(anyRule),
        fc.nat(),
        fc.constantFrom<PolicyMode>('strict', 'balanced', 'trusted'),
        fc.boolean(),
        (rules, at, mode, asks) => {
          const deny: Rule = { id: 'deny', effect: 'deny', reason: 'no', path: 'src/**' };
          const mixed = [...rules];
          mixed.splice(at % (rules.length + 1), 0, deny);
          expect(verdict(mixed, writes('src/a.ts'), mode, asks).verdict).toBe('deny');
        },
      ),
    );
  });

  test('the order of rules never changes the verdict', () => {
    fc.assert(
      fc.property(fc.array(anyRule), (rules) => {
        expect(verdict(rules).verdict).toBe(verdict(rules.toReversed()).verdict);
      }),
    );
  });

  test('one more rule that asks or denies never loosens, and the peer’s wish never loosens', () => {
    const strictness = { allow: 0, ask: 1, deny: 2 };
    fc.assert(
      fc.property(fc.array(anyRule), anyRule, (rules, extraRule) => {
        const before = strictness[verdict(rules).verdict];
        if (extraRule.effect !== 'allow')
          expect(strictness[verdict([...rules, extraRule]).verdict]).toBeGreaterThanOrEqual(
            Math.min(before, 1),
          );
        expect(strictness[verdict(rules, undefined, 'strict', true).verdict]).toBeGreaterThanOrEqual(before);
      }),
    );
  });
});

test('no rule: reads run, changes ask; edits and deletions run in review and trusted mode', () => {
  const kinds = ['read', 'search', 'think', 'ask', 'edit', 'move', 'delete', 'execute'] as const;
  const table = (mode: PolicyMode) =>
    kinds.map((kind) => judge({ mode, rules: [] }, ruleFactsOf({ ...edit, kind }, []), plan, false).verdict);
  expect(table('strict')).toEqual(['allow', 'allow', 'allow', 'allow', 'ask', 'ask', 'ask', 'ask']);
  expect(table('balanced')).toEqual(table('strict'));
  for (const mode of ['review', 'trusted'] as const)
    expect(table(mode)).toEqual(['allow', 'allow', 'allow', 'allow', 'allow', 'allow', 'allow', 'ask']);
});

test('the built-in rules keep their own examples', () => {
  expect(builtInRules.map((rule) => compileRule(rule).rule.id)).toEqual([
    'git-internals',
    'own-config',
    'protected-files',
    'trusted-settings',
    'secret-files',
    'secrets',
  ]);
});

test('a rule that contradicts its example is refused at load', () => {
  const rule: Rule = { id: 'x', effect: 'allow', reason: 'r', path: 'src/**', matches: [{ path: 'docs/a' }] };
  expect(() => compileRule(rule)).toThrow('Rule "x" does not match its own example');
  expect(() => compileRule({ ...rule, matches: [], notMatches: [{ path: 'src/a' }] })).toThrow(
    'matches its own example',
  );
});

test('an allow rule must cover every place, a deny rule only one', () => {
  const both = ruleFactsOf({ ...edit, kind: 'move' }, [
    { asked: 'src/a', path: 'src/a', access: 'delete' },
    { asked: 'docs/a', path: 'docs/a', access: 'create' },
  ]);
  expect(verdict([{ id: 'a', effect: 'allow', reason: 'r', path: 'src/**' }], both).verdict).toBe('ask');
  expect(verdict([{ id: 'd', effect: 'deny', reason: 'r', path: 'docs/**' }], both).verdict).toBe('deny');
});

test('a place is judged by where it leads and by how it was spelled', () => {
  const deny: Rule = { id: 'd', effect: 'deny', reason: 'r', path: 'secret.txt' };
  expect(verdict([deny], writes('secret.txt', 'alias.txt')).verdict).toBe('deny');
  expect(verdict([deny], writes('plain.txt', 'secret.txt')).verdict).toBe('deny');
  const allow: Rule = { id: 'a', effect: 'allow', reason: 'r', path: 'alias.txt' };
  expect(verdict([allow], writes('other.txt', 'alias.txt')).verdict).toBe('ask');
});

test('a remembered rule covers exactly the places it was given for', () => {
  const touches = [{ asked: 'a[1].txt', path: 'a[1].txt', access: 'write' as const }];
  const rule = proposeRule('allow', { tool: 'write_file', plan: { ...plan, touches }, args: {} });
  if (rule === undefined) throw new Error('There is no rule.');
  expect(verdict([rule], writes('a[1].txt')).verdict).toBe('allow');
  expect(verdict([rule], writes('a1.txt')).verdict).toBe('ask');
  expect(verdict([rule], writes('A[1].TXT')).verdict).toBe('ask');
  expect(verdict([rule], writes('a[1].txt. ')).verdict).toBe('ask');
  expect(verdict([rule], writes('sub/a[1].txt')).verdict).toBe('ask');
  expect(verdict([rule], ruleFactsOf({ ...edit, tool: 'delete_file' }, touches)).verdict).toBe('ask');
});
