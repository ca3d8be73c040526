// A move and what it had replaced are undone and redone together, or refused together: whatever a person did to either in between.
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import { inspect, previewUndo } from '@codelab/runtime';
import { describe, expect, test } from 'vitest';
import { treeState } from '../support/tree-state.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const changes: [string, (path: string) => void][] = [
  ['edited', (path) => appendFileSync(path, 'user\n')],
  ['removed', (path) => rmSync(path, { force: true })],
  [
    'replaced by a folder',
    (path) => {
      rmSync(path, { force: true });
      mkdirSync(path);
      writeFileSync(join(path, 'mine'), 'user\n');
    },
  ],
  [
    'replaced by an empty folder',
    (path) => {
      rmSync(path, { force: true });
      mkdirSync(path);
    },
  ],
  [
    'replaced by a link',
    (path) => {
      rmSync(path, { force: true });
      symlinkSync('elsewhere', path);
    },
  ],
  ['renamed', (path) => renameSync(path, `${path}.mine`)],
];

async function movedOver(): Promise<Workbench> {
  const bench = await workbench({ files: { 's.txt': 'source\n', 't.txt': 'target\n' }, mode: 'trusted' });
  bench.human(approveAll);
  await bench.call('move_file', { from: 's.txt', to: 't.txt', overwrite: true });
  return bench;
}

const refusedIn = (outcome: Outcome): unknown[] =>
  outcome.status === 'completed' ? (outcome.data.refused as unknown[]) : ['failed'];

/** All is done or nothing, and the opposite brings everything back. */
async function doneOrRefused(bench: Workbench, verb: 'undo' | 'redo', force: boolean): Promise<void> {
  const before = treeState(bench.root);
  const preview = await inspect(bench.host, { session: 's1' }, (context) =>
    previewUndo(context, { verb, selection: {}, isForced: force }),
  ).catch(() => undefined);
  const outcome = await bench.call(verb, { force });
  if (refusedIn(outcome).length > 0) {
    // Force may put what a move had replaced where nothing is by now.
    const state = treeState(bench.root);
    if (!force || outcome.status !== 'completed') expect(state).toEqual(before);
    expect(state).toMatchObject({ ...before, '.': expect.anything() as unknown });
    return;
  }
  expect(preview?.files.filter(({ state }) => state === 'refused')).toEqual([]);
  expect(treeState(bench.root)).not.toEqual(before);
  const opposite = await bench.call(verb === 'undo' ? 'redo' : 'undo', {});
  expect(refusedIn(opposite)).toEqual([]);
  expect(treeState(bench.root)).toEqual(before);
}

describe.each(['s.txt', 't.txt'])('%s', (path) => {
  describe.each([false, true])('force %j', (force) => {
    test.each(changes)('%s before an undo', async (_what, change) => {
      await using bench = await movedOver();
      if (path === 's.txt') writeFileSync(join(bench.root, path), 'user\n');
      change(join(bench.root, path));
      await doneOrRefused(bench, 'undo', force);
    });

    test.each(changes)('%s before a redo', async (_what, change) => {
      await using bench = await movedOver();
      await bench.call('undo', {});
      change(join(bench.root, path));
      await doneOrRefused(bench, 'redo', force);
    });

    test.each(changes)('%s before an undo of the redo', async (_what, change) => {
      await using bench = await movedOver();
      await bench.call('undo', {});
      await bench.call('redo', {});
      if (path === 's.txt') writeFileSync(join(bench.root, path), 'user\n');
      change(join(bench.root, path));
      await doneOrRefused(bench, 'undo', force);
    });
  });
});

test('a refused redo of a move says why of both files, and is done once the cause is gone', async () => {
  await using bench = await movedOver();
  await bench.call('undo', {});
  writeFileSync(join(bench.root, 's.txt'), 'user\n');
  expect(await bench.call('redo', {})).toMatchObject({
    status: 'failed',
    error: {
      details: {
        refused: [
          { path: 't.txt', reason: 'it belongs together with s.txt, which is left: it was changed since' },
          { path: 's.txt', reason: 'it was changed since' },
        ],
      },
    },
  });
  writeFileSync(join(bench.root, 's.txt'), 'source\n');
  expect(await bench.call('redo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
});

test('a redo of a turn is refused only where a move in it is', async () => {
  await using bench = await workbench({
    files: { 's.txt': 'source\n', 't.txt': 'target\n', 'a.txt': 'a\n' },
    mode: 'trusted',
  });
  bench.human(approveAll);
  await bench.call('write_file', { path: 'a.txt', content: 'agent\n' }, { turn: 1 });
  await bench.call('delete_file', { path: 't.txt' }, { turn: 1 });
  await bench.call('write_file', { path: 's.txt', content: 'source again\n' }, { turn: 1 });
  await bench.call('move_file', { from: 's.txt', to: 't.txt' }, { turn: 1 });
  const after = treeState(bench.root);
  await bench.call('undo', {});
  const before = treeState(bench.root);
  expect(await bench.call('redo', {})).toMatchObject({ data: { refused: [] } });
  expect(treeState(bench.root)).toEqual(after);
  await bench.call('undo', {});
  writeFileSync(join(bench.root, 's.txt'), 'user\n');
  const outcome = await bench.call('redo', {});
  expect(outcome.effects.map(({ path }) => path)).toEqual(['a.txt']);
  expect(treeState(bench.root)['t.txt']).toBe(before['t.txt']);
});
