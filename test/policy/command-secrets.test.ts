// Shell lines that read, and the secrets they would show by the way: none of them runs unasked, in any mode.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Workspace } from '../../packages/runtime/src/workspace/workspace.ts';
import { judgeLine } from '../support/judge-line.ts';
import { sampleRepository } from '../support/sample-repository.ts';

type Sample = Disposable & { root: string; workspace: Workspace; git(...args: string[]): string };

function sample(extra: Record<string, string> = {}): Sample {
  const scratch = sampleRepository(extra);
  const workspace = Workspace.open(scratch.root);
  return {
    root: scratch.root,
    workspace,
    git: (...args) =>
      execFileSync('git', ['-c', 'user.name=me', '-c', 'user.email=me@example.org', ...args], {
        cwd: scratch.root,
        encoding: 'utf8',
      }),
    [Symbol.dispose]() {
      workspace[Symbol.dispose]();
      scratch[Symbol.dispose]();
    },
  };
}

/** The verdicts in the mode that asks least. */
const verdicts = async (
  workspace: Workspace,
  lines: readonly string[],
  sandbox: 'bubblewrap' | 'none' = 'bubblewrap',
): Promise<[string, string][]> =>
  Promise.all(
    lines.map(async (line): Promise<[string, string]> => {
      const { verdict } = await judgeLine(workspace, line, { mode: 'trusted', sandbox });
      return [line, verdict];
    }),
  );
const all = (lines: readonly string[], verdict: string): [string, string][] =>
  lines.map((line) => [line, verdict]);

describe('git', () => {
  test('is asked about where it would show a changed, staged or committed secret, and only there', async () => {
    using place = sample();
    const quiet = [
      'git diff',
      'git diff --cached',
      'git status -v',
      'git show',
      'git log -p -1',
      'git log -3',
    ];
    expect(await verdicts(place.workspace, quiet)).toEqual(all(quiet, 'allow'));
    writeFileSync(join(place.root, '.env'), 'SECRET=2\n');
    const changed = [
      'git diff',
      'git diff HEAD',
      'git diff -- . ',
      'git --no-pager diff -U1',
      'git status -vv',
    ];
    expect(await verdicts(place.workspace, changed)).toEqual(all(changed, 'ask'));
    const summaries = [
      'git diff --stat',
      'git diff --name-only',
      'git diff -- src',
      'git status',
      'git diff src',
    ];
    expect(await verdicts(place.workspace, summaries)).toEqual(all(summaries, 'allow'));
    place.git('add', '-A');
    const staged = ['git diff --cached', 'git diff --staged HEAD', 'git status -v'];
    expect(await verdicts(place.workspace, staged)).toEqual(all(staged, 'ask'));
    place.git('commit', '-qm', 'three');
    place.git('rm', '-q', '.env');
    place.git('commit', '-qm', 'four');
    const history = [
      ...[
        'git log -p',
        'git log -p --graph --oneline',
        'git show HEAD~1',
        'git show HEAD',
        'git diff HEAD~2',
      ],
      ...['git show HEAD~1:.env', 'git log -p -- .env', 'git blame HEAD~1 -- .env', 'git reflog -p'],
      ...['git reflog show -p', 'git log -p --relative=.e', 'git diff --relative=.en HEAD~2'],
      ...['git diff-tree -p HEAD~1', 'git grep SECRET HEAD~1', 'git log -S SECRET -p', 'git log --cc -2'],
    ];
    expect(await verdicts(place.workspace, history)).toEqual(all(history, 'ask'));
    const harmless = [
      'git log',
      'git log --stat',
      'git show --stat HEAD',
      'git grep SECRET',
      'git diff',
      'git diff HEAD',
    ];
    expect(await verdicts(place.workspace, harmless)).toEqual(all(harmless, 'allow'));
  });

  test('a file that is shown by its hash is asked about', async () => {
    using place = sample();
    const hash = place.git('rev-parse', 'HEAD:.env').trim();
    place.git('tag', 'innocent', hash);
    const lines = [
      `git show ${hash}`,
      `git cat-file -p ${hash}`,
      `git cat-file blob ${hash}`,
      'git show innocent',
      `git diff HEAD:src/a.ts ${hash}`,
      `git diff ${hash}..HEAD:src/a.ts`,
      'git diff innocent src/a.ts',
      'git show --tags',
      'git show --all -s',
      "git for-each-ref --format='%(raw)'",
      "git tag -l --format='%(raw)'",
    ];
    expect(await verdicts(place.workspace, lines)).toEqual(all(lines, 'ask'));
    const fine = ['git cat-file -p HEAD', `git cat-file -p HEAD:src/a.ts`, 'git cat-file -t HEAD'];
    expect(await verdicts(place.workspace, fine)).toEqual(all(fine, 'allow'));
  });

  test('a search in a file by its hash is asked about, also when nothing secret is tracked', async () => {
    using place = sample();
    const hash = place.git('rev-parse', 'HEAD:.env').trim();
    place.git('rm', '-q', '--cached', '.env');
    const lines = [`git grep SECRET ${hash}`, `git grep -e SECRET ${hash}`];
    expect(await verdicts(place.workspace, lines)).toEqual(all(lines, 'ask'));
    const fine = ['git grep SECRET', 'git grep x -- src', 'git diff HEAD:src/a.ts HEAD:src/b.ts'];
    expect(await verdicts(place.workspace, fine)).toEqual(all(fine, 'allow'));
  });

  test.each([
    ['https://me:token@example.org/x.git', 'ask'],
    ['https://token@example.org/x.git', 'ask'],
    ['https://example.org/x.git', 'allow'],
    ['git@example.org:x.git', 'allow'],
    ['ssh://git@example.org/x.git', 'allow'],
  ])('a remote at %s: %s', async (url, verdict) => {
    using place = sample();
    place.git('remote', 'add', 'origin', url);
    place.git('config', 'branch.main.remote', url);
    const lines = ['git remote -v', 'git remote get-url origin', 'git config --get branch.main.remote'];
    expect(await verdicts(place.workspace, lines)).toEqual(all(lines, verdict));
    expect(await verdicts(place.workspace, ['git remote'])).toEqual([['git remote', 'allow']]);
  });
});

