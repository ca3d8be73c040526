// Findings from reading a line: places, folders, repositories, words.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LineReading, readArgv, readLine } from '../../packages/runtime/src/policy/shell/read-line.ts';
import { Workspace } from '../../packages/runtime/src/workspace/workspace.ts';
import { judgeLine } from '../support/judge-line.ts';
import { sampleRepository } from '../support/sample-repository.ts';

let scratch: ReturnType<typeof sampleRepository>;
let workspace: Workspace;
beforeEach(() => {
  scratch = sampleRepository();
  workspace = Workspace.open(scratch.root);
});
afterEach(() => {
  workspace[Symbol.dispose]();
  scratch[Symbol.dispose]();
});

function sum({ parts }: LineReading): string {
  if (parts.some(({ verdict }) => verdict === 'deny')) return 'deny';
  if (parts.some(({ mustAsk }) => mustAsk)) return 'must';
  return parts.every(({ verdict }) => verdict === 'allow') ? 'allow' : 'ask';
}

const verdictOf = async (line: string, cwd = ''): Promise<string> =>
  sum(await readLine(line, { workspace, cwd }));
const touchesOf = async (line: string, cwd = ''): Promise<string[]> =>
  (await readLine(line, { workspace, cwd })).touches.map(({ access, path }) => `${access} ${path}`);

describe('places', () => {
  test('are found behind quotes, folders, globs and redirections', async () => {
    expect(await touchesOf(`cat "src/"'a.ts' ./docs/../README.md < package.json`)).toEqual([
      'read src/a.ts',
      'read README.md',
      'read package.json',
    ]);
    expect(await touchesOf('cat *.ts', 'src')).toEqual(['read src/a.ts', 'read src/b.ts']);
    expect(await touchesOf('cd src && cat a.ts; cat b.ts')).toEqual([
      'read src/a.ts',
      'read b.ts',
      'read src/b.ts',
    ]);
    expect(await touchesOf('mv src/a.ts docs && echo x >> new.txt')).toEqual([
      'write docs',
      'delete src/a.ts',
      'write docs/a.ts',
      'write new.txt',
    ]);
    expect(await touchesOf(`cat ${scratch.root}/src/a.ts`)).toEqual(['read src/a.ts']);
    expect(await touchesOf('git show HEAD:.env')).toEqual(['read .env']);
    expect(await touchesOf('git show :0:.env')).toEqual(['read .env']);
  });

  test('a link that leads out is not followed', async () => {
    symlinkSync('/etc', join(scratch.root, 'etc'));
    symlinkSync('src', join(scratch.root, 'lib'));
    expect(await verdictOf('cat etc/passwd')).toBe('must');
    expect(await verdictOf('cat e*/passwd')).toBe('must');
    expect(await verdictOf('cat lib/a.ts')).toBe('allow');
    expect(await verdictOf('cat lib/../README.md')).toBe('allow');
    expect(await verdictOf('cd lib && ls')).toBe('must');
  });

  test('a glob that spells out the way to the workspace stands for the names that fit it', async () => {
    symlinkSync('/etc/passwd', join(scratch.root, 'src/out'));
    expect(await touchesOf(`cat ${scratch.root}/.e*`)).toEqual(['read .env']);
    expect(await verdictOf(`cat ${scratch.root}/src/o*`)).toBe('must');
    expect(await verdictOf(`cat ${scratch.root}/src/*.ts`)).toBe('allow');
    expect(await verdictOf(`echo ${scratch.root}/../*`)).toBe('must');
    expect(await verdictOf(`echo ${scratch.root}*/x`)).toBe('must');
  });

  test('what follows links in a folder reads what they lead to', async () => {
    expect(await verdictOf('diff src docs')).toBe('allow');
    symlinkSync('../.env', join(scratch.root, 'src/settings'));
    expect((await judgeLine(workspace, 'diff src docs')).rule).toBe('secrets');
    symlinkSync('/etc/passwd', join(scratch.root, 'docs/out'));
    expect(await verdictOf('diff src docs')).toBe('must');
    expect(await verdictOf('diff out docs')).toBe('must');
    expect(await verdictOf('test -f docs/out')).toBe('must');
    expect(await verdictOf('git diff docs/out README.md')).toBe('must');
  });

  test('a name that a glob turns into an option is taken for one', async () => {
    expect(await verdictOf('sort *')).toBe('allow');
    writeFileSync(join(scratch.root, '--output=README.md'), '');
    expect(await verdictOf('sort *')).toBe('ask');
    expect(await verdictOf('sort -- *')).toBe('allow');
    expect(await verdictOf('sort ./*')).toBe('allow');
  });

  test('reading a whole folder speaks about every file in it', async () => {
    expect((await judgeLine(workspace, 'grep -rn x src')).verdict).toBe('allow');
    expect((await judgeLine(workspace, 'grep -rn x .')).rule).toBe('secrets');
    expect((await judgeLine(workspace, 'rg x')).verdict).toBe('allow');
    mkdirSync(join(scratch.root, 'src/private'));
    writeFileSync(join(scratch.root, 'src/private/notes.txt'), '');
    const rules = [{ id: 'private', effect: 'deny' as const, reason: 'Private.', path: 'src/private/**' }];
    expect((await judgeLine(workspace, 'grep -rn x src', { rules })).verdict).toBe('deny');
    writeFileSync(join(scratch.root, 'src/server.key'), '');
    expect((await judgeLine(workspace, 'rg x')).rule).toBe('secrets');
    expect((await judgeLine(workspace, 'rg --files')).verdict).toBe('allow');
  });

  test('what git keeps for itself is not written to, under no spelling', async () => {
    for (const line of [
      'echo x > .git/config',
      'cp README.md .GIT/hooks/pre-commit',
      'mv README.md .git',
      'rm -rf .git',
      'tee .git/x < README.md',
    ])
      expect([
        line,
        (await judgeLine(workspace, line, { mode: 'trusted', sandbox: 'bubblewrap' })).verdict,
      ]).toEqual([line, 'deny']);
  });
});

