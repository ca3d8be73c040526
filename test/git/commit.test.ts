/** Commits: exactly what was shown, asked first, and nothing lost. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalRequest } from '@codelab/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { dataOf, gitBench } from '../support/git-bench.ts';

test('named files are committed as they are, new ones too, and what else is staged stays staged', async () => {
  const approvals: ApprovalRequest[] = [];
  await using place = await gitBench({
    human: (approval) => {
      approvals.push(approval);
      return { kind: 'approve' };
    },
  });
  const { git, writeText } = place;
  writeText('a.txt', 'two\n');
  writeText('b.txt', 'staged\n');
  git('add', 'b.txt');
  writeText('new/c d.txt', 'new\n');
  const data = dataOf(await place.call('git.commit', { message: 'feat: some', files: ['a.txt', 'new'] }));
  expect(data).toEqual({
    hash: git('rev-parse', 'HEAD').trim(),
    branch: 'main',
    files_committed: 2,
    insertions: 2,
    deletions: 1,
  });
  expect(git('show', '--name-only', '--format=', 'HEAD')).toBe('a.txt\nnew/c d.txt\n');
  expect(git('status', '--porcelain')).toBe('M  b.txt\n');
  expect(approvals).toHaveLength(1);
  expect(approvals[0]?.plan).toMatchObject({
    diff: { additions: 2, deletions: 1, hunks: 2 },
    command: { line: "git commit -m 'feat: some' -- a.txt new" },
  });
});

test('without files what is staged is committed, and nothing else', async () => {
  await using place = await gitBench();
  const { git, writeText } = place;
  expect(await place.call('git.commit', { message: 'x' })).toMatchObject({
    error: { code: 'GIT_ERROR', details: { reason: 'nothing_staged' } },
  });
  writeText('a.txt', 'staged\n');
  git('add', 'a.txt');
  writeText('a.txt', 'later\n');
  writeText('b.txt', 'unstaged\n');
  expect(dataOf(await place.call('git.commit', { message: 'x' }))).toMatchObject({ files_committed: 1 });
  expect(git('show', 'HEAD:a.txt')).toBe('staged\n');
  expect(git('status', '--porcelain')).toBe(' M a.txt\n M b.txt\n');
});

test('a deletion and a rename are committed by their names', async () => {
  await using place = await gitBench();
  place.git('mv', 'a.txt', 'c.txt');
  expect(dataOf(await place.call('git.commit', { message: 'x', files: ['a.txt', 'c.txt'] }))).toMatchObject({
    files_committed: 1,
    insertions: 0,
    deletions: 0,
  });
  expect(place.git('status', '--porcelain')).toBe('');
});

test('a message is kept byte for byte, whatever it looks like', async () => {
  await using place = await gitBench();
  let i = 0;
  const message = fc.oneof(
    fc.constantFrom(
      '-n',
      '--amend',
      '# no comment',
      'a\n\n# b\n',
      '\u0001\u001b[31m',
      '$(id)',
      '  x  \n\n\n',
    ),
    fc.string({ unit: 'grapheme', minLength: 1 }),
  );
  await fc.assert(
    fc.asyncProperty(
      message.filter((one) => one.trim() !== '' && !one.includes('\0') && one.isWellFormed()),
      async (text) => {
        place.writeText('a.txt', `${i++}\n`);
        dataOf(await place.call('git.commit', { message: text, files: ['a.txt'] }));
        const stored = place.git('cat-file', 'commit', 'HEAD').split('\n\n').slice(1).join('\n\n');
        expect(stored).toBe(text.endsWith('\n') ? text : `${text}\n`);
      },
    ),
    { numRuns: 8 },
  );
});

test.each([[''], [' \n'], ['a\0b'], ['\ud800'], ['x'.repeat(64 * 1024 + 1)]])(
  'the message %j is refused',
  async (message) => {
    await using place = await gitBench();
    place.writeText('a.txt', 'two\n');
    expect(codeOf(await place.call('git.commit', { message, files: ['a.txt'] }))).toBe('INVALID_ARGUMENTS');
  },
);

test('what changes while a human decides is shown again', async () => {
  const diffs: string[] = [];
  await using place = await gitBench({
    human: (approval) => {
      diffs.push(approval.plan.diff?.text ?? '');
      if (diffs.length === 1) {
        place.writeText('a.txt', 'three\n');
        place.git('add', 'a.txt');
      }
      return { kind: 'approve' };
    },
  });
  place.writeText('a.txt', 'two\n');
  place.git('add', 'a.txt');
  dataOf(await place.call('git.commit', { message: 'x' }));
  expect(diffs.map((text) => /\+(\w+)\n$/.exec(text)?.[1])).toEqual(['two', 'three']);
  expect(place.git('show', 'HEAD:a.txt')).toBe('three\n');
});

test('a commit asks in every mode, and a refused one leaves everything as it was', async () => {
  await using place = await gitBench({ human: () => ({ kind: 'reject' }), mode: 'trusted' });
  place.writeText('new.txt', 'x\n');
  const before = place.git('rev-parse', 'HEAD');
  expect(codeOf(await place.call('git.commit', { message: 'x', files: ['new.txt'] }))).toBe('REJECTED');
  expect(codeOf(await place.call('git.branch', { action: 'create', name: 'x' }))).toBe('REJECTED');
  expect(codeOf(await place.call('git.branch', { action: 'list' }))).toBe('completed');
  expect([place.git('rev-parse', 'HEAD'), place.git('status', '--porcelain')]).toEqual([
    before,
    '?? new.txt\n',
  ]);
});

test('a commit that fails leaves the index as it was, and foreign locks where they are', async () => {
  await using place = await gitBench();
  place.writeText('new.txt', 'x\n');
  const lock = join(place.root, '.git', 'index.lock');
  writeFileSync(lock, '');
  expect(await place.call('git.commit', { message: 'x', files: ['new.txt'] })).toMatchObject({
    error: { code: 'GIT_ERROR', details: { reason: 'locked' } },
  });
  expect(existsSync(lock)).toBe(true);
  expect(codeOf(await place.call('git.status', {}))).toBe('completed');
  place.git('update-ref', '--no-deref', 'refs/heads/main', 'HEAD');
  const ref = join(place.root, '.git', 'refs', 'heads', 'main.lock');
  writeFileSync(ref, '');
  rmSync(lock);
  expect(codeOf(await place.call('git.commit', { message: 'x', files: ['new.txt'] }))).toBe('GIT_ERROR');
  expect(place.git('status', '--porcelain')).toBe('?? new.txt\n');
});

test('commits at the same time all arrive', async () => {
  await using place = await gitBench();
  const names = ['p.txt', 'q.txt', 'r.txt', 's.txt'];
  for (const name of names) place.writeText(name, 'x\n');
  const outcomes = await Promise.all(
    names.map((name) => place.call('git.commit', { message: name, files: [name] })),
  );
  expect(outcomes.map(codeOf)).toEqual(names.map(() => 'completed'));
  expect(place.git('rev-list', '--count', 'HEAD')).toBe('5\n');
});

test('the whole workspace can be named, with many new files in it', async () => {
  await using place = await gitBench();
  for (let i = 0; i < 300; i++) place.writeText(`many/${'x'.repeat(100)}${i}.txt`, '');
  expect(dataOf(await place.call('git.commit', { message: 'all', files: ['.'] }))).toMatchObject({
    files_committed: 300,
  });
  expect(place.git('status', '--porcelain')).toBe('');
});