describe('searches', () => {
  test.each(['.ignore', '.rgignore', '.gitignore', '.git/info/exclude'])(
    'rg is asked about where %s names a hidden secret, unless the sandbox leaves it out',
    async (file) => {
      using place = sample();
      expect(await verdicts(place.workspace, ['rg SECRET'])).toEqual([['rg SECRET', 'allow']]);
      writeFileSync(join(place.root, file), 'node_modules\n!.env\n');
      const lines = ['rg SECRET', 'rg SECRET .', 'rg -l SECRET'];
      expect(await verdicts(place.workspace, lines, 'none')).toEqual(all(lines, 'ask'));
      expect(await verdicts(place.workspace, lines)).toEqual(all(lines, 'allow'));
      writeFileSync(join(place.root, file), '*\n!*/\n!.env.example\n');
      if (file !== '.git/info/exclude')
        expect(await verdicts(place.workspace, ['rg SECRET src'])).toEqual([['rg SECRET src', 'allow']]);
    },
  );

  test('reading a secret among all files is asked about where the sandbox can’t leave it out', async () => {
    using place = sample();
    const lines = [
      'rg -uuu SECRET',
      'rg --hidden SECRET',
      'rg -. SECRET',
      "rg --hidden -g '!.git' SECRET",
      'grep -r SECRET .',
    ];
    expect(await verdicts(place.workspace, lines, 'none')).toEqual(all(lines, 'ask'));
    expect(await verdicts(place.workspace, lines)).toEqual(all(lines, 'allow'));
    // Git finds tracked files as they are, and so does whatever else is in its line.
    const besideGit = lines.map((line) => `git status; ${line}`);
    expect(await verdicts(place.workspace, besideGit)).toEqual(all(besideGit, 'ask'));
    rmSync(join(place.root, '.env'));
    const fine = [
      'grep -r SECRET .',
      'git ls-files | xargs grep SECRET',
      "rg --hidden -g '!.git' x",
      "rg --hidden -g '!.git/**' x",
      'rg --no-ignore x',
      'rg -uu x src',
    ];
    expect(await verdicts(place.workspace, fine)).toEqual(all(fine, 'allow'));
  });

  test.each([
    ['remote.origin.url', 'https://me:token@example.org/x.git'],
    ['http.https://example.org/.extraheader', 'AUTHORIZATION: basic abc'],
  ])('git’s own folder is read with the rest unless it holds a token: %s', async (key, value) => {
    using place = sample();
    rmSync(join(place.root, '.env'));
    const lines = ['grep -r x .', 'rg --hidden x', 'grep -r x .git'];
    expect(await verdicts(place.workspace, lines, 'none')).toEqual(all(lines, 'allow'));
    place.git('config', key, value);
    expect(await verdicts(place.workspace, lines, 'none')).toEqual(all(lines, 'ask'));
    expect(await verdicts(place.workspace, lines)).toEqual([
      ['grep -r x .', 'allow'],
      ['rg --hidden x', 'allow'],
      ['grep -r x .git', 'ask'],
    ]);
    const besideGit = ['git status; grep -r x .'];
    expect(await verdicts(place.workspace, besideGit)).toEqual(all(besideGit, 'ask'));
  });

  test('names, sizes and dates of secrets are told', async () => {
    using place = sample();
    const lines = ['ls -la .env .git', 'du -sh .git', 'stat .env', 'find .git -name config', 'cat .git/HEAD'];
    expect(await verdicts(place.workspace, lines, 'none')).toEqual(all(lines, 'allow'));
    const contents = [
      'cat .env',
      'head -1 .git/config',
      'wc -c .env',
      'file .env',
      'find . -newer .env -exec cat {} +',
    ];
    expect(await verdicts(place.workspace, contents, 'none')).toEqual(all(contents, 'ask'));
  });
});
