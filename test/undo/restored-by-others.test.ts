// What others already restored, as by `git checkout`: undo and redo leave it, and say what is true of it.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandBench } from '../support/command-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { treeState } from '../support/tree-state.ts';
import { approveAll, workbench } from '../support/workbench.ts';

test('a redo of what is there again changes nothing, and does not count as done', async () => {
  await using bench = await workbench({ files: { LICENSE: 'old\n' }, mode: 'trusted' });
  await bench.call('write_file', { path: 'LICENSE', content: 'agent\n' }, { turn: 1 });
  await bench.call('write_file', { path: 'n/new.txt', content: 'agent\n' }, { turn: 1 });
  const after = treeState(bench.root);
  await bench.call('undo', {});
  writeFileSync(join(bench.root, 'LICENSE'), 'agent\n');
  mkdirSync(join(bench.root, 'n'));
  writeFileSync(join(bench.root, 'n/new.txt'), 'agent\n');
  expect(await bench.call('redo', {})).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('already') },
    effects: [],
  });
  expect(await bench.call('undo', {})).toMatchObject({
    error: { message: 'There is nothing to undo here.' },
  });
  expect(treeState(bench.root)).toEqual(after);
});

test('content that an undo restored is not called too old', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'old\n', 'b.txt': 'old\n' }, mode: 'trusted' });
  bench.human(approveAll);
  for (const path of ['a.txt', 'b.txt'])
    await bench.call('write_file', { path, content: 'agent\n' }, { turn: 1 });
  await bench.call('undo', {});
  writeFileSync(join(bench.root, 'a.txt'), 'agent\n');
  await bench.call('redo', {});
  const outcome = await bench.call('undo', { turn: 1 });
  expect(outcome).toMatchObject({
    data: {
      refused: [
        { path: 'a.txt', reason: expect.stringMatching(/^an earlier undo restored its previous content/) },
      ],
    },
  });
  expect([
    readFileSync(join(bench.root, 'a.txt'), 'utf8'),
    readFileSync(join(bench.root, 'b.txt'), 'utf8'),
  ]).toEqual(['agent\n', 'old\n']);
});

describe('folders', () => {
  test('a person’s own empty folder in the place of a removed one stays', async () => {
    using scratch = scratchFolder({ files: { 'd/x.txt': 'x', 'a.txt': 'a' } });
    await using bench = commandBench(scratch);
    await bench.sh('rm -r d; echo b > a.txt');
    mkdirSync(join(scratch.root, 'd'), { mode: 0o700 });
    await bench.call('undo');
    expect(readFileSync(join(scratch.root, 'd/x.txt'), 'utf8')).toBe('x');
    await bench.call('redo');
    const { d } = treeState(scratch.root);
    expect(d).toMatch(/directory 700/);
  });

  test('a file in the place of a removed one is left, and the rest is undone', async () => {
    using scratch = scratchFolder({ files: { 'd/x.txt': 'x', 'a.txt': 'a' } });
    await using bench = commandBench(scratch);
    await bench.sh('rm -r d; echo b > a.txt');
    writeFileSync(join(scratch.root, 'd'), 'mine');
    expect(await bench.call('undo')).toMatchObject({
      data: {
        refused: [{ path: 'd', reason: expect.stringContaining('move it away') }, { path: 'd/x.txt' }],
      },
    });
    expect(readFileSync(join(scratch.root, 'a.txt'), 'utf8')).toBe('a');
    expect(readFileSync(join(scratch.root, 'd'), 'utf8')).toBe('mine');
    rmSync(join(scratch.root, 'd'));
    expect(await bench.call('undo')).toMatchObject({ data: { refused: [] } });
    expect(readFileSync(join(scratch.root, 'd/x.txt'), 'utf8')).toBe('x');
  });

  test('those made for a file that a forced undo brings back go with it', async () => {
    await using bench = await workbench({ files: { 'd/e/a.txt': 'a\n', 'm.txt': 'm\n' }, mode: 'trusted' });
    bench.human(approveAll);
    await bench.call('write_file', { path: 'd/e/a.txt', content: 'agent\n' }, { turn: 1 });
    await bench.call('move_file', { from: 'd/e/a.txt', to: 'moved.txt' }, { turn: 1 });
    rmSync(join(bench.root, 'd'), { recursive: true });
    const before = treeState(bench.root);
    expect(await bench.call('undo', { force: true })).toMatchObject({ data: { refused: [] } });
    expect(readFileSync(join(bench.root, 'd/e/a.txt'), 'utf8')).toBe('a\n');
    expect(await bench.call('redo', {})).toMatchObject({ data: { refused: [] } });
    expect(treeState(bench.root)).toEqual(before);
  });

  test('one of the agent’s that a person gave another mode has it again after a redo', async () => {
    await using bench = await workbench({ files: {}, mode: 'trusted' });
    await bench.call('create_directory', { path: 'n' });
    chmodSync(join(bench.root, 'n'), 0o700);
    const before = treeState(bench.root);
    await bench.call('undo', {});
    expect(existsSync(join(bench.root, 'n'))).toBe(false);
    await bench.call('redo', {});
    expect(treeState(bench.root)).toEqual(before);
  });

  test('read-only ones of a command are undone again after a redo', async () => {
    using scratch = scratchFolder({ files: { 'lib/sub/deep/x': '1' } });
    for (const path of ['lib/sub/deep', 'lib/sub']) chmodSync(join(scratch.root, path), 0o555);
    await using bench = commandBench(scratch);
    const before = treeState(scratch.root);
    await bench.sh('chmod -R u+w lib; rm -rf lib; mkdir lib; echo 1 > lib/y');
    const after = treeState(scratch.root);
    for (const tree of [before, after, before, after, before]) {
      const outcome = await bench.call(tree === before ? 'undo' : 'redo');
      expect(outcome).toMatchObject({ status: 'completed', data: { refused: [] } });
      expect(treeState(scratch.root)).toEqual(tree);
    }
  });
});
