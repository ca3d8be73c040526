import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backends, plantFile, type SandboxBench, sandboxBench } from '../support/sandbox-bench.ts';

describe.each(backends)('git in the sandbox (%s)', (backend) => {
  let bench: SandboxBench;
  beforeEach(() => {
    bench = sandboxBench(backend);
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one');
  });
  afterEach(() => bench[Symbol.dispose]());

  const git = (...args: string[]): void => {
    const userSettings = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
    expect(spawnSync('git', [...userSettings, ...args], { cwd: bench.root }).status).toBe(0);
  };

  test('works: status, add, commit, branch, stash', () => {
    const ran = bench.sh(
      `export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@a
       set -e; echo 2 >> a.txt; git status --porcelain; git commit -qam two; git checkout -qb other
       echo 3 >> a.txt; git stash -q; git stash pop -q; git commit -qam three; git log --oneline | wc -l`,
    );
    expect(ran).toMatchObject({ status: 0, stdout: ' M a.txt\n3\n' });
  });

  test.each([
    ['a hook', 'printf "#!/bin/sh\\ntouch $PWD/ran" > .git/hooks/post-checkout', '.git/hooks/post-checkout'],
    ['a setting', 'git config core.fsmonitor /tmp/x', undefined],
    [
      'a setting by hand',
      'echo "[core]" >> .git/config; rm .git/config; mv .git/index .git/config',
      undefined,
    ],
    ['a whole new repository', 'mv .git old; rm -rf .git; git init -q .', 'old'],
    ['new hooks in their place', 'mv .git/hooks .git/h && mkdir .git/hooks', '.git/h'],
  ])('cannot be given %s', (_what, line, planted) => {
    const config = readFileSync(join(bench.root, '.git/config'), 'utf8');
    bench.sh(line);
    expect(readFileSync(join(bench.root, '.git/config'), 'utf8')).toBe(config);
    if (planted !== undefined) expect(existsSync(join(bench.root, planted))).toBe(false);
  });

  test('cannot be given a hook where there were none', () => {
    spawnSync('rm', ['-rf', join(bench.root, '.git/hooks')]);
    bench.sh('mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; ls .git/hooks');
    expect(existsSync(join(bench.root, '.git/hooks/pre-commit'))).toBe(false);
  });

  test('whose hooks are a link is only read', () => {
    spawnSync('rm', ['-rf', join(bench.root, '.git/hooks')]);
    mkdirSync(join(bench.root, 'shared-hooks'));
    symlinkSync('../shared-hooks', join(bench.root, '.git/hooks'));
    bench.sh('rm .git/hooks; mkdir .git/hooks; echo x > .git/hooks/pre-commit');
    expect(readdirSync(join(bench.root, '.git/hooks'))).toEqual([]);
    expect(bench.sh('git status --porcelain').status).toBe(0);
  });

  test('the workspace’s own settings are read-only', () => {
    const path = plantFile(join(bench.root, '.codelab/config.json'), '{}');
    bench.sh('echo x > .codelab/config.json; mv .codelab c; rm -rf .codelab');
    expect(readFileSync(path, 'utf8')).toBe('{}');
  });
});
