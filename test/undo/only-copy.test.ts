// What a command renames out of a place that undo does not cover: the new name may be the only copy, so undo leaves it.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { inspect, previewUndo } from '@codelab/runtime';
import { expect, test } from 'vitest';
import { commandBench } from '../support/command-bench.ts';
import { newRepository } from '../support/real-git.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { approveAll, workbench } from '../support/workbench.ts';

/** A checkout with an ignored folder, a nested repository, and a file outside. */
function unwatched(): ReturnType<typeof scratchFolder> {
  const scratch = scratchFolder({
    files: { 'a.txt': 'a\n', 'lib/x.txt': 'x\n', '.gitignore': 'data/\n*.big\n' },
  });
  const { root, folder } = scratch;
  const git = newRepository(root);
  git('add', '--all');
  git('commit', '--quiet', '-m', 'First');
  mkdirSync(join(root, 'data', 'empty'), { recursive: true });
  writeFileSync(join(root, 'data', 'db'), 'precious\n');
  symlinkSync('db', join(root, 'data', 'link'));
  writeFileSync(join(root, 'large.big'), Buffer.alloc(2 * 1024 * 1024, 'p'));
  mkdirSync(join(root, 'vendor', 'n'), { recursive: true });
  newRepository(join(root, 'vendor', 'n'));
  writeFileSync(join(root, 'vendor', 'n', 'u.txt'), 'precious\n');
  mkdirSync(join(root, 'node_modules', 'p'), { recursive: true });
  writeFileSync(join(root, 'node_modules', 'p', 'i.js'), 'precious\n');
  writeFileSync(join(folder, 'outside.txt'), 'precious\n');
  return scratch;
}

const reason = expect.stringMatching(/may be the only copy; move it back yourself/);

test.each([
  ['a file', 'mv data/db x.bak', ['x.bak'], 'x.bak'],
  ['a folder', 'mv data data-old', ['data-old'], 'data-old/db'],
  ['what is in a folder', 'mkdir out; mv data/db data/link out/', ['out/db', 'out/link'], 'out/db'],
  ['a link', 'mv data/link l', ['l'], 'l'],
  ['an empty folder', 'mv data/empty e', ['e'], 'e'],
  ['a large file', 'mv large.big large.bak', ['large.bak'], 'large.bak'],
  ['a folder that tools fill', 'mv node_modules nm', ['nm'], 'nm/p/i.js'],
  ['a file of another repository', 'mv vendor/n/u.txt u.txt', ['u.txt'], 'u.txt'],
  ['a file from outside', 'mv ../outside.txt inside.txt', ['inside.txt'], 'inside.txt'],
  ['a file that is written to afterwards', 'mv data/db x.bak; echo more >> x.bak', ['x.bak'], 'x.bak'],
  ['a file with its only two names', 'ln data/db x; ln data/db y; rm -r data', ['x', 'y'], 'x'],
  ['a file over another one', 'mv data/db a.txt', ['a.txt'], 'a.txt'],
  ['a folder over a file', 'rm a.txt; mv data a.txt', ['a.txt'], 'a.txt/db'],
  ['a folder into another one’s place', 'rm -r lib; mv data lib', ['lib/db'], 'lib/db'],
])('%s: undo leaves %j, unless it is forced, and redo brings it back', async (_, command, names, kept) => {
  using scratch = unwatched();
  await using bench = await workbench({ folder: scratch.folder });
  bench.human(approveAll);
  const there = (): boolean => lstatSync(join(scratch.root, kept), { throwIfNoEntry: false }) !== undefined;
  await bench.call('run_command', { command: `echo n > new.txt; ${command}`, sandbox: 'off' });
  const preview = await inspect(bench.host, { session: 's1' }, (context) =>
    previewUndo(context, { verb: 'undo', selection: {}, isForced: false }),
  );
  const undone = await bench.call('undo', {});
  expect(undone).toMatchObject({ status: 'completed', effects: expect.anything() });
  const refused = undone.status === 'completed' ? (undone.data.refused as { path: string }[]) : [];
  for (const path of names) expect(refused).toContainEqual({ path, reason, code: 'STALE' });
  expect(there()).toBe(true);
  expect(existsSync(join(scratch.root, 'new.txt'))).toBe(false);
  if (kept !== 'e')
    expect(preview.files).toContainEqual(
      expect.objectContaining({ path: kept, state: 'refused', why: reason }),
    );
  if (command.includes('rm a.txt')) return;
  await bench.call('undo', { force: true });
  const content = kept === 'a.txt' ? readFileSync(join(scratch.root, kept), 'utf8') : there();
  expect(content).toBe(kept === 'a.txt' ? 'a\n' : false);
  await bench.call('redo', {});
  expect(there()).toBe(true);
  // Undone once more, it is still known to be the only copy.
  const again = await bench.call('undo', {});
  expect(JSON.stringify(again)).toContain('may be the only copy');
  expect(there()).toBe(true);
});

