import { expect, test } from 'vitest';
import { treeKey } from './use-file-tree.ts';
import type { TreeRow } from './visible-rows.ts';

const row = (path: string, level: number, kind: 'file' | 'open' | 'closed' = 'file'): TreeRow => ({
  kind: 'entry',
  path,
  name: path.split('/').at(-1) ?? '',
  level,
  isFolder: kind !== 'file',
  isOpen: kind === 'open',
  place: 1,
  siblings: 1,
});
const rows = [row('src', 1, 'open'), row('src/a.ts', 2), row('lib', 1, 'closed'), row('Alpha.md', 1)];

test.each([
  ['ArrowDown', 'src', { do: 'go', path: 'src/a.ts' }],
  ['ArrowDown', 'Alpha.md', { do: 'go', path: 'Alpha.md' }],
  ['ArrowDown', '', { do: 'go', path: 'src' }],
  ['ArrowUp', 'src', { do: 'go', path: 'src' }],
  ['End', 'src', { do: 'go', path: 'Alpha.md' }],
  ['Home', 'lib', { do: 'go', path: 'src' }],
  ['ArrowRight', 'src', { do: 'go', path: 'src/a.ts' }],
  ['ArrowRight', 'lib', { do: 'open', path: 'lib' }],
  ['ArrowRight', 'Alpha.md', undefined],
  ['ArrowLeft', 'src/a.ts', { do: 'go', path: 'src' }],
  ['ArrowLeft', 'src', { do: 'close', path: 'src' }],
  ['Enter', 'src/a.ts', { do: 'use', path: 'src/a.ts' }],
  ['F2', 'src/a.ts', { do: 'rename', path: 'src/a.ts' }],
  ['Delete', 'lib', { do: 'delete', path: 'lib' }],
  ['Delete', '', undefined],
  ['a', 'src/a.ts', { do: 'go', path: 'Alpha.md' }],
  ['z', 'src', undefined],
  ['Tab', 'src', undefined],
])('%s at %s', (key, current, move) => {
  expect(treeKey(key, rows, current)).toEqual(move);
});
