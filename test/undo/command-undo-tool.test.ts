import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lossNotes } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { defaultBudget } from '../../packages/runtime/src/snapshot/kept-before.ts';
import { commandBench } from '../support/command-bench.ts';
import { newRepository } from '../support/real-git.ts';
import { sampleCheckout } from '../support/sample-checkout.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { approveAll, workbench } from '../support/workbench.ts';
import { worktreeState } from '../support/worktree-state.ts';

test('a command that edits, creates, deletes and renames files is undone byte for byte, and redone', async () => {
  using scratch = scratchFolder();
  sampleCheckout(scratch.root);
  await using bench = await workbench({ folder: scratch.folder });
  bench.human(approveAll);
  const before = worktreeState(scratch.root);
  const command =
    'echo e >> crlf.txt; echo d >> src/m0/f0.txt; mkdir n; echo n > n/n; rm -r src/m3 untracked; mv odd even; chmod +x empty';
  const ran = await bench.call('run_command', { command });
  expect(ran).toMatchObject({ status: 'completed', data: { exit_code: 0 } });
  const after = worktreeState(scratch.root);
  expect(await bench.call('undo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
  expect(worktreeState(scratch.root)).toEqual(before);
  expect(await bench.call('redo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
  expect(worktreeState(scratch.root)).toEqual(after);
});

test('a command that is stopped in the middle is undone too', async () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'a' } });
  await using bench = await workbench({ folder: scratch.folder, limits: { killGraceMs: 100 } });
  bench.human(approveAll);
  const stopped = await bench.call('run_command', {
    command: 'echo b > a.txt; echo n > n.txt; exec tail -f /dev/null',
    timeout_ms: 500,
  });
  expect(stopped).toMatchObject({ data: { timed_out: true } });
  expect(readFileSync(join(scratch.root, 'a.txt'), 'utf8')).toBe('b\n');
  expect(await bench.call('undo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
  expect(readFileSync(join(scratch.root, 'a.txt'), 'utf8')).toBe('a');
  expect(existsSync(join(scratch.root, 'n.txt'))).toBe(false);
});

test('an edit after a command and the command itself are undone one after the other', async () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'a' } });
  await using bench = await workbench({ folder: scratch.folder });
  bench.human(approveAll);
  await bench.call('run_command', { command: 'echo b > a.txt' });
  await bench.call('write_file', { path: 'a.txt', content: 'c' });
  await bench.call('undo', {});
  expect(readFileSync(join(scratch.root, 'a.txt'), 'utf8')).toBe('b\n');
  await bench.call('undo', {});
  expect(readFileSync(join(scratch.root, 'a.txt'), 'utf8')).toBe('a');
});

test('what the user changed after the command stays', async () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'a', 'b.txt': 'b' } });
  await using bench = await workbench({ folder: scratch.folder });
  bench.human(approveAll);
  await bench.call('run_command', { command: 'echo 1 > a.txt; echo 2 > b.txt' });
  writeFileSync(join(scratch.root, 'b.txt'), 'mine');
  expect(await bench.call('undo', {})).toMatchObject({
    data: { refused: [{ path: 'b.txt', code: 'STALE' }] },
  });
  expect(readFileSync(join(scratch.root, 'b.txt'), 'utf8')).toBe('mine');
  expect(readFileSync(join(scratch.root, 'a.txt'), 'utf8')).toBe('a');
});

