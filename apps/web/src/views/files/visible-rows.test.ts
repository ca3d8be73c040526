import { expect, test } from 'vitest';
import type { KnownFolder } from './tree-store.ts';
import { visibleRows } from './visible-rows.ts';

const entry = (path: string, type = 'file') => ({ name: path.split('/').at(-1) ?? '', path, type });
const folders = new Map<string, KnownFolder>([
  [
    '.',
    {
      status: 'ready',
      entries: [entry('src', 'directory'), entry('lib', 'directory'), entry('a.ts')],
      isCut: false,
    },
  ],
  ['src', { status: 'ready', entries: [entry('src/b.ts')], isCut: true }],
]);
const spell = (open: string[]): string[] =>
  visibleRows({ folders, open: new Set(open) }).map((row) =>
    row.kind === 'entry'
      ? `${row.level} ${row.path} ${row.place}/${row.siblings}`
      : `${row.level} (${row.note})`,
  );

test('a closed folder is one line', () => {
  expect(spell([])).toEqual(['1 src 1/3', '1 lib 2/3', '1 a.ts 3/3']);
});

test('an open one is followed by what lies in it, or by what is known of it', () => {
  expect(spell(['src', 'lib', 'gone'])).toEqual([
    '1 src 1/3',
    '2 src/b.ts 1/1',
    '2 (cut)',
    '1 lib 2/3',
    '2 (loading)',
    '1 a.ts 3/3',
  ]);
});
