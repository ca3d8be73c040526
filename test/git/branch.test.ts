/** Branches: created, listed, switched to and deleted, whatever they are called. */
import { expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { dataOf, gitBench } from '../support/git-bench.ts';

test('branches are created, listed, switched to and deleted', async () => {
  await using place = await gitBench();
  const { git, writeText } = place;
  const hash = git('rev-parse', 'HEAD').trim();
  expect(dataOf(await place.call('git.branch', { action: 'create', name: 'feature/new-auth' }))).toEqual({
    current: 'main',
    created: 'feature/new-auth',
  });
  writeText('a.txt', 'two\n');
  git('commit', '--quiet', '-am', 'second');
  expect(
    dataOf(await place.call('git.branch', { action: 'create', name: 'old', from: 'HEAD~1' })),
  ).toMatchObject({ created: 'old' });
  expect(dataOf(await place.call('git.branch', {}))).toEqual({
    current: 'main',
    branches: [
      { name: 'feature/new-auth', hash, current: false },
      { name: 'main', hash: git('rev-parse', 'HEAD').trim(), current: true },
      { name: 'old', hash, current: false },
    ],
  });
  expect(dataOf(await place.call('git.branch', { action: 'switch', name: 'old' }))).toEqual({
    current: 'old',
  });
  expect(git('status', '--porcelain', '--branch')).toBe('## old\n');
  expect(dataOf(await place.call('git.branch', { action: 'delete', name: 'feature/new-auth' }))).toEqual({
    current: 'old',
    deleted: 'feature/new-auth',
  });
  // The branch is not merged here, so its commits would be lost.
  expect(codeOf(await place.call('git.branch', { action: 'delete', name: 'main' }))).toBe('GIT_ERROR');
  writeText('a.txt', 'dirty\n');
  expect(codeOf(await place.call('git.branch', { action: 'switch', name: 'main' }))).toBe('GIT_ERROR');
});

test('odd branch names are names or refused, never anything else', async () => {
  await using place = await gitBench();
  const codes: Record<string, string> = {};
  for (const name of [
    'x;id',
    '$(id)',
    '`id`',
    '-D',
    '--force',
    '@{-1}',
    '-',
    '@',
    'HEAD',
    'a..b',
    'a b',
    'a\nb',
    'a\0b',
    '',
    'x.lock',
  ])
    codes[name] = codeOf(await place.call('git.branch', { action: 'create', name }));
  const wrong = 'INVALID_ARGUMENTS';
  const accepted = { 'x;id': 'completed', '$(id)': 'completed', '`id`': 'completed' };
  expect(codes).toEqual({
    ...Object.fromEntries(Object.keys(codes).map((name) => [name, wrong])),
    ...accepted,
  });
  for (const args of [
    { action: 'switch', name: '-D' },
    { action: 'delete', name: '-D' },
    { action: 'create' },
    { action: 'switch', name: 'x;id', from: 'main' },
  ])
    expect(codeOf(await place.call('git.branch', args))).toBe(wrong);
  expect(codeOf(await place.call('git.branch', { action: 'create', name: 'y', from: '--all' }))).toBe(
    'GIT_ERROR',
  );
  expect(codeOf(await place.call('git.branch', { action: 'create', name: 'main' }))).toBe('ALREADY_EXISTS');
  expect(codeOf(await place.call('git.branch', { action: 'delete', name: 'none' }))).toBe('GIT_ERROR');
});

test('switching is judged by every file it would change', async () => {
  await using place = await gitBench();
  const { git, writeText } = place;
  git('checkout', '--quiet', '-b', 'settings');
  writeText('.codelab/config.json', '{}');
  git('add', '.');
  git('commit', '--quiet', '-m', 'settings');
  git('checkout', '--quiet', 'main');
  expect(await place.call('git.branch', { action: 'switch', name: 'settings' })).toMatchObject({
    error: { code: 'PERMISSION_DENIED', details: { rule: 'own-config' } },
  });
});
