import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agentChanges, type FollowedLines, followAgent, followUser } from './follow-lines.ts';

/** One letter for each line: what was there, then in turns what the agent and its user made of it. */
function follow(first: string, ...later: string[]): { base: string; changes: number[][] } {
  const lines = (text: string): string[] => [...text].map((letter) => `${letter}\n`);
  let followed: FollowedLines = { base: lines(first), now: lines(first) };
  for (const [i, text] of later.entries())
    followed = (i % 2 === 0 ? followAgent : followUser)(followed, lines(text));
  const changes = agentChanges(followed).map((change) => [
    change.oldStart,
    change.oldEnd,
    change.newStart,
    change.newEnd,
  ]);
  return { base: followed.base.map((line) => line.trimEnd()).join(''), changes };
}

test.each([
  ['a line elsewhere', ['abc', 'aBc', 'aBcU'], 'abcU', [[1, 2, 1, 2]]],
  ['a line right beside', ['abc', 'aBc', 'aBUc'], 'abUc', [[1, 2, 1, 2]]],
  [
    'a line among new ones',
    ['ac', 'aXYc', 'aXUYc'],
    'aUc',
    [
      [1, 1, 1, 2],
      [2, 2, 3, 4],
    ],
  ],
  ['another text for a new line', ['ac', 'aXYc', 'aUYc'], 'aUc', [[2, 2, 2, 3]]],
  [
    'a line among changed ones',
    ['abc', 'aXYc', 'aXUYc'],
    'abUc',
    [
      [1, 2, 1, 2],
      [3, 3, 3, 4],
    ],
  ],
  ['another text for a changed line', ['abc', 'aBc', 'aUc'], 'aUc', []],
  ['that a new line goes', ['ac', 'aXYc', 'aYc'], 'ac', [[1, 1, 1, 2]]],
  ['that a line goes which nobody else touched', ['abcd', 'Abcd', 'Abd'], 'abd', [[0, 1, 0, 1]]],
])('a user who wants %s gets it into the base', (_what, texts, base, changes) => {
  const [first = '', ...later] = texts;
  expect(follow(first, ...later)).toEqual({ base, changes });
});

test('what the agent restores later is no change, and what it removes of the user’s lines is one', () => {
  expect(follow('abc', 'ac', 'acU', 'abcU')).toEqual({ base: 'abcU', changes: [] });
  expect(follow('abc', 'aBc', 'aBcU', 'aBc')).toEqual({
    base: 'abcU',
    changes: [
      [1, 2, 1, 2],
      [3, 4, 3, 3],
    ],
  });
});

test('a line of the user never joins one that had no line feed at its end', () => {
  const agent = followAgent({ base: ['a\n', 'b'], now: ['a\n', 'b'] }, ['a\n', 'X\n', 'Y\n']);
  expect(followUser(agent, ['a\n', 'X\n', 'U\n', 'Y\n']).base).toEqual(['a\n', 'b\n', 'U\n']);
});

test('every line of the user that stands is in the base, and none of the agent’s that are left', () => {
  const text = (who: string) =>
    fc.array(fc.constantFrom(...who), { maxLength: 8 }).map((all) => all.join(''));
  fc.assert(
    fc.property(text('abc'), text('abcXY'), text('abcXYUV'), text('abcXYUVZ'), (...texts) => {
      const users = [...texts[2]].filter((letter) => 'UV'.includes(letter)).length;
      const { base } = follow(texts[0], texts[1], texts[2]);
      expect([...base].filter((letter) => 'UV'.includes(letter))).toHaveLength(users);
      expect(follow(...texts).base).not.toContain('Z');
    }),
    { numRuns: 1000 },
  );
});