test.each([
  ['a copy with its times', 'cp -p data/db x'],
  ['a hard link', 'ln data/db x'],
  ['a new file', 'echo x > data/new; mv data/new x'],
  ['a file from git', 'git checkout -q --force HEAD; git show HEAD:a.txt > x'],
  ['an archive', 'tar -cf t.tar -C data .; mkdir x; tar -xf t.tar -C x; rm t.tar'],
  ['a rename of what undo covers', 'mv a.txt x'],
  ['a folder of what undo covers', 'mv lib x'],
])('%s is removed by undo', async (_, command) => {
  using scratch = unwatched();
  await using bench = commandBench(scratch);
  await bench.sh(command);
  expect(await bench.call('undo')).toMatchObject({ status: 'completed', data: { refused: [] } });
  expect(existsSync(join(scratch.root, 'x'))).toBe(false);
  expect(readFileSync(join(scratch.root, 'data', 'db'), 'utf8')).toBe('precious\n');
});

test('what a user moves back is not missed by undo, and what it had replaced comes back', async () => {
  using scratch = unwatched();
  const { root } = scratch;
  await using bench = commandBench(scratch);
  await bench.sh('echo n > n.txt; mv data/db a.txt; mv data/link l');
  await bench.call('undo');
  renameSync(join(root, 'a.txt'), join(root, 'data', 'db'));
  renameSync(join(root, 'l'), join(root, 'data', 'link'));
  expect(await bench.call('undo')).toMatchObject({ status: 'completed', data: { refused: [] } });
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('a\n');
  expect(readFileSync(join(root, 'data', 'db'), 'utf8')).toBe('precious\n');
});

test('a hard link is left once the other name is gone', async () => {
  using scratch = unwatched();
  await using bench = commandBench(scratch);
  await bench.sh('echo n > n.txt; ln data/db x');
  rmSync(join(scratch.root, 'data'), { recursive: true });
  expect(await bench.call('undo')).toMatchObject({ data: { refused: [{ path: 'x', reason }] } });
  expect(readFileSync(join(scratch.root, 'x'), 'utf8')).toBe('precious\n');
});

test('naming the file does not remove it, and a model must ask a person before it forces', async () => {
  using scratch = unwatched();
  await using bench = await workbench({ folder: scratch.folder, mode: 'trusted' });
  const asked: string[] = [];
  bench.human((approval) => {
    asked.push(approval.tool);
    return { kind: approval.tool === 'undo' ? 'reject' : 'approve', feedback: '' };
  });
  await bench.call('run_command', { command: 'mv data/db x.bak' });
  asked.length = 0;
  expect(await bench.call('undo', { paths: ['x.bak'] })).toMatchObject({ status: 'failed' });
  expect(await bench.call('undo', { force: true })).toMatchObject({ status: 'rejected' });
  expect(asked).toEqual(['undo']);
  expect(readFileSync(join(scratch.root, 'x.bak'), 'utf8')).toBe('precious\n');
});

test('discarding leaves it as well', async () => {
  using scratch = unwatched();
  await using bench = await workbench({ folder: scratch.folder });
  bench.human(approveAll);
  await bench.call('run_command', { command: 'mv data/db x.bak; echo n > n.txt' }, { turn: 1 });
  expect(await bench.call('discard_changes', { turn: 1, hunks: [], all: true })).toMatchObject({
    status: 'completed',
    data: { refused: [{ path: 'x.bak', reason }] },
  });
  expect(readFileSync(join(scratch.root, 'x.bak'), 'utf8')).toBe('precious\n');
  expect(existsSync(join(scratch.root, 'n.txt'))).toBe(false);
});

test('several large files that a command renames are told apart', async () => {
  using scratch = scratchFolder();
  const { root } = scratch;
  const files = [0, 1, 2].map((n) => `b${n}.bin`);
  for (const [n, name] of files.entries()) writeFileSync(join(root, name), Buffer.alloc(3000, `${n}`));
  const budget = { copy: { bytes: 4000, files: 10 }, walk: { entries: 1000, ms: 1000 } };
  await using bench = commandBench({ ...scratch, budget });
  await bench.sh('for x in *.bin; do mv $x moved_$x; done');
  const undone = await bench.call('undo');
  expect(undone).toMatchObject({ status: 'completed' });
  const refused = undone.status === 'completed' ? (undone.data.refused as { path: string }[]) : [];
  const left = refused.filter(({ path }) => path.startsWith('moved_'));
  expect(left).toHaveLength(2);
  for (const { path } of left) {
    const old = path.replace('moved_', '');
    const step = expect.stringMatching(
      new RegExp(`only copy of the old ${old}, .*move it to ${old} yourself`),
    );
    expect(refused).toContainEqual({ path, reason: step, code: 'FILE_NOT_FOUND' });
    renameSync(join(root, path), join(root, old));
  }
  for (const [n, name] of files.entries())
    expect(readFileSync(join(root, name)).equals(Buffer.alloc(3000, `${n}`))).toBe(true);
});

test('a folder that was moved, and whose old name is a folder again, goes with the undo', async () => {
  using scratch = scratchFolder({ files: { 'c/deep/f': 'f' } });
  newRepository(scratch.root);
  await using bench = commandBench(scratch);
  await bench.sh('git add -A');
  await bench.sh('mv c/deep c/moved; git checkout -q c');
  expect(await bench.call('undo')).toMatchObject({ status: 'completed', data: { refused: [] } });
  expect(existsSync(join(scratch.root, 'c/moved'))).toBe(false);
  expect(readFileSync(join(scratch.root, 'c/deep/f'), 'utf8')).toBe('f');
});
