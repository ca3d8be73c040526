import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CommitLock } from '../../packages/runtime/src/workspace/commit/commit-lock.ts';
import { openRegular, readOpen } from '../../packages/runtime/src/workspace/read-bytes.ts';
import { Workspace } from '../../packages/runtime/src/workspace/workspace.ts';
import { besideSecrets, everything, outsideOf, refusals } from '../support/beside-secrets.ts';
import { asNobody, callsInChild, isRoot } from '../support/calls-in-child.ts';
import { codeOf } from '../support/code-of.ts';
import { doorsTo } from '../support/doors.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { treeState } from '../support/tree-state.ts';
import type { Workbench } from '../support/workbench.ts';

const files = (entryPoint: string): boolean => /read|write/.test(entryPoint);

describe('special files', () => {
  const isCreated = (command: readonly string[], path: string): boolean =>
    spawnSync(command[0] ?? '', [...command.slice(1).map((arg) => (arg === 'PATH' ? path : arg))]).status ===
    0;

  test.for([
    ['L-12, L-13: a FIFO nobody has open', ['mkfifo', 'PATH']],
    ['L-12: a character device', ['mknod', 'PATH', 'c', '1', '3']],
    ['L-12: a block device', ['mknod', 'PATH', 'b', '7', '200']],
    ['L-14: a device that never ends', ['mknod', 'PATH', 'c', '1', '5']],
  ] as const)('%s', async ([, command], { skip }) => {
    await using bench = await besideSecrets();
    if (!isCreated(command, join(bench.root, 'odd'))) skip('this machine does not let us make one');
    const memory = process.memoryUsage.rss();
    const started = performance.now();
    expect(await refusals(bench, 'odd', files)).toEqual(['NOT_REGULAR_FILE']);
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(process.memoryUsage.rss() - memory).toBeLessThan(100e6);
    const listing = await bench.call('list_files', { path: '.', pattern: 'odd' });
    expect(listing).toMatchObject({ data: { entries: [{ name: 'odd', type: 'other' }] } });
    expect(codeOf(await bench.call('delete_file', { path: 'odd' }))).toBe('completed');
  });

  test('L-12: a socket', async () => {
    await using bench = await besideSecrets();
    await using server = createServer();
    await new Promise<void>((resolve) => server.listen(join(bench.root, 'odd'), resolve));
    expect(await refusals(bench, 'odd', files)).toEqual(['NOT_REGULAR_FILE']);
  });
});

