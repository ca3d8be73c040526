/** Which repository a workspace has: planted, borrowed and foreign ones are not used; worktrees and submodules are. */
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { findGit } from '../../packages/runtime/src/git/run-program.ts';
import { codeOf } from '../support/code-of.ts';
import { newRepository, realGit } from '../support/real-git.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { approveAll, workbench } from '../support/workbench.ts';

const readers: readonly (readonly [string, Record<string, unknown>])[] = [
  ['git.status', {}],
  ['git.diff', {}],
  ['git.diff', { staged: true }],
  ['git.log', {}],
  ['git.branch', {}],
  ['git.commit', { message: 'x', files: ['a.txt'] }],
];

/** The result of every tool in a workspace with this preparation. */
async function ends(prepare: (place: { folder: string; root: string }) => void): Promise<string[]> {
  using place = scratchFolder();
  prepare(place);
  await using bench = await workbench({ folder: place.folder });
  bench.human(approveAll);
  const outcomes: Outcome[] = [];
  for (const [tool, args] of readers) outcomes.push(await bench.call(tool, args));
  return [...new Set(outcomes.map(codeOf))];
}

/** A repository of another user with a secret in it. */
function other(folder: string): string {
  const place = join(folder, 'other');
  mkdirSync(place);
  const git = newRepository(place);
  writeFileSync(join(place, 'a.txt'), 'secret\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'secret');
  return place;
}

test('without a repository every tool says so', async () => {
  expect(await ends(() => undefined)).toEqual(['GIT_NOT_INITIALIZED']);
});

test('an empty .git is no repository', async () => {
  expect(await ends(({ root }) => mkdirSync(join(root, '.git')))).toEqual(['GIT_NOT_INITIALIZED']);
});

test('a bare repository planted in the workspace is not used', async () => {
  const codes = await ends(({ folder, root }) => {
    cpSync(join(other(folder), '.git'), root, { recursive: true });
  });
  expect(codes).toEqual(['GIT_NOT_INITIALIZED']);
});

test.each([
  [
    'a file that names it',
    (root: string, dir: string) => writeFileSync(join(root, '.git'), `gitdir: ${dir}\n`),
  ],
  ['a link', (root: string, dir: string) => symlinkSync(dir, join(root, '.git'))],
  [
    'a forged commondir',
    (root: string, dir: string) => {
      newRepository(root);
      writeFileSync(join(root, '.git', 'commondir'), `${dir}\n`);
    },
  ],
  [
    'a forged worktree',
    (root: string, dir: string) => {
      const forged = join(root, 'forged');
      mkdirSync(forged);
      cpSync(join(dir, 'HEAD'), join(forged, 'HEAD'));
      writeFileSync(join(forged, 'commondir'), `${dir}\n`);
      writeFileSync(join(forged, 'gitdir'), join(root, '.git'));
      writeFileSync(join(root, '.git'), 'gitdir: forged\n');
    },
  ],
])('another repository is not borrowed through %s', async (_name, borrow) => {
  expect(await ends(({ folder, root }) => borrow(root, join(other(folder), '.git')))).toEqual(['GIT_ERROR']);
});

test.runIf(process.getuid?.() === 0)('a repository of another user is not trusted', async () => {
  let settings = '';
  const codes = await ends(({ root }) => {
    newRepository(root);
    for (const path of [root, join(root, '.git')]) chownSync(path, 12345, 12345);
    settings = readFileSync(join(root, '.git', 'config'), 'utf8');
  });
  expect(codes).toEqual(['GIT_ERROR']);
  expect(settings).not.toContain('safe');
});

test('core.worktree does not lead out of the workspace', async () => {
  using place = scratchFolder();
  const git = newRepository(place.root);
  writeFileSync(join(place.root, 'a.txt'), 'here\n');
  git('config', 'core.worktree', join(place.folder, 'elsewhere'));
  mkdirSync(join(place.folder, 'elsewhere'));
  writeFileSync(join(place.folder, 'elsewhere', 'secret.txt'), 'x\n');
  await using bench = await workbench({ folder: place.folder });
  expect(await bench.call('git.status', {})).toMatchObject({
    status: 'completed',
    data: { entries: [{ path: 'a.txt', index: '?', worktree: '?' }] },
  });
});

test('a further worktree is used, and its commit lands on its branch', async () => {
  using place = scratchFolder();
  const main = other(place.folder);
  rmSync(place.root, { recursive: true });
  realGit(main)('worktree', 'add', '--quiet', '-b', 'side', place.root);
  writeFileSync(join(place.root, 'a.txt'), 'side\n');
  await using bench = await workbench({ folder: place.folder });
  bench.human(approveAll);
  expect(await bench.call('git.commit', { message: 'side', files: ['a.txt'] })).toMatchObject({
    status: 'completed',
    data: { branch: 'side', files_committed: 1 },
  });
  expect(realGit(main)('show', 'side:a.txt')).toBe('side\n');
  // A copied pointer file leads to a git directory that knows only the first worktree.
  using copy = scratchFolder();
  cpSync(join(place.root, '.git'), join(copy.root, '.git'));
  await using forged = await workbench({ folder: copy.folder });
  expect(codeOf(await forged.call('git.status', {}))).toBe('GIT_ERROR');
});

test('a submodule is a repository of its own, and for the one above only a commit', async () => {
  using place = scratchFolder();
  const inner = other(place.folder);
  const git = newRepository(place.root);
  git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
  git('commit', '--quiet', '-m', 'with a submodule');
  writeFileSync(join(place.root, 'sub', 'a.txt'), 'changed\n');
  await using outer = await workbench({ folder: place.folder });
  expect(await outer.call('git.status', {})).toMatchObject({ data: { clean: true } });

  using innerFolder = scratchFolder();
  rmSync(innerFolder.root, { recursive: true });
  symlinkSync(join(place.root, 'sub'), innerFolder.root);
  await using bench = await workbench({ folder: innerFolder.folder });
  expect(await bench.call('git.status', {})).toMatchObject({
    data: { entries: [{ path: 'a.txt', index: '.', worktree: 'M' }] },
  });
});

test('names of submodules that look like options or end in a carriage return are only names', async () => {
  using place = scratchFolder();
  const git = newRepository(place.root);
  writeFileSync(
    join(place.root, '.gitmodules'),
    '[submodule "x"]\n\tpath = "x\r"\n\turl = -u./payload\n\tupdate = !touch marker\n',
  );
  git('add', '.');
  git('commit', '--quiet', '-m', 'modules');
  await using bench = await workbench({ folder: place.folder });
  for (const [tool, args] of readers.slice(0, 5))
    expect(codeOf(await bench.call(tool, args))).toBe('completed');
  expect(existsSync(join(place.root, 'marker'))).toBe(false);
});

test('objects that a partial clone lacks are not fetched', async () => {
  using place = scratchFolder();
  const source = other(place.folder);
  realGit(source)('config', 'uploadpack.allowFilter', 'true');
  rmSync(place.root, { recursive: true });
  realGit(place.folder)(
    'clone',
    '--quiet',
    '--no-checkout',
    '--filter=blob:none',
    `file://${source}`,
    place.root,
  );
  const program = join(place.folder, 'fetch.sh');
  writeFileSync(program, `#!/bin/sh\ntouch ${place.folder}/marker\n`);
  chmodSync(program, 0o755);
  const git = realGit(place.root);
  git('config', 'remote.origin.uploadpack', program);
  git('config', 'protocol.file.allow', 'always');
  await using bench = await workbench({ folder: place.folder });
  expect(codeOf(await bench.call('git.diff', { staged: true }))).toBe('GIT_ERROR');
  expect(existsSync(join(place.folder, 'marker'))).toBe(false);
});

test('git is never taken from the workspace or from a relative folder of the search path', () => {
  using place = scratchFolder({ files: { 'bin/git': '#!/bin/sh\n' } });
  chmodSync(join(place.root, 'bin', 'git'), 0o755);
  const outside = join(place.folder, 'link');
  mkdirSync(outside);
  symlinkSync(join(place.root, 'bin', 'git'), join(outside, 'git'));
  const searchPath = ['.', 'bin', join(place.root, 'bin'), outside, '/usr/bin'].join(':');
  expect(findGit(place.root, searchPath)).toMatch(/^\/usr\//);
  expect(() => findGit(place.root, join(place.root, 'bin'))).toThrow('not installed');
});
