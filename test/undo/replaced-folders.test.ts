// What a person put in the place of something that an undo or redo replaces comes back when that is undone or redone.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Effect, Outcome } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { commandBench } from '../support/command-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { treeState } from '../support/tree-state.ts';
import { oneDevice, twoDevices } from '../support/two-devices.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const files = { 'lib/index.js': 'agent\n', 'lib/deep/x.js': 'x\n', 'a.txt': 'a\n' };

/** What a person puts in the place of what the agent deleted or moved away. */
const replacements: [string, (path: string) => void][] = [
  ['a file', (path) => writeFileSync(path, 'user\n', { mode: 0o600 })],
  ['a large file', (path) => writeFileSync(path, Buffer.alloc(17 * 1024 * 1024, 'u'))],
  ['a link', (path) => symlinkSync('elsewhere', path)],
  ['an empty folder', (path) => mkdirSync(path, { mode: 0o700 })],
  ['an empty folder that is read only', (path) => mkdirSync(path, { mode: 0o500 })],
  [
    'a folder',
    (path) => {
      mkdirSync(join(path, 'deep'), { recursive: true });
      writeFileSync(join(path, 'deep/mine.js'), 'user\n');
    },
  ],
];

/** Undo, redo and undo again, after which nothing of the person or the agent is lost. */
async function thereAndBack(bench: Workbench, before: Tree): Promise<void> {
  const replaced = treeState(bench.root);
  for (const [tool, expected] of [
    ['undo', before],
    ['redo', replaced],
    ['undo', before],
    ['redo', replaced],
  ] as const) {
    const outcome = await bench.call(tool, { force: tool === 'undo' });
    expect(outcome).toMatchObject({ status: 'completed', data: { refused: [] } });
    expectTrueRecord(outcome, bench);
    expect(treeState(bench.root)).toEqual(expected);
  }
}

type Tree = ReturnType<typeof treeState>;

/** What the effects of an outcome leave is what the disk has. */
function expectTrueRecord(outcome: Outcome, { root }: Workbench): void {
  const left = new Map<string, Effect['after']>();
  for (const { path, from, after } of outcome.effects) {
    if (from !== undefined) left.set(from, null);
    left.set(path, after);
  }
  const isThere = [...left].map(([path, after]) => [path, after !== null]);
  const tree = treeState(root);
  expect(isThere).toEqual([...left.keys()].map((path) => [path, path in tree]));
}

