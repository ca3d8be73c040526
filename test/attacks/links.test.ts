import { linkSync, lstatSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { besideSecrets, everything, outsideOf, refusals } from '../support/beside-secrets.ts';
import { codeOf } from '../support/code-of.ts';
import type { Workbench } from '../support/workbench.ts';

/** Makes links in the workspace; FOLDER stands for the folder that holds it. */
function link(bench: Workbench, links: Record<string, string>): void {
  for (const [path, target] of Object.entries(links))
    symlinkSync(target.replace('FOLDER', bench.folder), join(bench.root, path));
}

// Deleting or moving a link itself is fine: what it points at stays.
const follows = (entryPoint: string): boolean => !/delete|move/.test(entryPoint);
const read = (bench: Workbench, path: string): string => readFileSync(join(bench.root, path), 'utf8');

describe('links that lead out', () => {
  test.each([
    ['L-01', 'relative', { out: '../outside/secret.txt' }],
    ['L-01', 'absolute', { out: 'FOLDER/outside/secret.txt' }],
    ['L-01', 'absolute with the root in front', { out: 'FOLDER/work/../outside/secret.txt' }],
    ['L-01', 'beside a name that begins like the root', { out: 'FOLDER/work-not/secret.txt' }],
    ['L-01', 'to nothing yet', { out: '../outside/new.txt' }],
    ['L-01', 'through a directory that is missing', { out: 'gone/../../outside/secret.txt' }],
    ['L-01', 'to /proc', { out: '/proc/self/root/etc/passwd' }],
    ['L-04', 'chain, all relative', { out: 'two', two: 'src/../three', three: '../outside/secret.txt' }],
    ['L-04', 'chain, mixed', { out: 'FOLDER/work/two', two: './three', three: 'FOLDER/outside/secret.txt' }],
    ['L-04', 'chain through directories', { out: 'd/secret.txt', d: 'FOLDER/work/e', e: '../outside' }],
  ])('%s: %s', async (_id, _name, links) => {
    await using bench = await besideSecrets();
    link(bench, links);
    const answers = await refusals(bench, 'out', follows);
    expect(answers).toEqual([/gone/.test(links.out) ? 'FILE_NOT_FOUND' : 'PATH_OUTSIDE_WORKSPACE']);
  });

  test.each(['d/secret.txt', 'd/new.txt', 'd/new/deep.txt', 'd/.', 'src/e/secret.txt'])(
    'L-02: below a linked directory: %s',
    async (path) => {
      await using bench = await besideSecrets();
      link(bench, { d: '../outside', 'src/e': '../../outside' });
      const names = (entryPoint: string): boolean => path !== 'd/.' || follows(entryPoint);
      expect(await refusals(bench, path, names)).toEqual(['PATH_OUTSIDE_WORKSPACE']);
    },
  );

  test('a link that leads out can be deleted, moved and listed as what it is; what it points at stays', async () => {
    await using bench = await besideSecrets();
    link(bench, { one: '../outside', two: '../outside/secret.txt', 'src/three': '../../outside' });
    const before = outsideOf(bench);
    const listing = await bench.call('list_files', { path: '.', recursive: true });
    expect(JSON.stringify(listing)).not.toContain('secret.txt');
    expect(codeOf(await bench.call('delete_file', { path: 'one', recursive: true }))).toBe('completed');
    expect(codeOf(await bench.call('move_file', { from: 'two', to: 'moved' }))).toBe('completed');
    expect(await bench.call('delete_file', { path: 'src', recursive: true })).toMatchObject({
      data: { files: 3 },
    });
    expect(readlinkSync(join(bench.root, 'moved'))).toBe('../outside/secret.txt');
    expect(outsideOf(bench)).toEqual(before);
  });

  test('a move into a linked directory, or out of one, stays inside', async () => {
    await using bench = await besideSecrets();
    link(bench, { d: '../outside' });
    const before = everything(bench);
    for (const args of [
      { from: 'a.txt', to: 'd/a.txt' },
      { from: 'd/secret.txt', to: 'b.txt' },
      { from: 'd/secret.txt', to: 'd/other.txt' },
    ])
      expect(codeOf(await bench.call('move_file', args))).toBe('PATH_OUTSIDE_WORKSPACE');
    expect(everything(bench)).toEqual(before);
  });
});

describe('links that stay inside', () => {
  test.each([
    ['relative', 'src/a.js'],
    ['absolute', 'FOLDER/work/src/a.js'],
    ['by way of a directory', 'dir/a.js'],
    ['up and down again', 'src/../src/./a.js'],
  ])('L-05: an edit through a link changes its target and the link stays (%s)', async (_name, target) => {
    await using bench = await besideSecrets();
    link(bench, { dir: 'src', alias: target });
    expect(await bench.call('read_file', { path: 'alias' })).toMatchObject({
      data: { path: 'src/a.js', content: '1\n' },
    });
    const outcome = await bench.call('write_file', { path: 'alias', content: '7\n' });
    expect(outcome).toMatchObject({
      data: { path: 'src/a.js' },
      effects: [{ op: 'update', path: 'src/a.js' }],
    });
    expect(lstatSync(join(bench.root, 'alias')).isSymbolicLink()).toBe(true);
    expect(read(bench, 'src/a.js')).toBe('7\n');
    expect(lstatSync(join(bench.root, 'src/a.js')).isSymbolicLink()).toBe(false);
  });

  test('a write through a dangling link makes the place it names', async () => {
    await using bench = await besideSecrets();
    link(bench, { one: 'fresh.txt', two: 'new/deep/fresh.txt' });
    for (const path of ['one', 'two'])
      expect(codeOf(await bench.call('write_file', { path, content: 'x\n' }))).toBe('completed');
    expect([read(bench, 'fresh.txt'), read(bench, 'new/deep/fresh.txt')]).toEqual(['x\n', 'x\n']);
    expect(readlinkSync(join(bench.root, 'one'))).toBe('fresh.txt');
  });

  test('a linked directory is listed and written through under its real name', async () => {
    await using bench = await besideSecrets();
    link(bench, { dir: 'src' });
    expect(await bench.call('list_files', { path: 'dir' })).toMatchObject({
      data: { path: 'src', total: 2 },
    });
    expect(await bench.call('write_file', { path: 'dir/c.js', content: '3\n' })).toMatchObject({
      data: { path: 'src/c.js' },
    });
    expect(codeOf(await bench.call('delete_file', { path: 'dir/c.js' }))).toBe('completed');
    expect(codeOf(await bench.call('delete_file', { path: 'dir' }))).toBe('completed');
    expect(read(bench, 'src/a.js')).toBe('1\n');
  });

  test.each([
    ['two links', { a: 'b', b: 'a' }, 'a'],
    ['a link to itself', { a: 'a' }, 'a'],
    ['a directory in itself', { 'src/a': '../src/a/a' }, 'src/a'],
  ])('a loop is refused: %s', async (_name, links, path) => {
    await using bench = await besideSecrets();
    link(bench, links);
    expect(await refusals(bench, path, follows)).toEqual(['INVALID_PATH']);
  });

  test.each(['alias', 'dir/config'])('L-06: what is denied is denied under any name (%s)', async (path) => {
    await using bench = await besideSecrets({ '.git/config': '[core]\n', 'safe.txt': 'x\n' });
    link(bench, { alias: '.git/config', dir: '.git' });
    expect(codeOf(await bench.call('write_file', { path, content: 'x' }))).toBe('PERMISSION_DENIED');
    expect(read(bench, '.git/config')).toBe('[core]\n');
  });

  test('hard links stay one file', async () => {
    await using bench = await besideSecrets();
    linkSync(join(bench.root, 'a.txt'), join(bench.root, 'src/twin.txt'));
    const { ino } = lstatSync(join(bench.root, 'a.txt'));
    for (const content of ['longer than it was before\n', 's\n', '']) {
      expect(codeOf(await bench.call('write_file', { path: 'src/twin.txt', content }))).toBe('completed');
      expect([read(bench, 'a.txt'), read(bench, 'src/twin.txt')]).toEqual([content, content]);
    }
    expect(lstatSync(join(bench.root, 'a.txt'))).toMatchObject({ ino, nlink: 2 });
  });

  test('two names of one file written at once: one wins whole, the other is told', async () => {
    await using bench = await besideSecrets();
    linkSync(join(bench.root, 'a.txt'), join(bench.root, 'b.txt'));
    for (let round = 0; round < 30; round++) {
      const contents = [`${round} ${'A'.repeat(5_000)}\n`, `${round} b\n`];
      const outcomes = await Promise.all(
        ['a.txt', 'b.txt'].map((path, i) => bench.call('write_file', { path, content: contents[i] ?? '' })),
      );
      const winners = contents.filter((_, i) => outcomes[i]?.status === 'completed');
      expect(winners).toContain(read(bench, 'a.txt'));
      const others = outcomes.map(codeOf).filter((code) => code !== 'completed');
      expect(others.every((code) => code === 'STALE')).toBe(true);
    }
  });
});
