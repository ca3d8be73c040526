// A review of a text that became something without lines (a symbolic link, a folder, a binary file), or was made of it.
import { chmodSync, lstatSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import { inspect, type ReviewedFile, readReview, runConsented } from '@codelab/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dataOf, type GitBench, gitBench } from '../support/git-bench.ts';
import { treeState } from '../support/tree-state.ts';

const scope = { session: 's1', turn: 1 };
const removed = '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +0,0 @@\n-one\n-two\n';
let bench: GitBench;

beforeEach(async () => {
  bench = await gitBench({ files: { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' }, mode: 'trusted' });
  symlinkSync('b.txt', join(bench.root, 'link'));
  bench.git('add', '.');
  bench.git('commit', '-qm', 'A link');
});
afterEach(() => bench[Symbol.asyncDispose]());

const at = (path: string): string => join(bench.root, path);
const agent = (tool: string, args: Record<string, unknown>): Promise<Outcome> =>
  bench.call(tool, args, { turn: 1 });
const run = (command: string): Promise<Outcome> => agent('run_command', { command });
const person = (tool: string, args: Record<string, unknown>): Promise<Outcome> =>
  runConsented(
    bench.host,
    { id: `by-ann-${tool}`, session: 's1', tool, args: { turn: 1, ...args }, dialect: 'codelab' },
    { who: 'ann', via: 'test' },
  );
const review = (): Promise<ReviewedFile[]> =>
  inspect(bench.host, { session: 's1' }, async (context) => (await readReview(context, scope)).files);
const fileAt = async (path: string): Promise<ReviewedFile | undefined> =>
  (await review()).find((file) => file.path === path);
const idsOf = (file: ReviewedFile | undefined): string[] => file?.hunks.map(({ id }) => id) ?? [];

describe('a text in whose place a symbolic link stands', () => {
  beforeEach(async () => {
    chmodSync(at('a.txt'), 0o640);
    await agent('move_file', { from: 'link', to: 'a.txt', overwrite: true });
  });

  test('is shown as all its lines removed, with where the link leads', async () => {
    expect(await review()).toMatchObject([
      {
        path: 'a.txt',
        op: 'update',
        diff: removed,
        added: 0,
        removed: 2,
        types: { before: { type: 'text' }, after: { type: 'symlink', target: 'b.txt' } },
      },
      { path: 'link', diff: '', types: { before: { type: 'symlink', target: 'b.txt' }, after: null } },
    ]);
    // The permissions did not change: a symbolic link has none.
    expect(await fileAt('a.txt')).not.toHaveProperty('mode');
  });

  test('is back whole when it is discarded, and the link again when that is undone', async () => {
    const before = treeState(bench.root);
    const outcome = await person('discard_changes', { hunks: idsOf(await fileAt('a.txt')) });
    expect(outcome).toMatchObject({ status: 'completed', data: { refused: [] } });
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(lstatSync(at('a.txt')).mode & 0o7777).toBe(0o640);
    expect(readFileSync(at('b.txt'), 'utf8')).toBe('b\n');
    await bench.call('undo', {});
    expect(treeState(bench.root)).toEqual(before);
  });

  test('stays with the text that a person gives it, and with its own permissions', async () => {
    const [hunk = ''] = idsOf(await fileAt('a.txt'));
    await person('discard_changes', { hunks: [], edits: [{ hunk, text: 'two\n' }] });
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('two\n');
    expect(lstatSync(at('a.txt')).mode & 0o7777).toBe(0o640);
    expect(readFileSync(at('b.txt'), 'utf8')).toBe('b\n');
  });

  test('is another change once the link leads elsewhere: a decision about the first is refused', async () => {
    const hunks = idsOf(await fileAt('a.txt'));
    await run('ln -sfn elsewhere a.txt');
    expect(await fileAt('a.txt')).toMatchObject({ diff: removed, types: { after: { target: 'elsewhere' } } });
    expect(await person('discard_changes', { hunks })).toMatchObject({ error: { code: 'STALE' } });
    expect(readlinkSync(at('a.txt'))).toBe('elsewhere');
  });

  test('is committed as the link', async () => {
    expect(dataOf(await person('commit_review', { message: 'Link' }))).toMatchObject({ files_committed: 2 });
    expect(bench.git('ls-tree', '--format=%(objectmode) %(path)', 'HEAD')).toBe(
      '120000 a.txt\n100644 b.txt\n',
    );
  });
});

test('a text that became binary shows its lines as removed', async () => {
  await run(`printf 'x\\0y' > a.txt`);
  const file = await fileAt('a.txt');
  expect(file).toMatchObject({
    diff: removed,
    types: { before: { type: 'text' }, after: { type: 'binary' } },
  });
  expect(file).not.toHaveProperty('binary');
  await person('discard_changes', { hunks: idsOf(file) });
  expect(readFileSync(at('a.txt'), 'utf8')).toBe('one\ntwo\n');
});

test('a text that became a folder shows its lines as removed, and counts as a file', async () => {
  await agent('delete_file', { path: 'a.txt' });
  await agent('write_file', { path: 'a.txt/new.txt', content: 'new\n' });
  const file = await fileAt('a.txt');
  expect(file).toMatchObject({
    diff: removed,
    types: { before: { type: 'text' }, after: { type: 'directory' } },
  });
  expect(file).not.toHaveProperty('folder');
  const reason = expect.stringContaining('it is no longer a file');
  expect(await person('discard_changes', { hunks: idsOf(file) })).toMatchObject({
    error: { message: reason },
  });
  await person('commit_review', { message: 'Folder' });
  expect(bench.git('ls-tree', '-r', '--name-only', 'HEAD')).toBe('a.txt/new.txt\nb.txt\nlink\n');
  expect(bench.git('status', '--short')).toBe('');
});

describe('a symbolic link that became a text', () => {
  beforeEach(() => run(`sed -i 's/b/B/' link`));

  test('shows all lines as added, and is the link again when they are discarded', async () => {
    const file = await fileAt('link');
    expect(file).toMatchObject({
      diff: '--- a/link\n+++ b/link\n@@ -0,0 +1 @@\n+B\n',
      types: { before: { type: 'symlink', target: 'b.txt' }, after: { type: 'text' } },
    });
    await person('discard_changes', { hunks: idsOf(file) });
    expect(readlinkSync(at('link'))).toBe('b.txt');
  });

  test('keeps the lines that its user added when those of the agent are discarded', async () => {
    writeFileSync(at('link'), 'B\nmine\n');
    const file = await fileAt('link');
    expect(file?.diff).toBe('--- a/link\n+++ b/link\n@@ -1 +1,2 @@\n+B\n mine\n');
    await person('discard_changes', { hunks: idsOf(file) });
    expect(readFileSync(at('link'), 'utf8')).toBe('mine\n');
  });
});
