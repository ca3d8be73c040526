import { expect, test } from 'vitest';
import { treeMarks } from './tree-marks.ts';

test('a folder has the weightiest mark inside it, and what the session did comes before what git says', () => {
  const marks = treeMarks(
    [
      { path: 'src/deep/new.ts', mark: 'added' },
      { path: 'src/old.ts', mark: 'changed' },
      { path: 'new', mark: 'added' },
      { path: 'both.ts', mark: 'changed' },
    ],
    new Map([
      ['both.ts', 'deleted'],
      ['new/a.ts', 'changed'],
    ]),
  );
  expect([...marks].map(([path, { mark, isInside, isOfGit }]) => [path, mark, isInside, isOfGit])).toEqual([
    ['src/deep/new.ts', 'added', false, true],
    ['src/old.ts', 'changed', false, true],
    ['new', 'added', false, true],
    ['both.ts', 'deleted', false, false],
    ['new/a.ts', 'changed', false, false],
    ['src/deep', 'added', true, true],
    ['src', 'changed', true, true],
  ]);
});
