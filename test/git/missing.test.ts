/** Paths that are not there: git tools name them, and know what git remembers. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataOf, gitBench } from '../support/git-bench.ts';

test('a diff of a path that neither the disk nor git knows names it', async () => {
  await using place = await gitBench();
  for (const staged of [false, true])
    expect(await place.call('git.diff', { path: 'nowhere/x.txt', staged })).toMatchObject({
      error: { code: 'FILE_NOT_FOUND', message: 'File not found: nowhere/x.txt' },
    });
  rmSync(join(place.root, 'a.txt'));
  expect(dataOf(await place.call('git.diff', { path: 'a.txt' }))).toMatchObject({ files: 1 });
  place.git('rm', '-q', '--cached', 'a.txt');
  expect(dataOf(await place.call('git.diff', { path: 'a.txt' }))).toMatchObject({ diff: '', files: 0 });
});

test('a file that neither the disk nor git knows is named, and nothing is committed', async () => {
  await using place = await gitBench();
  place.writeText('a.txt', 'two\n');
  const before = place.git('rev-parse', 'HEAD');
  for (const files of [['nowhere.txt'], ['a.txt', 'nowhere.txt']])
    expect(await place.call('git.commit', { message: 'x', files })).toMatchObject({
      error: { code: 'FILE_NOT_FOUND', message: 'File not found: nowhere.txt' },
    });
  expect(place.git('rev-parse', 'HEAD')).toBe(before);
});
