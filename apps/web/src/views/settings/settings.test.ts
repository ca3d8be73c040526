import { expect, test } from 'vitest';
import { newRule } from './rules/rule-form.tsx';
import { parseTypedArguments } from './rules/rule-tester.tsx';
import { nestParts } from './rules/verdict-tree.tsx';

test('parts of a line stand below what they lie in', () => {
  const parts = ['a', 'b', 'c', 'd'].map((text) => ({ text, verdict: 'ask' as const, reason: '' }));
  const texts = (nodes: ReturnType<typeof nestParts>): unknown =>
    nodes.map(({ part, inner }) => [part.text, texts(inner)]);
  expect(texts(nestParts(parts, [0, 1, 2, 1]))).toEqual([
    [
      'a',
      [
        ['b', [['c', []]]],
        ['d', []],
      ],
    ],
  ]);
  expect(texts(nestParts(parts))).toEqual([
    ['a', []],
    ['b', []],
    ['c', []],
    ['d', []],
  ]);
  expect(texts(nestParts(parts, [2, 0, 5, 0]))).toEqual([
    ['a', []],
    ['b', [['c', []]]],
    ['d', []],
  ]);
});

test('a new rule has an id that the policy takes, whatever it is about', () => {
  expect(
    newRule({ effect: 'allow', about: 'command', pattern: ' npm run * ', reason: ' Ours. ' }, 'x1'),
  ).toEqual({
    id: 'allow-command-npm-run-x1',
    effect: 'allow',
    reason: 'Ours.',
    command: 'npm run *',
  });
  for (const pattern of ['**', 'Ä/ö', 'a'.repeat(500)])
    expect(newRule({ effect: 'deny', about: 'path', pattern, reason: 'r' }, 'zz').id).toMatch(
      /^[a-z0-9][a-z0-9._:-]{0,99}$/,
    );
});

test('arguments are one JSON object or nothing', () => {
  expect(parseTypedArguments('')).toEqual({});
  expect(parseTypedArguments(' {"a": 1} ')).toEqual({ a: 1 });
  for (const text of ['[]', 'null', '1', '{', '"a"']) expect(parseTypedArguments(text)).toBeUndefined();
});
