import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { treeState } from '../support/tree-state.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const read = (bench: Workbench, path: string): string => readFileSync(join(bench.root, path), 'utf8');
const codeOf = (outcome: Outcome): string =>
  outcome.status === 'completed' ? 'completed' : outcome.error.code;

describe('undo and redo', () => {
  test('call by call, newest first, and forward again', async () => {
    await using bench = await workbench({ files: { 'a.txt': '0\n' }, mode: 'trusted' });
    for (const n of [1, 2, 3]) await bench.call('write_file', { path: 'a.txt', content: `${n}\n` });
    const states: string[] = [];
    for (const tool of ['undo', 'undo', 'redo', 'undo', 'undo']) {
      await bench.call(tool, {});
      states.push(read(bench, 'a.txt'));
    }
    expect(states).toEqual(['2\n', '1\n', '2\n', '1\n', '0\n']);
    expect(await bench.call('undo', {})).toMatchObject({
      status: 'failed',
      error: { message: 'There is nothing to undo here.' },
    });
  });

  test('a whole turn at once, deletes, moves, modes and new folders included, after a restart', async () => {
    await using bench = await workbench({
      files: { 'a.txt': 'a\n', 'd/x.txt': 'x\n', 'm.txt': 'm\n', 'run.sh': 'r\n' },
      mode: 'trusted',
    });
    chmodSync(join(bench.root, 'run.sh'), 0o755);
    bench.human(approveAll);
    const turn = { turn: 1 };
    await bench.call('write_file', { path: 'a.txt', content: 'A\n' }, turn);
    await bench.call('delete_file', { path: 'd', recursive: true }, turn);
    await bench.call('move_file', { from: 'm.txt', to: 'n/m.txt' }, turn);
    await bench.call('write_file', { path: 'run.sh', content: 'R\n' }, turn);
    await bench.restart();
    expect(codeOf(await bench.call('undo', {}, { id: 'u' }))).toBe('completed');
    expect([
      read(bench, 'a.txt'),
      read(bench, 'd/x.txt'),
      read(bench, 'm.txt'),
      read(bench, 'run.sh'),
    ]).toEqual(['a\n', 'x\n', 'm\n', 'r\n']);
    expect(statSync(join(bench.root, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(existsSync(join(bench.root, 'n'))).toBe(false);
  });

  test('a patch of many files is taken back and made again, modes and hard links included', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `f${n}.txt`);
    const files = Object.fromEntries(names.map((name) => [name, `one\ntwo of ${name}\n`]));
    await using bench = await workbench({ files, mode: 'trusted' });
    chmodSync(join(bench.root, 'f3.txt'), 0o640);
    linkSync(join(bench.root, 'f4.txt'), join(bench.root, 'other-name.txt'));
    const before = treeState(bench.root);
    const diff = names.map((name, n) => {
      const mode = n === 5 ? `diff --git a/${name} b/${name}\nold mode 100644\nnew mode 100755\n` : '';
      return `${mode}--- a/${name}\n+++ b/${name}\n@@ -1,2 +1,2 @@\n one\n-two of ${name}\n+${n}\n`;
    });
    expect(codeOf(await bench.call('apply_patch', { diff: diff.join('') }))).toBe('completed');
    expect(read(bench, 'other-name.txt')).toBe('one\n4\n');
    expect(statSync(join(bench.root, 'f5.txt')).mode & 0o777).toBe(0o755);
    const after = treeState(bench.root);
    await bench.restart();
    expect(codeOf(await bench.call('undo', {}))).toBe('completed');
    expect(treeState(bench.root)).toEqual(before);
    expect(codeOf(await bench.call('redo', {}))).toBe('completed');
    expect(treeState(bench.root)).toEqual(after);
    expect(codeOf(await bench.call('undo', {}))).toBe('completed');
    expect(treeState(bench.root)).toEqual(before);
  });

  test('turns whose files are as they were before already are passed over', async () => {
    await using bench = await workbench({
      files: { 'a.txt': 'a\n', 'b.txt': 'b\n', 'm.txt': 'm\n' },
      mode: 'trusted',
    });
    bench.human(approveAll);
    await bench.call('write_file', { path: 'a.txt', content: 'A\n' }, { turn: 1 });
    for (const turn of [2, 3, 4]) {
      await bench.call('write_file', { path: 'b.txt', content: `${turn}\n` }, { turn });
      await bench.call('write_file', { path: 'b.txt', content: `${turn} again\n` }, { turn });
    }
    await bench.call('write_file', { path: 'new/c.txt', content: 'c\n' }, { turn: 5 });
    await bench.call('move_file', { from: 'm.txt', to: 'moved.txt' }, { turn: 6 });
    // As by `git checkout` and `git clean`.
    writeFileSync(join(bench.root, 'b.txt'), 'b\n');
    rmSync(join(bench.root, 'new'), { recursive: true });
    renameSync(join(bench.root, 'moved.txt'), join(bench.root, 'm.txt'));
    expect(await bench.call('undo', {})).toMatchObject({
      data: { taken_back: [{ paths: ['a.txt'] }], refused: [] },
    });
    expect([read(bench, 'a.txt'), read(bench, 'b.txt'), read(bench, 'm.txt')]).toEqual(['a\n', 'b\n', 'm\n']);
    expect(await bench.call('undo', {})).toMatchObject({
      error: { message: 'There is nothing to undo here.' },
    });
  });

  test('an undo that is refused as a whole names the turn before', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' }, mode: 'trusted' });
    await bench.call('write_file', { path: 'a.txt', content: 'A\n' }, { turn: 1 });
    await bench.call('write_file', { path: 'b.txt', content: 'B\n' }, { turn: 2 });
    writeFileSync(join(bench.root, 'b.txt'), 'mine\n');
    expect(await bench.call('undo', {})).toMatchObject({
      error: {
        code: 'STALE',
        message:
          'Nothing was changed (b.txt: it was changed since). Read these files and edit them instead, or name other files with paths. To undo over the later changes, ask the user first: force overwrites them. To undo the turn before, give turn: 1.',
        details: { turn_before: { session: 's1', turn: 1 } },
      },
    });
    expect(await bench.call('undo', { turn: 1 })).toMatchObject({ data: { refused: [] } });
    expect([read(bench, 'a.txt'), read(bench, 'b.txt')]).toEqual(['a\n', 'mine\n']);
  });

  test('a file changed since is refused by name, the others are restored, and force overrides', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'one\n', 'b.txt': 'two\n' }, mode: 'trusted' });
    const diff =
      '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-two\n+2\n';
    await bench.call('apply_patch', { diff });
    writeFileSync(join(bench.root, 'b.txt'), 'mine\n');
    expect(await bench.call('undo', {})).toMatchObject({
      data: { refused: [{ path: 'b.txt', reason: 'it was changed since' }] },
    });
    expect([read(bench, 'a.txt'), read(bench, 'b.txt')]).toEqual(['one\n', 'mine\n']);
    bench.human(approveAll);
    expect(codeOf(await bench.call('undo', { force: true }))).toBe('completed');
    expect(read(bench, 'b.txt')).toBe('two\n');
    await bench.call('undo', {});
  });
});

