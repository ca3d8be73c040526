// Deleting where CodeLab's home is on another device than the workspace: what is asked says what cannot be kept, and so does the result.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApprovalRequest } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { isOtherDevice } from '../../packages/runtime/src/workspace/quarantine/quarantine.ts';
import { blastRadius } from '../../packages/runtime/src/workspace/trees/blast-radius.ts';
import { Workspace } from '../../packages/runtime/src/workspace/workspace.ts';
import { asNobody, callsInChild, isRoot } from '../support/calls-in-child.ts';
import { codeOf } from '../support/code-of.ts';
import { folderWith } from '../support/folder-with.ts';
import { canMount, mountTmpfs } from '../support/tmpfs.ts';
import { turnsDuring } from '../support/turns-during.ts';
import { oneDevice, twoDevices } from '../support/two-devices.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

const never = new AbortController().signal;
const keptFor14Days = 'It goes to the quarantine and can be restored for 14 days.';
const isCopied =
  'The quarantine is on another device, so it is copied; extended attributes and ACLs are not kept.';

type Bench = AsyncDisposable & { bench: Workbench; asked: ApprovalRequest[] };

/** A workbench whose home is on another device, and what its human was asked; they approve. */
async function homeOnOtherDevice(isElsewhere = true): Promise<Bench> {
  const folders = twoDevices();
  if (isElsewhere) symlinkSync(folders.memory, join(folders.disk, 'home'));
  const bench = await workbench({ folder: folders.disk });
  const approvals: ApprovalRequest[] = [];
  bench.human((approval) => {
    approvals.push(approval);
    return { kind: 'approve' };
  });
  const dispose = async (): Promise<void> => {
    await bench[Symbol.asyncDispose]();
    folders[Symbol.dispose]();
  };
  return { bench, asked: approvals, [Symbol.asyncDispose]: dispose };
}

async function listenAt(path: string): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return server;
}

test.skipIf(oneDevice)(
  'what a copy cannot have is named before it is agreed to, and in the result',
  async () => {
    await using opened = await homeOnOtherDevice();
    const { bench, asked } = opened;
    folderWith(bench.root, { 'd/a': 'text', 'd/b': 'text', keep: '' });
    linkSync(join(bench.root, 'd/a'), join(bench.root, 'other-name'));
    await using _server = await listenAt(join(bench.root, 'd/socket'));
    const missing = ['a socket (d/socket)', 'the hard links of 1 entry to names elsewhere (d/a)'];
    expect(await bench.call('delete_file', { path: 'd', recursive: true })).toMatchObject({
      data: { path: 'd', deleted: true, files: 3, recoverable: true, not_kept: missing },
    });
    const notes = [keptFor14Days, isCopied, `It is restored without ${missing.join('; ')}.`];
    expect(asked.map(({ plan }) => plan.notes)).toEqual([notes]);
  },
);

test('what cannot be kept at all is not called recoverable', async ({ skip }) => {
  skip(oneDevice !== undefined, oneDevice);
  await using opened = await homeOnOtherDevice();
  const { bench, asked } = opened;
  await using _server = await listenAt(join(bench.root, 'socket'));
  expect(await bench.call('delete_file', { path: 'socket' })).toMatchObject({
    data: { deleted: true, recoverable: false, not_kept: ['a socket (socket)'] },
  });
  expect(asked[0]?.plan.notes).toEqual([
    'It can’t be restored: the quarantine is on another device, which can’t hold a copy of it.',
  ]);
});

test('a file on the same device is kept as it is, and nothing is said to be missing', async () => {
  await using opened = await homeOnOtherDevice(false);
  const { bench, asked } = opened;
  await using _server = await listenAt(join(bench.root, 'socket'));
  const outcome = await bench.call('delete_file', { path: 'socket' });
  expect(outcome).toMatchObject({ data: { recoverable: true } });
  expect(outcome).not.toHaveProperty('data.not_kept');
  expect(asked[0]?.plan.notes).toEqual([keptFor14Days]);
});

test.skipIf(oneDevice)(
  'a FIFO, names of one file, owners and modes are there again after an undo',
  async () => {
    await using opened = await homeOnOtherDevice();
    const { bench } = opened;
    const at = (path: string): string => join(bench.root, path);
    folderWith(bench.root, { 'd/a': 'text', keep: '' });
    linkSync(at('d/a'), at('d/b'));
    expect(spawnSync('mkfifo', [at('d/fifo')]).status).toBe(0);
    chmodSync(at('d/fifo'), 0o620);
    if (isRoot) for (const path of ['d', 'd/a', 'd/fifo']) chownSync(at(path), 1000, 1001);
    chmodSync(at('d'), 0o1770);
    const state = (): unknown[] =>
      ['d', 'd/a', 'd/b', 'd/fifo'].map((path) => {
        const { mode, uid, gid, nlink, mtimeMs } = lstatSync(at(path));
        return { mode, uid, gid, nlink, time: Math.round(mtimeMs) };
      });
    const before = state();
    expect(codeOf(await bench.call('delete_file', { path: 'd', recursive: true }))).toBe('completed');
    expect(existsSync(at('d'))).toBe(false);
    expect(codeOf(await bench.call('undo', {}))).toBe('completed');
    expect(state()).toEqual(before);
  },
);