describe('sizes', () => {
  const gigabytes = 10 * 1024 ** 3;

  test('L-16: ten gigabytes are refused from their size; the first line is read at once', async () => {
    await using bench = await besideSecrets({ big: 'first line\n' });
    truncateSync(join(bench.root, 'big'), gigabytes);
    const started = performance.now();
    expect(await refusals(bench, 'big', (entryPoint) => /^(read|write)_file$/.test(entryPoint))).toEqual([
      'FILE_TOO_LARGE',
    ]);
    const page = await bench.call('read_file', { path: 'big', start_line: 1, max_lines: 1 });
    expect(page).toMatchObject({ data: { content: 'first line\n', end_line: 1, has_more: true } });
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(codeOf(await bench.call('read_file', { path: 'big', start_line: 1, max_lines: 2 }))).toBe(
      'FILE_TOO_LARGE',
    );
    expect(codeOf(await bench.call('read_file', { path: 'big', start_line: 1e9 }))).toBe('FILE_TOO_LARGE');
  });

  test.each([
    ['small', 100, 1_000],
    ['large', 3_000_000, 4_000_000],
  ])(
    'L-17: a file that grows after it was measured is read up to the limit only (%s)',
    async (_name, size, limit) => {
      using scratch = scratchFolder({ files: { 'log.txt': 'x'.repeat(size) } });
      using workspace = Workspace.open(scratch.root);
      using place = workspace.locate('log.txt', { followLast: true, access: 'read', pathChars: 255 });
      using file = openRegular(place);
      appendFileSync(join(scratch.root, 'log.txt'), 'y'.repeat(limit));
      await expect(readOpen(file, 'log.txt', limit)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
      truncateSync(join(scratch.root, 'log.txt'), size + 1);
      expect((await readOpen(file, 'log.txt', limit)).length).toBe(size + 1);
    },
  );
});

describe('things that change under a call', () => {
  /** Does something at the last moment: the temp file is written, the rename is next. */
  function beforeCommit(bench: Workbench, swap: () => void): void {
    const { lock } = bench.host;
    const swapping: CommitLock = {
      hold(work) {
        swap();
        return lock.hold(work);
      },
      [Symbol.dispose]: () => undefined,
    };
    bench.host = { ...bench.host, lock: swapping };
  }

  test.each([
    ['L-09: the file is swapped for a link to outside', '../outside/secret.txt'],
    ['L-09: the file is swapped for a link inside', 'spare.txt'],
    ['L-09: the file is swapped for a dangling link', '../outside/new.txt'],
  ])('%s', async (_name, target) => {
    for (const [tool, args] of [
      ['write_file', { path: 'a.txt', content: 'new\n' }],
      ['delete_file', { path: 'a.txt' }],
      ['move_file', { from: 'a.txt', to: 'b.txt' }],
    ] as const) {
      await using bench = await besideSecrets();
      let swapped = everything(bench);
      beforeCommit(bench, () => {
        renameSync(join(bench.root, 'a.txt'), join(bench.root, 'away.txt'));
        symlinkSync(target, join(bench.root, 'a.txt'));
        swapped = Object.fromEntries(
          Object.entries(everything(bench)).filter(([path]) => !path.endsWith('.tmp')),
        );
      });
      expect(codeOf(await bench.call(tool, args)), tool).toBe('STALE');
      expect(everything(bench)).toEqual(swapped);
    }
  });

  test.each([
    ['write_file', { path: 'fresh.txt', content: 'ours\n' }],
    ['move_file', { from: 'a.txt', to: 'fresh.txt' }],
  ])('L-09: a file that appears where %s meant to make one is not replaced', async (tool, args) => {
    await using bench = await besideSecrets();
    beforeCommit(bench, () => writeFileSync(join(bench.root, 'fresh.txt'), 'theirs\n'));
    expect(codeOf(await bench.call(tool, args))).toBe('STALE');
    expect(readFileSync(join(bench.root, 'fresh.txt'), 'utf8')).toBe('theirs\n');
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('inside\n');
  });

  test('L-09: the directory is swapped for a link to outside', async () => {
    await using bench = await besideSecrets();
    const before = outsideOf(bench);
    beforeCommit(bench, () => {
      renameSync(join(bench.root, 'src'), join(bench.root, 'away'));
      symlinkSync('../outside', join(bench.root, 'src'));
    });
    await bench.call('write_file', { path: 'src/secret.txt', content: 'new\n' });
    expect(outsideOf(bench)).toEqual(before);
    expect(readdirSync(join(bench.root, 'away')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test.each(['a link to outside', 'a file'])(
    'L-10: our temp name taken by %s is left alone',
    async (kind) => {
      await using bench = await besideSecrets();
      const { tools } = bench.host;
      const tool = tools.get('write_file');
      if (tool === undefined) throw new Error('no write_file');
      const placeAtTemp = (prepared: unknown): void => {
        const { changes } = prepared as { changes: { temp: string }[] };
        const at = join(bench.root, changes.at(-1)?.temp ?? '');
        if (kind === 'a file') writeFileSync(at, 'theirs');
        else symlinkSync('../outside/secret.txt', at);
      };
      const planted: typeof tool = {
        ...tool,
        run(input, prepared, context) {
          placeAtTemp(prepared);
          return tool.run(input, prepared, context);
        },
      };
      bench.host = { ...bench.host, tools: new Map([['write_file', planted]]) };
      const before = outsideOf(bench);
      expect((await bench.call('write_file', { path: 'a.txt', content: 'new\n' })).status).toBe('failed');
      expect(outsideOf(bench)).toEqual(before);
      expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('inside\n');
      const [temp = ''] = readdirSync(bench.root).filter((name) => name.endsWith('.tmp'));
      if (kind === 'a file') expect(readFileSync(join(bench.root, temp), 'utf8')).toBe('theirs');
      else expect(readlinkSync(join(bench.root, temp))).toBe('../outside/secret.txt');
    },
  );
});

test.runIf(isRoot).each([
  ['mode 0000', 0o000, 65534],
  ['another owner', 0o600, 0],
])('L-21: a file we may not read or write: %s', (_name, mode, owner) => {
  using scratch = scratchFolder({ files: { 'a.txt': 'x\n', 'spare.txt': 'x\n' }, owner: 65534 });
  chownSync(join(scratch.root, 'a.txt'), owner, owner);
  chmodSync(join(scratch.root, 'a.txt'), mode);
  const before = treeState(scratch.root);
  const calls = doorsTo('a.txt', 'spare.txt').filter(({ door }) => files(door));
  const { outcomes } = callsInChild({ folder: scratch.folder, calls, wrapper: asNobody });
  expect(outcomes.map(codeOf)).toEqual(calls.map(() => 'PERMISSION_DENIED'));
  expect(treeState(scratch.root)).toEqual(before);
});

describe('names that are not text', () => {
  const oddName = Buffer.from([0x66, 0xff, 0x2e, 0x74, 0x78, 0x74]);
  const at = (bench: Workbench, path: string): Buffer =>
    Buffer.concat([Buffer.from(join(bench.root, path)), oddName]);

  test('such a file is listed', async () => {
    await using bench = await besideSecrets();
    writeFileSync(at(bench, 'src/'), 'x');
    expect(await bench.call('list_files', { path: 'src' })).toMatchObject({
      data: {
        total: 3,
        entries: [{ name: 'a.js' }, { name: 'b.js' }, { name: 'f\ufffd.txt', type: 'file' }],
      },
    });
  });

  test.each(['delete_file', 'move_file'])(
    'a directory that holds what cannot be judged is left whole by %s',
    async (tool) => {
      await using bench = await besideSecrets();
      mkdirSync(at(bench, 'src/'));
      const outcome = await bench.call(
        tool,
        tool === 'move_file' ? { from: 'src', to: 'dst' } : { path: 'src', recursive: true },
      );
      expect(codeOf(outcome)).toBe('ENCODING_ERROR');
      expect(readdirSync(join(bench.root, 'src'), { encoding: 'buffer' })).toContainEqual(oddName);
    },
  );
});

test('a damaged git index holds nothing up', async () => {
  await using bench = await besideSecrets();
  const entry = Buffer.concat([Buffer.alloc(62, 1), Buffer.from('no end')]);
  for (const version of [2, 4]) {
    const header = Buffer.from([0x44, 0x49, 0x52, 0x43, 0, 0, 0, version, 0xff, 0xff, 0xff, 0xff]);
    mkdirSync(join(bench.root, '.git'), { recursive: true });
    writeFileSync(join(bench.root, '.git/index'), Buffer.concat([header, entry]));
    const outcome = await bench.call('delete_file', { path: version === 2 ? 'a.txt' : 'spare.txt' });
    expect(codeOf(outcome)).toBe('completed');
    expect(outcome.durationMs).toBeLessThan(2_000);
  }
});
