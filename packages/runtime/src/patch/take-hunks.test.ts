import { expect, test } from 'vitest';
import { takeHunks } from './hunks.ts';

const numbered = Array.from({ length: 40 }, (_, i) => `line ${i + 1}\n`);
const before = numbered.join('');
const after = numbered.map((line, i) => (i % 10 === 4 ? line.toUpperCase() : line)).join('');

test('takes the chosen hunks and leaves the others as they were', () => {
  const expected = numbered.map((line, i) => (i === 4 || i === 24 ? line.toUpperCase() : line)).join('');
  expect(takeHunks(before, after, [1, 3])).toBe(expected);
});

test('all hunks give the new text, none the old', () => {
  expect(takeHunks(before, after, [1, 2, 3, 4])).toBe(after);
  expect(takeHunks(before, after, [])).toBe(before);
});
