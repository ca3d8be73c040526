// A tree copied to another device while things happen to it, and what is reported of a copy that cannot have everything.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runInTurns, runNow } from '../../packages/runtime/src/platform/steps.ts';
import { Directory } from '../../packages/runtime/src/workspace/directory.ts';
import { copyTreeInSteps } from '../../packages/runtime/src/workspace/trees/copy-tree.ts';
import { copyTree, removeTree } from '../../packages/runtime/src/workspace/trees/tree.ts';
import { folderWith } from '../support/folder-with.ts';
import { turnsDuring } from '../support/turns-during.ts';
import { oneDevice, type TwoDevices, twoDevices } from '../support/two-devices.ts';

let folders: TwoDevices;
let from: Directory;
let to: Directory;

beforeEach(({ skip }) => {
  skip(oneDevice !== undefined, oneDevice);
  folders = twoDevices();
  from = Directory.openRoot(folders.memory);
  to = Directory.openRoot(folders.disk);
});

afterEach(() => {
  if (oneDevice !== undefined) return;
  from[Symbol.dispose]();
  to[Symbol.dispose]();
  folders[Symbol.dispose]();
});

const source = (path = ''): string => join(folders.memory, 't', path);
const target = (path = ''): string => join(folders.disk, 'c', path);
const many = (folder: string, count = 100): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}/file-${n}`, `${n}`]));
const openFiles = (): number => readdirSync('/proc/self/fd').length;

/** Copies up to the first pause at which the condition holds, lets something happen, and copies the rest. */
function copyWith(isTime: () => boolean, happen: () => void): unknown {
  const work = copyTreeInSteps(from, 't', to, 'c');
  while (!isTime()) if (work.next().done === true) throw new Error('it was over before');
  happen();
  return runNow(work);
}

describe('others', () => {
  test('get their turn again and again, and hear how far it is', async () => {
    folderWith(source(), many('d', 1000));
    const progress: number[] = [];
    const work = runInTurns(copyTreeInSteps(from, 't', to, 'c'), {
      onProgress: ({ files }) => progress.push(files),
    });
    // In pieces of 64 at most: 15 pauses, more on a slow disk.
    expect(await turnsDuring(work)).toBeGreaterThanOrEqual(14);
    expect(await work).toMatchObject({ files: 1000, bytes: 2890 });
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.length).toBeGreaterThanOrEqual(15);
  });

  test('get their turn within a large file', () => {
    folderWith(source(), { large: 'x'.repeat(20 * 1024 * 1024) });
    expect([...copyTreeInSteps(from, 't', to, 'c')].length).toBeGreaterThanOrEqual(10);
    expect(readFileSync(target('large')).equals(readFileSync(source('large')))).toBe(true);
  });

  test('can end it, and nothing stays open', async () => {
    folderWith(source(), { ...many('a/b/c', 500), large: 'x'.repeat(20 * 1024 * 1024) });
    const before = openFiles();
    const stop = new AbortController();
    const work = runInTurns(copyTreeInSteps(from, 't', to, 'c'), {
      signal: stop.signal,
      onProgress: ({ files }) => files > 64 && stop.abort(),
    });
    await expect(work).rejects.toThrow('aborted');
    expect(openFiles()).toBe(before);
    expect(copyTree(from, 't', to, 'c')).toMatchObject({ files: 501 });
    expect(readdirSync(target('a/b/c'))).toHaveLength(500);
  });
});

describe('meanwhile', () => {
  test('a folder swapped for a link is not followed', () => {
    folderWith(source(), { ...many('a'), ...many('b'), ...many('c') });
    folderWith(folders.memory, { 'outside/secret': 'secret' });
    let swapped = '';
    copyWith(
      () => existsSync(target()) && readdirSync(target()).length > 0,
      () => {
        swapped = ['a', 'b', 'c'].find((name) => !existsSync(target(name))) ?? '';
        rmSync(source(swapped), { recursive: true });
        symlinkSync('../outside', source(swapped));
      },
    );
    expect(lstatSync(target(swapped)).isSymbolicLink()).toBe(true);
  });

  test('a second name of a file is not taken from where a swapped folder of the copy leads', () => {
    folderWith(source(), { ...many('a'), ...many('b'), 'a/same': 'inside' });
    linkSync(source('a/same'), source('b/same'));
    folderWith(folders.disk, { 'outside/same': 'secret' });
    const copied = (): string[] => ['a', 'b'].filter((name) => existsSync(target(`${name}/same`)));
    expect(() =>
      copyWith(
        () => copied().length === 1,
        () => {
          renameSync(target(copied()[0]), join(folders.disk, 'aside'));
          symlinkSync('../outside', target(copied()[0] ?? 'b'));
        },
      ),
    ).toThrow();
    expect(lstatSync(join(folders.disk, 'outside/same')).nlink).toBe(1);
  });

  test('a file that is written to is refused, not copied by halves', () => {
    folderWith(source(), { log: 'x'.repeat(5 * 1024 * 1024) });
    const grow = (): void => appendFileSync(source('log'), 'more');
    expect(() => copyWith(() => existsSync(target('log')), grow)).toThrow(
      'log was changed while it was copied',
    );
  });

  test('what vanishes needs no copy', () => {
    folderWith(source(), { ...many('a', 300) });
    copyWith(
      () => existsSync(target('a')) && readdirSync(target('a')).length > 0,
      () => {
        for (const name of readdirSync(source('a')))
          if (!existsSync(target(`a/${name}`))) rmSync(source(`a/${name}`));
      },
    );
    expect(readdirSync(target('a')).sort()).toEqual(readdirSync(source('a')).sort());
    expect(readdirSync(target('a')).length).toBeLessThan(300);
  });
});

describe('a copy', () => {
  test('names the sockets and devices it cannot have, and the names elsewhere', async () => {
    folderWith(source(), { 'd/a': 'a', 'd/b': 'b' });
    linkSync(source('d/a'), join(folders.memory, 'outside'));
    await using server = createServer();
    await new Promise<void>((resolve) => server.listen(source('d/socket'), resolve));
    const hasDevice = spawnSync('mknod', [source('d/null'), 'c', '1', '3']).status === 0;
    const device = hasDevice ? [{ path: 'd/null', what: 'device' }] : [];
    const { lost, ...counts } = copyTree(from, 't', to, 'c');
    expect(lost.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'd/a', what: 'hard link' },
      ...device,
      { path: 'd/socket', what: 'socket' },
    ]);
    expect(counts).toEqual({
      files: 2,
      bytes: 2,
      lostCounts: { 'hard link': 1, socket: 1, ...(hasDevice && { device: 1 }) },
    });
    expect(readdirSync(target('d')).sort()).toEqual(['a', 'b']);
  });

  test('lists 20 of what it has not, and counts the rest', () => {
    folderWith(source(), many('d', 50));
    for (const name of readdirSync(source('d'))) linkSync(source(`d/${name}`), join(folders.memory, name));
    const { lost, lostCounts } = copyTree(from, 't', to, 'c');
    expect(lost).toHaveLength(20);
    expect(lostCounts).toEqual({ 'hard link': 50 });
  });

  test('of a file with holes takes up no more than the file does', () => {
    mkdirSync(source());
    writeFileSync(source('sparse'), 'start');
    truncateSync(source('sparse'), 256 * 1024 * 1024);
    const fd = openSync(source('sparse'), 'r+');
    writeSync(fd, 'middle', 100 * 1024 * 1024 + 17);
    closeSync(fd);
    copyTree(from, 't', to, 'c');
    const { size, blocks } = lstatSync(target('sparse'));
    expect(size).toBe(256 * 1024 * 1024);
    expect(blocks * 512).toBeLessThanOrEqual(64 * 1024);
    const bytes = readFileSync(target('sparse'));
    expect(bytes.indexOf('middle')).toBe(100 * 1024 * 1024 + 17);
  });

  test('has the times of files and folders, to a microsecond', () => {
    folderWith(source(), { 'd/a': 'a' });
    copyTree(from, 't', to, 'c');
    for (const path of ['', 'd', 'd/a']) {
      const [old, copy] = [source(path), target(path)].map((at) => lstatSync(at, { bigint: true }).mtimeNs);
      expect(Number((old ?? 0n) - (copy ?? 0n))).toBeCloseTo(0, -3);
    }
  });

  test('may be of a single file or link; what stood in its place gives way', () => {
    writeFileSync(source(), 'one');
    expect(copyTree(from, 't', to, 'c')).toMatchObject({ files: 1, bytes: 3 });
    expect(readFileSync(target(), 'utf8')).toBe('one');
    rmSync(source());
    symlinkSync('nowhere', source());
    copyTree(from, 't', to, 'c');
    expect(lstatSync(target()).isSymbolicLink()).toBe(true);
    rmSync(source());
    expect(() => copyTree(from, 't', to, 'c')).toThrow('ENOENT');
  });

  test('is made and removed of a tree that is deeper than any stack', () => {
    writeFileSync(source(), 'leaf');
    for (let depth = 0; depth < 1200; depth++) {
      mkdirSync(join(folders.memory, 'above'));
      renameSync(source(), join(folders.memory, 'above/t'));
      renameSync(join(folders.memory, 'above'), source());
    }
    expect(copyTree(from, 't', from, 'c')).toMatchObject({ files: 1, bytes: 4 });
    removeTree(from, 't');
    removeTree(from, 'c');
    expect(readdirSync(folders.memory)).toEqual([]);
  });

  test('is not made of the half that is left: what was copied before stays', () => {
    folderWith(source(), { 'd/a': 'a', 'd/b': 'b' });
    copyTree(from, 't', to, 'c');
    rmSync(source('d/a'));
    copyTree(from, 't', to, 'c');
    expect(readdirSync(target('d')).sort()).toEqual(['a', 'b']);
  });
});
