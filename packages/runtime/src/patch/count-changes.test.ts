import { expect, test } from 'vitest';
import { countChanges } from './unified-diff.ts';

test('counts the lines of all changes', () => {
  expect(countChanges([])).toEqual({ additions: 0, deletions: 0 });
  expect(
    countChanges([
      { oldStart: 0, oldEnd: 2, newStart: 0, newEnd: 1 },
      { oldStart: 5, oldEnd: 5, newStart: 4, newEnd: 8 },
    ]),
  ).toEqual({ additions: 5, deletions: 2 });
});