describe.each(replacements)('%s in the place of', (_what, put) => {
  test('a deleted folder is put aside by a forced undo, and comes back', async () => {
    await using bench = await workbench({ files, mode: 'trusted' });
    bench.human(approveAll);
    const before = treeState(bench.root);
    await bench.call('delete_file', { path: 'lib', recursive: true });
    put(join(bench.root, 'lib'));
    expect(await bench.call('undo', {})).toMatchObject({ error: { code: 'STALE' } });
    await thereAndBack(bench, before);
  });

  test('an agent’s file or a deleted one is refused or put aside, and comes back', async () => {
    for (const [tool, args] of [
      ['delete_file', { path: 'a.txt' }],
      ['write_file', { path: 'a.txt', content: 'agent\n' }],
      ['write_file', { path: 'new.txt', content: 'agent\n' }],
    ] as const) {
      await using bench = await workbench({ files, mode: 'trusted' });
      bench.human(approveAll);
      const before = treeState(bench.root);
      await bench.call(tool, args);
      rmSync(join(bench.root, args.path), { force: true });
      put(join(bench.root, args.path));
      const replaced = treeState(bench.root);
      const outcome = await bench.call('undo', {});
      expect(outcome.status).toBe('failed');
      const message = outcome.status === 'failed' ? outcome.error.message : '';
      if (message.includes('force')) await thereAndBack(bench, before);
      else {
        expect(message).toMatch(/move it away/);
        expect(await bench.call('undo', { force: true })).toMatchObject({ status: 'failed' });
        expect(treeState(bench.root)).toEqual(replaced);
      }
    }
  });

  test.each(['lib', 'a.txt'])(
    '%s that was moved away is refused, or put aside and comes back',
    async (from) => {
      await using bench = await workbench({ files, mode: 'trusted' });
      bench.human(approveAll);
      const before = treeState(bench.root);
      await bench.call('move_file', { from, to: 'moved' });
      put(join(bench.root, from));
      const replaced = treeState(bench.root);
      const plain = await bench.call('undo', {});
      if (plain.status === 'completed') {
        // Only an empty folder makes room for a folder without force.
        expect(treeState(bench.root)).toEqual(before);
        expect(await bench.call('redo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
        expect(treeState(bench.root)).toEqual(replaced);
        await thereAndBack(bench, before);
        return;
      }
      const forced = await bench.call('undo', { force: true });
      if (forced.status === 'completed') {
        expect(treeState(bench.root)).toEqual(before);
        expect(await bench.call('redo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
      } else expect(forced).toMatchObject({ error: { message: expect.stringContaining('move it away') } });
      expect(treeState(bench.root)).toEqual(replaced);
    },
  );
});

test('a folder is put aside and comes back where the quarantine is on another device', async ({ skip }) => {
  skip(oneDevice !== undefined, oneDevice);
  for (const [, put] of replacements) {
    using folders = twoDevices();
    symlinkSync(folders.memory, join(folders.disk, 'home'));
    await using bench = await workbench({ folder: folders.disk, files, mode: 'trusted' });
    bench.human(approveAll);
    const before = treeState(bench.root);
    await bench.call('delete_file', { path: 'lib', recursive: true });
    put(join(bench.root, 'lib'));
    await thereAndBack(bench, before);
  }
});

test('what a person puts into a folder that came back empty is not removed with it', async () => {
  await using bench = await workbench({ files, mode: 'trusted' });
  await bench.call('move_file', { from: 'lib', to: 'src' });
  mkdirSync(join(bench.root, 'lib'));
  await bench.call('undo', {});
  await bench.call('redo', {});
  writeFileSync(join(bench.root, 'lib/mine.js'), 'user\n');
  const replaced = treeState(bench.root);
  expect(await bench.call('undo', {})).toMatchObject({ status: 'failed' });
  expect(treeState(bench.root)).toEqual(replaced);
});

describe('a move is undone only of what was moved', () => {
  const gone: [string, string, (root: string) => void][] = [
    ['a folder that is gone', 'lib', (root) => rmSync(join(root, 'moved'), { recursive: true })],
    ['a file that is gone', 'a.txt', (root) => rmSync(join(root, 'moved'))],
    [
      'a folder that a person moved on, with a file in its place',
      'lib',
      (root) => {
        renameSync(join(root, 'moved'), join(root, 'mine'));
        writeFileSync(join(root, 'moved'), 'user\n');
      },
    ],
    [
      'a file that a person moved on, with a link in its place',
      'a.txt',
      (root) => {
        renameSync(join(root, 'moved'), join(root, 'mine'));
        symlinkSync('mine', join(root, 'moved'));
      },
    ],
  ];

  test.each(gone)('%s is refused, with a step', async (_what, from, change) => {
    await using bench = await workbench({ files, mode: 'trusted' });
    bench.human(approveAll);
    await bench.call('move_file', { from, to: 'moved' });
    change(bench.root);
    const changed = treeState(bench.root);
    for (const force of [false, true]) {
      const outcome = await bench.call('undo', { force });
      expect(outcome).toMatchObject({
        status: 'failed',
        error: {
          message: expect.stringMatching(/then try again/),
          details: { refused: [{ path: 'moved' }] },
        },
      });
      expect(JSON.stringify(outcome)).not.toMatch(/force overwrites/);
      expect(treeState(bench.root)).toEqual(changed);
    }
  });

  test('one that was changed since is moved back as it is by force, and redo needs no force', async () => {
    await using bench = await workbench({ files, mode: 'trusted' });
    bench.human(approveAll);
    await bench.call('move_file', { from: 'a.txt', to: 'moved' });
    writeFileSync(join(bench.root, 'moved'), 'user\n');
    expect(await bench.call('undo', { force: true })).toMatchObject({ data: { refused: [] } });
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('user\n');
    expect(await bench.call('redo', {})).toMatchObject({ data: { refused: [] } });
    expect(readFileSync(join(bench.root, 'moved'), 'utf8')).toBe('user\n');
    expect(existsSync(join(bench.root, 'a.txt'))).toBe(false);
  });
});

test('a file that a command replaced by a folder comes back once what somebody put in there is away', async () => {
  using scratch = scratchFolder({ files: { y: 'yy\n' } });
  const { root } = scratch;
  await using bench = commandBench(scratch);
  await bench.sh('rm y; mkdir y; echo n > y/n');
  writeFileSync(join(root, 'y/user'), 'user\n');
  expect(await bench.call('undo')).toMatchObject({
    data: { refused: [{ path: 'y', reason: expect.stringContaining('move it away') }] },
  });
  renameSync(join(root, 'y'), join(root, 'away'));
  expect(await bench.call('undo')).toMatchObject({ status: 'completed', data: { refused: [] } });
  expect(readFileSync(join(root, 'y'), 'utf8')).toBe('yy\n');
  for (const _ of [1, 2]) expect(await bench.call('redo')).toMatchObject({ status: 'completed' });
  expect(readFileSync(join(root, 'y/n'), 'utf8')).toBe('n\n');
  expect(readFileSync(join(root, 'away/user'), 'utf8')).toBe('user\n');
});
