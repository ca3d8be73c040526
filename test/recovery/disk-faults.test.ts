import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asNobody, callsInChild, isRoot } from '../support/calls-in-child.ts';
import { codeOf } from '../support/code-of.ts';
import { doorsTo } from '../support/doors.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { canMount, fillDisk, mountTmpfs } from '../support/tmpfs.ts';
import { treeState } from '../support/tree-state.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const mounts = canMount();
const big = `${'new '.repeat(20_000)}\n`;

async function benchIn(folder: string): Promise<Workbench> {
  const bench = await workbench({ folder, mode: 'trusted' });
  bench.human(approveAll);
  return bench;
}

/** Names that something unfinished would have. */
function litterIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => /^journal\/.|\.(tmp|new)$/.test(path));
}

describe.runIf(mounts)('F-13, F-15: the workspace’s disk is full', () => {
  test.each([
    ['a new file', { path: 'new.txt' }],
    ['an old file', { path: 'old.txt' }],
    ['a file with two names', { path: 'twin.txt' }],
    ['a file in new directories', { path: 'no/such/place/new.txt' }],
  ])(
    'F-13: %s: the old state is there to the byte, and works again once there is room',
    async (_name, { path }) => {
      using scratch = scratchFolder();
      using _disk = mountTmpfs(scratch.root, 'size=256k');
      for (const name of ['old.txt', 'twin.txt'])
        writeFileSync(join(scratch.root, name), 'old\n'.repeat(2_000));
      linkSync(join(scratch.root, 'twin.txt'), join(scratch.root, 'other.txt'));
      await using bench = await benchIn(scratch.folder);
      const filler = fillDisk(scratch.root);
      truncateSync(filler, 256 * 1024 - 40 * 1024);
      const before = treeState(scratch.root);
      expect(codeOf(await bench.call('write_file', { path, content: big }))).toBe('NO_SPACE');
      expect(treeState(scratch.root)).toEqual(before);
      rmSync(filler);
      expect(codeOf(await bench.call('write_file', { path, content: big }))).toBe('completed');
      expect(readFileSync(join(scratch.root, path), 'utf8')).toBe(big);
      expect(litterIn(scratch.home)).toEqual([]);
    },
  );

  test('F-15: no inodes left: nothing is made, and files with a place already can still be written', async () => {
    using scratch = scratchFolder();
    using _disk = mountTmpfs(scratch.root, 'size=1m,nr_inodes=12');
    for (const name of ['old.txt', 'twin.txt']) writeFileSync(join(scratch.root, name), 'old\n');
    linkSync(join(scratch.root, 'twin.txt'), join(scratch.root, 'other.txt'));
    await using bench = await benchIn(scratch.folder);
    for (let i = 0; ; i++) {
      try {
        mkdirSync(join(scratch.root, `d${i}`));
      } catch {
        break;
      }
    }
    const before = treeState(scratch.root);
    for (const [tool, args] of [
      ['write_file', { path: 'new.txt', content: 'x' }],
      ['write_file', { path: 'deep/new.txt', content: 'x' }],
      ['write_file', { path: 'old.txt', content: 'x' }],
      ['create_directory', { path: 'one/more' }],
      ['move_file', { from: 'old.txt', to: 'deep/old.txt' }],
    ] as const)
      expect(codeOf(await bench.call(tool, args)), JSON.stringify(args)).toBe('NO_SPACE');
    expect(treeState(scratch.root)).toEqual(before);
    expect(codeOf(await bench.call('write_file', { path: 'twin.txt', content: 'new\n' }))).toBe('completed');
  });
});

describe.runIf(mounts)('F-18: the file system turns read-only', () => {
  test('every change is denied and leaves nothing', async () => {
    using scratch = scratchFolder();
    using disk = mountTmpfs(scratch.root, 'size=256k');
    writeFileSync(join(scratch.root, 'a.txt'), 'old\n');
    writeFileSync(join(scratch.root, 'spare.txt'), 'spare\n');
    await using bench = await benchIn(scratch.folder);
    disk.remount('ro');
    const before = treeState(scratch.root);
    for (const path of ['a.txt', 'new.txt', 'deep/new.txt'])
      for (const { door, tool, args, changes } of doorsTo(path, 'spare.txt')) {
        const code = codeOf(await bench.call(tool, args));
        if (changes && !['FILE_NOT_FOUND', 'ALREADY_EXISTS'].includes(code))
          expect(code, `${door} ${path}`).toBe('PERMISSION_DENIED');
      }
    expect(codeOf(await bench.call('read_file', { path: 'a.txt' }))).toBe('completed');
    expect(treeState(scratch.root)).toEqual(before);
    disk.remount('rw');
    expect(codeOf(await bench.call('write_file', { path: 'a.txt', content: 'new\n' }))).toBe('completed');
  });
});

