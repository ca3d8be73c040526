/** Results and effects of the git tools, compared with the real git. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isClean } from '../../packages/runtime/src/git/read/read-head.ts';
import { codeOf } from '../support/code-of.ts';
import { dataOf, gitBench } from '../support/git-bench.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const oddNames = [
  '-n',
  '--amend',
  ' lead',
  'qu"ote',
  "it's",
  'new\nline',
  'tab\t',
  'é ☃',
  ':(top)x',
  '*',
  '$(id)',
  'a -> b',
  '#',
];

test('odd names are shown, compared and committed as they are', async () => {
  await using place = await gitBench({ files: Object.fromEntries(oddNames.map((name) => [name, 'one\n'])) });
  for (const name of oddNames) place.writeText(name, 'two\n');
  const status = dataOf(await place.call('git.status', {}));
  expect((status.entries as { path: string }[]).map(({ path }) => path).sort()).toEqual([...oddNames].sort());
  for (const name of oddNames) {
    const { diff, files } = dataOf(await place.call('git.diff', { path: name }));
    expect([name, files]).toEqual([name, 1]);
    expect(diff).toContain('-one\n+two\n');
  }
  const [first = '', ...rest] = oddNames;
  expect(dataOf(await place.call('git.commit', { message: 'one', files: [first] }))).toMatchObject({
    files_committed: 1,
  });
  expect(dataOf(await place.call('git.commit', { message: 'rest', files: rest }))).toMatchObject({
    files_committed: rest.length,
    insertions: rest.length,
    deletions: rest.length,
  });
  expect(place.git('status', '--porcelain')).toBe('');
});

test('whatever files are named, status lists exactly what is there', async () => {
  await using place = await gitBench({ files: {} });
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter(
      (one) =>
        !/[/\0]/.test(one) && !/^\.git/i.test(one) && one !== '.' && one !== '..' && one.isWellFormed(),
    );
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), async (names) => {
      for (const name of readdirSync(place.root)) if (name !== '.git') rmSync(join(place.root, name));
      for (const name of names) place.writeText(name, 'x');
      const { entries } = dataOf(await place.call('git.status', {}));
      expect((entries as { path: string }[]).map(({ path }) => path).sort()).toEqual(
        readdirSync(place.root)
          .filter((one) => one !== '.git')
          .sort(),
      );
    }),
    { numRuns: 25 },
  );
});

test('status tells branch, upstream, distance, renames, conflicts and what git does not know', async () => {
  await using place = await gitBench({ files: { 'a.txt': 'one\n', 'old.txt': 'a\nb\nc\nd\n' } });
  const { git, writeText } = place;
  git('branch', 'base');
  git('config', 'branch.main.remote', '.');
  git('config', 'branch.main.merge', 'refs/heads/base');
  git('checkout', '--quiet', '-b', 'side');
  writeText('a.txt', 'side\n');
  git('commit', '--quiet', '-am', 'side');
  git('checkout', '--quiet', 'main');
  writeText('a.txt', 'main\n');
  git('commit', '--quiet', '-am', 'main');
  expect(() => git('merge', '--quiet', 'side')).toThrow();
  git('mv', 'old.txt', 'new.txt');
  writeText('dir/unknown.txt', 'x');
  expect(dataOf(await place.call('git.status', {}))).toEqual({
    branch: 'main',
    upstream: 'base',
    ahead: 1,
    behind: 0,
    clean: false,
    entries: [
      { path: 'new.txt', index: 'R', worktree: '.', renamed_from: 'old.txt' },
      { path: 'a.txt', index: 'U', worktree: 'U' },
      { path: 'dir/', index: '?', worktree: '?' },
    ],
    total: 3,
    truncated: false,
  });
  const { diff } = dataOf(await place.call('git.diff', { path: 'a.txt' }));
  expect(diff).toContain('diff --cc a.txt');
  expect(diff).toContain('++<<<<<<< HEAD');
});

test('before the first commit and without a branch everything still answers', async () => {
  await using place = await gitBench({ files: { 'a.txt': 'one\n' } });
  const { git, writeText } = place;
  git('checkout', '--quiet', '--orphan', 'fresh');
  expect(dataOf(await place.call('git.status', {}))).toMatchObject({
    branch: 'fresh',
    entries: [{ index: 'A' }],
  });
  expect(dataOf(await place.call('git.log', {}))).toEqual({ commits: [] });
  expect(dataOf(await place.call('git.diff', { staged: true })).diff).toContain('+one');
  expect(dataOf(await place.call('git.branch', {}))).toMatchObject({
    current: 'fresh',
    branches: [{ name: 'main', current: false }],
  });
  expect(dataOf(await place.call('git.commit', { message: 'root' }))).toMatchObject({
    branch: 'fresh',
    files_committed: 1,
    insertions: 1,
  });
  git('checkout', '--quiet', '--detach');
  writeText('a.txt', 'two\n');
  expect(dataOf(await place.call('git.status', {}))).toMatchObject({ branch: null });
  expect(dataOf(await place.call('git.commit', { message: 'loose', files: ['a.txt'] }))).toMatchObject({
    branch: null,
  });
});

test('the log tells every field, newest first, and only of the path', async () => {
  await using place = await gitBench();
  const { git, writeText } = place;
  writeText('b.txt', 'b\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'subject é\n\nbody \x1f line\nsecond');
  const { commits } = dataOf(await place.call('git.log', { limit: 1 }));
  expect(commits).toEqual([
    {
      hash: git('rev-parse', 'HEAD').trim(),
      author: 'Ann',
      email: 'ann@example.org',
      date: '2026-01-02T03:04:05+00:00',
      subject: 'subject é',
      body: 'body \x1f line\nsecond',
    },
  ]);
  expect(dataOf(await place.call('git.log', { path: 'a.txt' }))).toMatchObject({
    commits: [{ subject: 'first' }],
  });
  expect(codeOf(await place.call('git.log', { limit: 0 }))).toBe('INVALID_ARGUMENTS');
  git('config', 'user.email', '$(touch marker)');
  expect(codeOf(await place.call('git.log', {}))).toBe('completed');
});

test('diff shows what git shows, and leaves the index as it was', async () => {
  await using place = await gitBench({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' } });
  const { git, writeText, root } = place;
  writeText('a.txt', 'two\n');
  writeText('b.txt', 'staged\n');
  git('add', 'b.txt');
  writeText('c.txt', 'one\n');
  const before = readFileSync(join(root, '.git', 'index'));
  const unstaged = dataOf(await place.call('git.diff', { path: '.', staged: false })).diff;
  const staged = dataOf(await place.call('git.diff', { staged: true })).diff;
  await place.call('git.status', {});
  expect(readFileSync(join(root, '.git', 'index')).equals(before)).toBe(true);
  expect(unstaged).toBe(git('diff'));
  expect(staged).toBe(git('diff', '--cached'));
  expect(codeOf(await place.call('git.diff', { path: '../x' }))).toBe('PATH_OUTSIDE_WORKSPACE');
});

test('a diff over the limit is refused, also when it never ends', async () => {
  await using place = await gitBench({ files: { 'a.txt': '' } });
  place.writeText('a.txt', 'x'.repeat(5 * 1024 * 1024));
  expect(codeOf(await place.call('git.diff', {}))).toBe('FILE_TOO_LARGE');
  place.writeText('a.txt', `${'x'.repeat(79)}\n`.repeat(60_000));
  expect(codeOf(await place.call('git.diff', {}))).toBe('completed');
});

test('a diff leaves out secrets and says so; one that is named is asked about like reading it', async () => {
  await using place = await gitBench({ files: { '.env': 'A=1\n', 'a.txt': 'one\n' } });
  place.writeText('.env', 'A=2\n');
  let askCount = 0;
  await using other = await workbench({ folder: place.folder });
  other.human(() => {
    askCount++;
    return { kind: 'reject' };
  }, 's2');
  place.writeText('a.txt', 'two\n');
  const wholeDiff = await other.call('git.diff', {}, { session: 's2' });
  expect(wholeDiff).toMatchObject({ data: { diff: expect.stringContaining('+two'), left_out: ['.env'] } });
  expect(JSON.stringify(wholeDiff)).not.toContain('A=2');
  expect(askCount).toBe(0);
  expect(codeOf(await other.call('git.diff', { path: '.env' }, { session: 's2', id: 'x' }))).toBe('REJECTED');
  expect(askCount).toBe(1);
});

test('a workspace inside a repository sees and commits only itself', async () => {
  await using place = await gitBench({ files: { 'in/a.txt': 'one\n', 'out.txt': 'one\n' } });
  const { git, writeText, folder, root } = place;
  writeText('in/a.txt', 'two\n');
  writeText('out.txt', 'two\n');
  git('add', 'out.txt');
  await using bench = await inside(folder, join(root, 'in'));
  expect(dataOf(await bench.call('git.status', {})).entries).toEqual([
    { path: 'a.txt', index: '.', worktree: 'M' },
  ]);
  const { diff } = dataOf(await bench.call('git.diff', {}));
  expect(diff).toContain('+++ b/a.txt');
  expect(diff).not.toContain('out.txt');
  git('add', 'in/a.txt');
  expect(await bench.call('git.commit', { message: 'x' })).toMatchObject({
    error: { details: { reason: 'above_workspace' } },
  });
  expect(dataOf(await bench.call('git.commit', { message: 'x', files: ['a.txt'] }))).toMatchObject({
    files_committed: 1,
  });
  expect(git('diff', '--cached', '--name-only')).toBe('out.txt\n');
  git('branch', 'other', 'HEAD~1');
  expect(codeOf(await bench.call('git.branch', { action: 'switch', name: 'other' }))).toBe('GIT_ERROR');
});

async function inside(folder: string, root: string): Promise<Workbench> {
  mkdirSync(join(folder, 'sub'));
  symlinkSync(root, join(folder, 'sub', 'work'));
  const bench = await workbench({ folder: join(folder, 'sub') });
  bench.human(approveAll);
  return bench;
}

test('clean means that tracked files are as committed', async () => {
  await using place = await gitBench();
  const { signal } = new AbortController();
  expect(await isClean(place.host.workspace, signal)).toBe(true);
  place.writeText('new.txt', 'x');
  expect(await isClean(place.host.workspace, signal)).toBe(true);
  place.writeText('a.txt', 'two\n');
  expect(await isClean(place.host.workspace, signal)).toBe(false);
  place.git('add', 'a.txt');
  expect(await isClean(place.host.workspace, signal)).toBe(false);
});

test('there is no way to push', async () => {
  await using place = await gitBench();
  expect(codeOf(await place.call('git.push', {}))).toBe('TOOL_NOT_FOUND');
});
