import type { Effect } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { changedPaths } from './changed-paths.ts';

const file = (digest: string): NonNullable<Effect['before']> => ({
  type: 'file',
  digest,
  size: 1,
  mode: 0o644,
});
const effect = (op: Effect['op'], path: string, before: string | null, after: string | null): Effect => ({
  op,
  path,
  before: before === null ? null : file(before),
  after: after === null ? null : file(after),
});
const marks = (...effects: Effect[]) =>
  Object.fromEntries(changedPaths(effects.map((single) => ({ effects: [single] }))));

test('what was made, changed and deleted is marked', () => {
  expect(
    marks(
      effect('create', 'a', null, '1'),
      effect('update', 'b', '1', '2'),
      effect('delete', 'c', '1', null),
    ),
  ).toEqual({ a: 'added', b: 'changed', c: 'deleted' });
});

test('what was taken back is not marked any more', () => {
  expect(
    marks(
      effect('create', 'a', null, '1'),
      effect('update', 'b', '1', '2'),
      effect('delete', 'a', '1', null),
      effect('update', 'b', '2', '1'),
    ),
  ).toEqual({});
});

test('a move marks both places, and none when it is moved back', () => {
  const there: Effect = { ...effect('move', 'b', null, '1'), from: 'a' };
  const back: Effect = { ...effect('move', 'a', null, '1'), from: 'b' };
  expect(marks(there)).toEqual({ a: 'deleted', b: 'added' });
  expect(marks(there, back)).toEqual({});
});