describe.runIf(mounts)('F-14: the disk of the state folder is full', () => {
  test('nothing is changed without a record, and everything works again once there is room', async () => {
    using scratch = scratchFolder({
      files: { 'a.txt': 'old\n', 'd/b.txt': 'x'.repeat(200_000), 'twin.txt': 'old\n' },
    });
    linkSync(join(scratch.root, 'twin.txt'), join(scratch.root, 'other.txt'));
    using _disk = mountTmpfs(scratch.home, 'size=1m');
    await using bench = await benchIn(scratch.folder);
    expect(codeOf(await bench.call('read_file', { path: 'a.txt' }))).toBe('completed');
    const filler = fillDisk(scratch.home);
    const before = treeState(scratch.root);
    for (const [tool, args] of [
      ['write_file', { path: 'a.txt', content: 'x'.repeat(50_000) }],
      ['write_file', { path: 'twin.txt', content: 'x'.repeat(50_000) }],
      ['delete_file', { path: 'd', recursive: true }],
      ['move_file', { from: 'a.txt', to: 'e/a.txt' }],
      ['create_directory', { path: 'f' }],
    ] as const)
      expect(['NO_SPACE', 'IO_ERROR'], `${tool} ${JSON.stringify(args)}`).toContain(
        codeOf(await bench.call(tool, args)),
      );
    expect(treeState(scratch.root)).toEqual(before);
    rmSync(filler);
    expect(codeOf(await bench.call('write_file', { path: 'a.txt', content: 'new\n' }))).toBe('completed');
    expect(codeOf(await bench.call('delete_file', { path: 'd', recursive: true }))).toBe('completed');
    expect(bench.log.verify()).toBeUndefined();
  });

  test('a deletion whose quarantine has no room leaves the directory whole', async () => {
    using scratch = scratchFolder({
      files: { 'd/one.txt': 'x'.repeat(700_000), 'd/two.txt': 'y'.repeat(700_000) },
    });
    using _disk = mountTmpfs(scratch.home, 'size=1m');
    await using bench = await benchIn(scratch.folder);
    const before = treeState(scratch.root);
    expect(codeOf(await bench.call('delete_file', { path: 'd', recursive: true }))).toBe('NO_SPACE');
    expect(treeState(scratch.root)).toEqual(before);
    expect(existsSync(join(scratch.home, 'trash'))).toBe(false);
  });
});

describe('F-49: the workspace goes away during a session', () => {
  test.each([
    'moved away',
    'replaced by a link to where it went',
    'replaced by a link to another',
    'replaced by another',
    'deleted',
  ])('%s', async (variant) => {
    using scratch = scratchFolder({ files: { 'a.txt': 'old\n', 'spare.txt': 'x\n' } });
    mkdirSync(join(scratch.folder, 'other'));
    await using bench = await benchIn(scratch.folder);
    const away = join(scratch.folder, 'away');
    renameSync(scratch.root, away);
    if (variant.includes('where it went')) symlinkSync('away', scratch.root);
    if (variant.includes('link to another')) symlinkSync('other', scratch.root);
    if (variant === 'replaced by another') mkdirSync(scratch.root);
    if (variant === 'deleted') rmSync(away, { recursive: true });
    const state = (): Record<string, string> =>
      Object.fromEntries(
        Object.entries(treeState(scratch.folder)).filter(([path]) => !/^(\.|home.*)$/.test(path)),
      );
    const before = state();
    for (const { door, tool, args } of [
      ...doorsTo('a.txt', 'spare.txt'),
      ...doorsTo('new/b.txt', 'spare.txt'),
    ])
      expect(codeOf(await bench.call(tool, args)), door).toBe('FILE_NOT_FOUND');
    expect(state()).toEqual(before);
  });
});

describe.runIf(isRoot)('F-17: the operating system says no', () => {
  test('a directory that may not be written', () => {
    using scratch = scratchFolder({
      files: { 'd/a.txt': 'old\n', 'spare.txt': 'x\n', 'open/x.txt': 'x\n' },
      owner: 65534,
    });
    chmodSync(join(scratch.root, 'd'), 0o555);
    const before = treeState(scratch.root);
    const calls = [
      ...doorsTo('d/a.txt', 'spare.txt').filter(({ door }) => /write|delete|move/.test(door)),
      ...doorsTo('d/new.txt', 'spare.txt').filter(({ door }) => /write|create|to$/.test(door)),
      ...doorsTo('d/deep/new.txt', 'spare.txt').filter(({ door }) => /write|create|to$/.test(door)),
      { tool: 'move_file', args: { from: 'd/a.txt', to: 'open/a.txt' } },
      { tool: 'move_file', args: { from: 'd/a.txt', to: 'open/new/a.txt' } },
    ];
    const { outcomes } = callsInChild({ folder: scratch.folder, calls, wrapper: asNobody });
    expect(outcomes.map(codeOf)).toEqual(calls.map(() => 'PERMISSION_DENIED'));
    expect(treeState(scratch.root)).toEqual(before);
  });
});

describe('F-16: a file may not grow beyond a limit', () => {
  test('the call fails, the process lives, the old file stays', () => {
    using scratch = scratchFolder({ files: { 'a.txt': 'old\n', 'twin.txt': 'old\n' } });
    linkSync(join(scratch.root, 'twin.txt'), join(scratch.root, 'other.txt'));
    const before = treeState(scratch.root);
    const write = (path: string) => ({ tool: 'write_file', args: { path, content: 'x'.repeat(900_000) } });
    const { outcomes, ended } = callsInChild({
      folder: scratch.folder,
      calls: [
        write('a.txt'),
        write('twin.txt'),
        write('d/new.txt'),
        { tool: 'read_file', args: { path: 'a.txt' } },
      ],
      wrapper: ['prlimit', '--fsize=500000'],
    });
    expect(ended).toMatchObject({ status: 0, signal: null });
    const codes = outcomes.map(codeOf);
    expect(codes.pop()).toBe('completed');
    for (const code of codes) expect(['NO_SPACE', 'IO_ERROR']).toContain(code);
    expect(treeState(scratch.root)).toEqual(before);
  });
});
