import type { Effect } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { type ChangeStep, netLines } from './net-changes.ts';

const file = (digest: string): NonNullable<Effect['before']> => ({
  type: 'file',
  digest,
  size: 1,
  mode: 0o644,
});
const step = (tool: string, path: string, [before, after]: [string, string], lines: number): ChangeStep => ({
  tool,
  effects: [{ op: 'update', path, before: file(before), after: file(after) }],
  diff: { additions: lines, deletions: lines },
});
const edit = step('edit_file', 'a', ['0', '1'], 2);
const other = step('edit_file', 'b', ['0', '1'], 1);

test('what is discarded or undone is subtracted, to nothing when all of it is', () => {
  const discard = step('discard_changes', 'a', ['1', '2'], 1);
  expect(netLines([edit, other])).toEqual({ added: 3, removed: 3 });
  expect(netLines([edit, other, discard])).toEqual({ added: 2, removed: 2 });
  const undo = step('undo', 'a', ['2', '0'], 1);
  const undoOther = step('undo', 'b', ['1', '0'], 1);
  expect(netLines([edit, other, discard, undo])).toEqual({ added: 1, removed: 1 });
  expect(netLines([edit, other, discard, undo, undoOther])).toEqual({ added: 0, removed: 0 });
});

test('what is brought back counts again', () => {
  const undo = step('undo', 'a', ['1', '0'], 2);
  expect(netLines([edit, other, undo, step('redo', 'a', ['0', '1'], 2)])).toEqual({ added: 3, removed: 3 });
  const discard = step('discard_changes', 'a', ['1', '2'], 1);
  // An undo may be that of a discard.
  expect(netLines([edit, other, discard, step('undo', 'a', ['2', '1'], 1)])).toEqual({
    added: 3,
    removed: 3,
  });
});