test('a move is undone also when both names are the same file by now', async () => {
  await using bench = await workbench({ mode: 'trusted', files: { 'a.txt': 'a\n' } });
  await bench.call('move_file', { from: 'a.txt', to: 'n/b.txt' });
  linkSync(join(bench.root, 'n/b.txt'), join(bench.root, 'a.txt'));
  expect(await bench.call('undo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('a\n');
  expect(existsSync(join(bench.root, 'n/b.txt'))).toBe(false);
});

describe('what stands in the way by now', () => {
  test('a new file at the old place of a moved one is refused by name and stays; force puts it aside', async () => {
    await using bench = await workbench({ mode: 'trusted', files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    await bench.call('write_file', { path: 'b.txt', content: 'B\n' }, { turn: 1 });
    await bench.call('move_file', { from: 'a.txt', to: 'n/a.txt' }, { turn: 1 });
    writeFileSync(join(bench.root, 'a.txt'), 'mine\n');
    expect(await bench.call('undo', {})).toMatchObject({
      data: { refused: [{ path: 'n/a.txt', reason: 'another a.txt exists now', code: 'STALE' }] },
    });
    expect(['a.txt', 'n/a.txt', 'b.txt'].map((path) => read(bench, path))).toEqual(['mine\n', 'a\n', 'b\n']);
    bench.human(approveAll);
    expect(await bench.call('undo', { force: true })).toMatchObject({ status: 'completed' });
    expect(read(bench, 'a.txt')).toBe('a\n');
    await bench.call('redo', {});
    expect(read(bench, 'a.txt')).toBe('mine\n');
  });

  test('a new folder at the old place of a moved one is refused, also by force, and the rest is undone', async () => {
    await using bench = await workbench({ mode: 'trusted', files: { 'd/a.txt': 'a\n', 'b.txt': 'b\n' } });
    await bench.call('move_file', { from: 'd', to: 'e' }, { turn: 1 });
    await bench.call('delete_file', { path: 'b.txt' }, { turn: 1 });
    mkdirSync(join(bench.root, 'd'));
    writeFileSync(join(bench.root, 'd/mine.txt'), 'mine\n');
    const reason = 'another folder d exists now; move it away, then try again';
    const refused = [{ path: 'e', reason, code: 'ALREADY_EXISTS' }];
    expect(await bench.call('undo', {})).toMatchObject({ data: { refused } });
    expect([read(bench, 'b.txt'), read(bench, 'd/mine.txt')]).toEqual(['b\n', 'mine\n']);
    bench.human(approveAll);
    expect(await bench.call('undo', { force: true })).toMatchObject({ error: { details: { refused } } });
  });

  test('below a folder that became a file or a link, files are refused by name and the rest is undone', async () => {
    const files = { 'd/a.txt': 'a\n', 'e/c.txt': 'c\n', 'b.txt': 'b\n' };
    await using bench = await workbench({ mode: 'trusted', files });
    for (const path of Object.keys(files))
      await bench.call('write_file', { path, content: 'by the agent\n' }, { turn: 1 });
    rmSync(join(bench.root, 'd'), { recursive: true });
    writeFileSync(join(bench.root, 'd'), 'mine\n');
    renameSync(join(bench.root, 'e'), join(bench.folder, 'outside'));
    symlinkSync(join(bench.folder, 'outside'), join(bench.root, 'e'));
    expect(await bench.call('undo', {})).toMatchObject({
      data: { refused: [{ path: 'e/c.txt' }, { path: 'd/a.txt' }] },
      effects: [{ path: 'b.txt' }],
    });
    expect([read(bench, 'b.txt'), read(bench, 'd')]).toEqual(['b\n', 'mine\n']);
    expect(readFileSync(join(bench.folder, 'outside/c.txt'), 'utf8')).toBe('by the agent\n');
    expect(await bench.call('redo', {})).toMatchObject({ effects: [{ path: 'b.txt' }] });
  });
});

test('a path with a leading dot names the same file', async () => {
  await using bench = await workbench({ files: { 'd/a.txt': 'a\n' }, mode: 'trusted' });
  await bench.call('write_file', { path: 'd/a.txt', content: 'b\n' });
  expect(await bench.call('undo', { paths: ['./d/a.txt'] })).toMatchObject({ status: 'completed' });
  expect(readFileSync(join(bench.root, 'd/a.txt'), 'utf8')).toBe('a\n');
});