const weak = {
  'another user': { owner: 65534, wrapper: asNobody },
  'root without the right to': { owner: 0, wrapper: ['setpriv', '--bounding-set', '-chown'] },
};

test.runIf(isRoot).for(Object.entries(weak))(
  'who may not give an owner says whose is lost: %s',
  ([, { owner, wrapper }], { skip }) => {
    skip(oneDevice !== undefined, oneDevice);
    using folders = twoDevices();
    const work = join(folders.disk, 'work');
    mkdirSync(work);
    symlinkSync(folders.memory, join(folders.disk, 'home'));
    folderWith(work, { 'd/theirs': 'readable', 'd/own': 'text' });
    for (const path of [folders.disk, folders.memory, work, join(work, 'd'), join(work, 'd/own')])
      chownSync(path, owner, owner);
    lchownSync(join(folders.disk, 'home'), owner, owner);
    chownSync(join(work, 'd/theirs'), 1000, 1000);
    const calls = [{ tool: 'delete_file', args: { path: 'd', recursive: true } }];
    const { outcomes } = callsInChild({ folder: folders.disk, calls, wrapper });
    expect(outcomes).toMatchObject([
      { data: { not_kept: ['the owner of 1 entry (d/theirs)', 'the group of 1 entry (d/theirs)'] } },
    ]);
  },
);

test('two mounts of one device are told apart: nothing can be moved from one to the other', ({ skip }) => {
  skip(!canMount(), 'this machine does not let us mount');
  const folder = mkdtempSync(join(tmpdir(), 'codelab-test-'));
  try {
    folderWith(folder, { 'work/file': '', 'home/file': '' });
    using workspace = Workspace.open(join(folder, 'work'));
    using place = workspace.locate('file', { followLast: false, access: 'read', pathChars: 100 });
    expect(isOtherDevice(join(folder, 'home'), place)).toBe(false);
    expect(spawnSync('mount', ['--bind', join(folder, 'home'), join(folder, 'home')]).status).toBe(0);
    expect(isOtherDevice(join(folder, 'home'), place)).toBe(true);
  } finally {
    spawnSync('umount', [join(folder, 'home')]);
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a folder with something mounted in it is not deleted', async ({ skip }) => {
  skip(!canMount(), 'this machine does not let us mount');
  await using opened = await homeOnOtherDevice(false);
  const { bench, asked } = opened;
  folderWith(bench.root, { 'd/file': '' });
  using mounted = mountTmpfs(join(bench.root, 'd/mounted'), 'size=64k');
  writeFileSync(join(mounted.path, 'precious'), 'precious');
  const outcome = await bench.call('delete_file', { path: 'd', recursive: true });
  expect(outcome).toMatchObject({
    error: { message: expect.stringContaining('d/mounted is a mount point') },
  });
  expect(asked).toEqual([]);
  expect(readFileSync(join(mounted.path, 'precious'), 'utf8')).toBe('precious');
});

test('what it takes up on the disk is counted as `du` does: without holes, each file once', async () => {
  await using bench = await workbench({ files: { 'd/e/a': 'x'.repeat(10_000), 'd/b': 'text' } });
  const at = (path: string): string => join(bench.root, path);
  linkSync(at('d/e/a'), at('d/same'));
  writeFileSync(at('d/sparse'), 'start');
  truncateSync(at('d/sparse'), 50_000_000);
  using workspace = Workspace.open(bench.root);
  using place = workspace.locate('d', { followLast: false, access: 'read', pathChars: 100 });
  const { blast } = await blastRadius(workspace, place, never);
  const measured = spawnSync('du', ['-s', '--block-size=1', at('d')], { encoding: 'utf8' });
  expect(blast).toMatchObject({ files: 4, directories: 2, bytes: 50_020_004 });
  expect(blast.diskBytes).toBe(Number.parseInt(measured.stdout, 10));
});

test('others get their turn while it is counted, and can end it', async ({ skip }) => {
  skip(oneDevice !== undefined, oneDevice);
  using folders = twoDevices();
  mkdirSync(join(folders.memory, 'd'));
  for (let n = 0; n < 3000; n++) writeFileSync(join(folders.memory, `d/${n}`), '');
  using workspace = Workspace.open(folders.memory);
  using place = workspace.locate('d', { followLast: false, access: 'read', pathChars: 100 });
  const counting = blastRadius(workspace, place, never);
  // In pieces of 512 at most: 5 pauses, more on a slow disk.
  expect(await turnsDuring(counting)).toBeGreaterThanOrEqual(4);
  expect((await counting).blast.files).toBe(3000);
  const stop = new AbortController();
  const ended = blastRadius(workspace, place, stop.signal);
  stop.abort();
  await expect(ended).rejects.toThrow('aborted');
});

test('a name that is not UTF-8 is refused also beside the name it looks like', async () => {
  await using bench = await workbench({ files: { 'd/f\ufffd': 'other' }, mode: 'trusted' });
  writeFileSync(Buffer.concat([Buffer.from(join(bench.root, 'd/f')), Buffer.from([0xff])]), 'own');
  expect(codeOf(await bench.call('delete_file', { path: 'd', recursive: true }))).toBe('ENCODING_ERROR');
});