describe('a hostile repository', () => {
  const git = (...args: string[]): void => {
    execFileSync('git', args, { cwd: scratch.root, stdio: 'ignore' });
  };

  test.each([
    ['diff.x.textconv', './x'],
    ['diff.external', './x'],
    ['filter.x.clean', './x'],
    ['merge.x.driver', './x'],
    ['hook.x.command', './x'],
    ['core.fsmonitor', './x'],
    ['core.hooksPath', 'hooks'],
    ['core.worktree', '/'],
    ['gpg.program', './x'],
    ['include.path', '../config'],
    ['includeIf.gitdir:/.path', '../config'],
    ['remote.origin.promisor', 'true'],
    ['submodule.x.url', './x'],
    ['blame.ignoreRevsFile', '/etc/passwd'],
    ['core.excludesFile', '/etc/passwd'],
  ])('with %s is not read by git unasked', async (key, value) => {
    expect(await verdictOf('git diff')).toBe('allow');
    git('config', key, value);
    for (const line of ['git diff', 'git status', 'git log -p', 'cd src && git blame a.ts'])
      expect([line, await verdictOf(line)]).toEqual([line, 'must']);
  });

  test('with a hook that git starts when it looks is asked about', async () => {
    writeFileSync(join(scratch.root, '.git/hooks/post-index-change'), '');
    expect(await verdictOf('git status')).toBe('must');
  });

  test('with a .git that git passes over on its way up is not read unasked', async () => {
    const fake = join(scratch.root, 'src/.git');
    mkdirSync(fake);
    expect(await verdictOf('git diff', 'src')).toBe('must');
    for (const name of ['objects', 'refs']) mkdirSync(join(fake, name));
    writeFileSync(join(fake, 'HEAD'), 'nowhere\n');
    expect(await verdictOf('git diff', 'src')).toBe('must');
    writeFileSync(join(fake, 'HEAD'), 'ref: refs/heads/main\n');
    expect(await verdictOf('git diff', 'src')).toBe('allow');
  });

  test('that lies elsewhere and does not name this folder is not read unasked', async () => {
    using other = sampleRepository();
    writeFileSync(join(scratch.root, 'src/.git'), `gitdir: ${other.root}/.git\n`);
    expect(await verdictOf('git log -p', 'src')).toBe('must');
  });

  test('a setting in several lines is still seen', async () => {
    appendFileSync(join(scratch.root, '.git/config'), '[core]\n\tfsmon\\\nitor = ./x\n[DIFF\t"a"]\n');
    expect(await verdictOf('git status')).toBe('must');
  });

  test('a worktree is judged by the settings it shares', async () => {
    git('worktree', 'add', 'tree');
    expect(await verdictOf('git status', 'tree')).toBe('allow');
    git('config', 'filter.x.clean', './x');
    expect(await verdictOf('git status', 'tree')).toBe('must');
  });
});

describe('without a shell', () => {
  const argv = async (...words: string[]): Promise<LineReading> => readArgv(words, { workspace, cwd: '' });

  test('each word is taken as it is', async () => {
    expect((await argv('ls', ';', 'id')).parts).toHaveLength(1);
    expect((await argv('echo', '$(sudo id)', '`id`', '*')).parts).toMatchObject([
      { verdict: 'allow', words: ['echo', '$(sudo id)', '`id`', '*'] },
    ]);
    expect(sum(await argv('cat', '*'))).toBe('allow');
    expect((await argv('cat', '*')).touches).toEqual([{ asked: '*', path: '*', access: 'read' }]);
    expect(sum(await argv('sh', '-c', 'ls'))).toBe('must');
    expect(sum(await argv('rm', '-rf', '/'))).toBe('must');
  });

  test('control characters and nothing at all are refused', async () => {
    expect(sum(await argv('ls', 'a\0b'))).toBe('deny');
    expect(sum(await argv())).toBe('deny');
  });
});

test('parts tell how deep they stand', async () => {
  const { parts } = await readLine('timeout 5 nice ls; echo "$(cat README.md)" > x', { workspace, cwd: '' });
  expect(parts.map(({ text, depth = 0 }) => `${depth} ${text}`)).toEqual([
    '0 timeout 5 nice ls',
    '1 nice ls',
    '2 ls',
    '0 echo "$(cat README.md)" > x',
    '1 $(cat README.md)',
    '2 cat README.md',
    '1 > x',
  ]);
});

test('an everyday line is read in a fraction of a millisecond', async () => {
  const line = 'cat package.json | grep version && git log --oneline -5';
  const times: number[] = [];
  for (let i = 0; i < 200; i++) {
    const begin = performance.now();
    await readLine(line, { workspace, cwd: '' });
    times.push(performance.now() - begin);
  }
  expect(times.sort((a, b) => a - b)[20]).toBeLessThan(3);
});