test.each([
  ['mv a.txt r.txt', 'r.txt', true],
  ['mv -f a.txt b.txt', 'b.txt', true],
  ['mv a.txt r.txt; rm b.txt; mkdir b.txt', 'r.txt', true],
  // Copies of which one stays, and content that is nowhere else needed.
  ['rm a.txt; echo other > r.txt', 'r.txt', false],
])(
  '%j: undo leaves %s where it is the only copy of a file that it can’t restore: %s',
  async (command, createdPath, isLeft) => {
    using scratch = scratchFolder({ files: { 'a.txt': 'precious\n', 'b.txt': 'b\n' } });
    await using bench = await workbench({ folder: scratch.folder });
    bench.human(approveAll);
    const text = (path: string): string => readFileSync(join(scratch.root, path), 'utf8');
    await bench.call('run_command', { command: `echo x > n.txt; ${command}` });
    writeFileSync(join(scratch.root, 'a.txt'), 'mine\n');
    const undoOutcome = await bench.call('undo', {});
    const stale = { path: 'a.txt', code: 'STALE' };
    const reason = expect.stringMatching(/only copy of the old a\.txt, .*move the file that is at a\.txt/);
    expect(undoOutcome).toMatchObject({
      status: 'completed',
      data: { refused: expect.arrayContaining([expect.objectContaining(stale)]) },
    });
    expect(existsSync(join(scratch.root, 'n.txt'))).toBe(false);
    expect(text('a.txt')).toBe('mine\n');
    if (!isLeft) return expect(existsSync(join(scratch.root, createdPath))).toBe(false);
    expect(undoOutcome).toMatchObject({
      data: { refused: expect.arrayContaining([{ path: createdPath, reason, code: 'STALE' }]) },
    });
    expect(text(createdPath)).toBe('precious\n');
    rmSync(join(scratch.root, 'a.txt'));
    expect(await bench.call('undo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
    expect([text('a.txt'), text('b.txt')]).toEqual(['precious\n', 'b\n']);
    expect(existsSync(join(scratch.root, 'r.txt'))).toBe(false);
  },
);

test('undo of only the new name of a file that a command renamed brings back the old name', async () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'precious\n', 'b.txt': 'b\n' } });
  await using bench = await workbench({ folder: scratch.folder });
  bench.human(approveAll);
  await bench.call('run_command', { command: 'mv a.txt r.txt; echo B > b.txt' });
  expect(await bench.call('undo', { paths: ['r.txt'] })).toMatchObject({ data: { refused: [] } });
  const texts = ['a.txt', 'b.txt'].map((path) => readFileSync(join(scratch.root, path), 'utf8'));
  expect(texts).toEqual(['precious\n', 'B\n']);
  expect(existsSync(join(scratch.root, 'r.txt'))).toBe(false);
  expect(await bench.call('redo', {})).toMatchObject({ data: { refused: [] } });
  expect(readFileSync(join(scratch.root, 'r.txt'), 'utf8')).toBe('precious\n');
});

test('what a command changed beyond what is recorded is a warning, and undo names it', async () => {
  using scratch = scratchFolder({ files: { 'b.txt': 'committed' } });
  for (const name of ['a', 'c', 'd', 'e']) writeFileSync(join(scratch.root, `${name}.txt`), 'committed');
  const git = newRepository(scratch.root);
  git('add', '--all');
  git('commit', '--quiet', '-m', 'First');
  // The only copies of these two files were made before the command.
  writeFileSync(join(scratch.root, 'd.txt'), 'mine');
  writeFileSync(join(scratch.root, 'z.txt'), 'mine');
  await using bench = commandBench({ ...scratch, budget: { ...defaultBudget, effects: 4 } });
  const line = 'for f in ?.txt; do echo more >> $f; done; echo n > 0.txt; mv e.txt 1.txt';
  const { notes } = await bench.sh(line);
  expect(notes).toEqual([
    expect.stringMatching(/undo can't bring back .*: 0\.txt, 1\.txt, [abce]\.txt, [abce]\.txt\./),
  ]);
  const notRecorded = '4 more files that this command changed are not recorded and left unchanged';
  const preview = await bench.preview();
  expect(preview.files.filter(({ state }) => state === 'refused')).toEqual([
    expect.objectContaining({ path: '.', why: expect.stringContaining(notRecorded) }),
  ]);
  expect(await bench.call('undo')).toMatchObject({
    status: 'completed',
    data: { refused: [{ path: '.', reason: expect.stringContaining(notRecorded), code: 'FILE_NOT_FOUND' }] },
  });
  const text = (path: string): string => readFileSync(join(scratch.root, path), 'utf8');
  expect([text('d.txt'), text('z.txt'), text('1.txt')]).toEqual(['mine', 'mine', 'committedmore\n']);
});

test('a command that makes more files than are recorded says so in its result', async () => {
  using scratch = scratchFolder();
  await using bench = await workbench({ folder: scratch.folder });
  bench.human(approveAll);
  const ran = await bench.call('run_command', { command: 'seq 10002 | xargs touch' });
  expect(ran).toMatchObject({ status: 'completed', data: { not_recorded: 2 } });
  expect(lossNotes(ran)).toEqual([expect.stringContaining('Removed or changed without a record')]);
});
