import { expect, test } from 'vitest';
import { completionAt } from './completion.tsx';

test.each([
  ['/un', 3, { type: 'command', query: '/un', from: 0, to: 3 }],
  ['/my-own', 7, { type: 'command', query: '/my-own', from: 0, to: 7 }],
  ['/model gp', 9, { type: 'model', query: 'gp', from: 7, to: 9 }],
  ['look at @src/a', 14, { type: 'file', query: 'src/a', from: 8, to: 14 }],
  ['@', 1, { type: 'file', query: '', from: 0, to: 1 }],
  ['mail me@home', 12, undefined],
  ['a /undo', 7, undefined],
  ['@a b', 4, undefined],
] as const)('%s', (text, caret, wish) => {
  expect(completionAt(text, caret)).toEqual(wish);
});
