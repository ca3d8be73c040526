import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitAtLineFeeds } from './unified-diff.ts';

test('only a line feed ends a line', () => {
  expect(splitAtLineFeeds('')).toEqual([]);
  expect(splitAtLineFeeds('a\rb\r\n\nc\r')).toEqual(['a\rb\r\n', '\n', 'c\r']);
});

test('law: joined lines are the text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r') });
  fc.assert(fc.property(text, (value) => splitAtLineFeeds(value).join('') === value));
});
