import { existsSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HeldBench, heldBench, pathsOf } from '../support/held-bench.ts';
import { noSandbox } from '../support/sandbox-bench.ts';

let bench: HeldBench;
beforeEach(async () => {
  bench = await heldBench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const writeText = (path: string, text: string): void => {
  mkdirSync(join(bench.root, path, '..'), { recursive: true });
  writeFileSync(join(bench.root, path), text, { mode: 0o755 });
};
const read = (path: string): string => readFileSync(join(bench.root, path), 'utf8');
const config = (...args: string[]): void => bench.git('config', ...args);

describe.skipIf(noSandbox !== undefined)(`named by settings of git (${noSandbox ?? 'sandbox'})`, () => {
  beforeEach(() => bench.git('init', '-q'));

  test('settings that an included file includes are as they were, and the user’s git runs nothing', async () => {
    config('include.path', '../shared.cfg');
    writeText('shared.cfg', '[include]\n\tpath = deep/more.cfg\n');
    writeText('deep/more.cfg', '[user]\n\tname = me\n');
    const { held } = await bench.unasked(
      `printf '[core]\\n\\tfsmonitor = "touch \\\\"$TRACE\\\\"; false"\\n' >> deep/more.cfg`,
    );
    expect(pathsOf(held)).toEqual(['deep/more.cfg']);
    expect(read('deep/more.cfg')).toBe('[user]\n\tname = me\n');
    expect(bench.usersGit('.', 'status')).toBe(false);
  });

  test('so are an included file that was not there, and what an included file names', async () => {
    config('include.path', '../shared.cfg');
    writeText('shared.cfg', '[core]\n\tfsmonitor = tools/monitor\n[include]\n\tpath = later.cfg\n');
    const { held } = await bench.unasked('mkdir tools; echo x > tools/monitor; echo x > later.cfg');
    expect(pathsOf(held)).toEqual(['later.cfg', 'tools/monitor']);
  });

  test('one in git’s own folder is as it was, also after a line of git', async () => {
    config('include.path', 'more.cfg');
    writeText('.git/more.cfg', '[user]\n\tname = me\n');
    writeFileSync(join(bench.root, 'script.sh'), 'echo evil >> .git/more.cfg');
    bench.human(() => ({ kind: 'reject' }));
    await bench.call('run_command', { command: 'git tag x; sh script.sh' });
    expect(read('.git/more.cfg')).toBe('[user]\n\tname = me\n');
  });

  test('hooks at an absolute path, in an ignored folder, and behind a link are held back', async () => {
    config('core.hooksPath', join(bench.root, 'out/hooks'));
    writeText('.gitignore', 'out\n');
    writeText('out/hooks/pre-commit', '#!/bin/sh\n');
    writeText('scripts/push.sh', '#!/bin/sh\n');
    symlinkSync('../../scripts/push.sh', join(bench.root, 'out/hooks/pre-push'));
    const { held } = await bench.unasked(
      'echo evil >> out/hooks/pre-commit; echo x > out/hooks/post-merge; echo evil >> scripts/push.sh; echo x > out/made',
    );
    expect(pathsOf(held)).toEqual(['out/hooks/post-merge', 'out/hooks/pre-commit', 'scripts/push.sh']);
    expect(read('out/hooks/pre-commit')).toBe('#!/bin/sh\n');
    expect(read('scripts/push.sh')).toBe('#!/bin/sh\n');
  });

  test('a script that a filter starts is as it was; files that an alias only names may change', async () => {
    config('filter.x.clean', 'sh tools/clean.sh %f');
    config('alias.lint', '!eslint src/b.txt');
    writeText('tools/clean.sh', 'cat\n');
    const { held } = await bench.unasked('echo evil >> tools/clean.sh; echo changed > src/b.txt');
    expect(pathsOf(held)).toEqual(['tools/clean.sh']);
    expect(read('src/b.txt')).toBe('changed\n');
  });
});

describe.skipIf(noSandbox !== undefined)(`behind protected links (${noSandbox ?? 'sandbox'})`, () => {
  test('the target of a protected name that was a dangling link is held back', async () => {
    symlinkSync('conf/package.txt', join(bench.root, 'package.json'));
    symlinkSync('conf/editor', join(bench.root, '.vscode'));
    const { held } = await bench.unasked(
      'mkdir -p conf/editor; echo x > conf/package.txt; echo x > conf/editor/tasks.json; echo x > conf/other',
    );
    expect(pathsOf(held)).toEqual(['conf/editor', 'conf/package.txt']);
    expect(existsSync(join(bench.root, 'package.json'))).toBe(false);
    expect(existsSync(join(bench.root, 'conf/other'))).toBe(true);
  });

  test('also in an ignored folder', async () => {
    bench.git('init', '-q');
    writeText('.gitignore', 'out\n');
    writeText('out/a', '');
    symlinkSync('out/make.txt', join(bench.root, 'Makefile'));
    const { held } = await bench.unasked('echo x > out/make.txt');
    expect(pathsOf(held)).toEqual(['out/make.txt']);
  });

  test('a link between a protected link and its file leads where it led', async () => {
    writeText('good/package.txt', '{}\n');
    symlinkSync('current/package.txt', join(bench.root, 'package.json'));
    symlinkSync('good', join(bench.root, 'current'));
    const { held } = await bench.unasked(
      'mkdir evil; echo evil > evil/package.txt; rm current; ln -s evil current',
    );
    expect(pathsOf(held)).toEqual(['current']);
    expect(readlinkSync(join(bench.root, 'current'))).toBe('good');
    expect(read('package.json')).toBe('{}\n');
  });

  test.each(['.cargo', '.github', '.config'])(
    'a new link %s, which brings protected files along, is held back',
    async (name) => {
      const { held } = await bench.unasked(`mkdir c; echo x > c/config.toml; ln -s c ${name}`);
      expect(pathsOf(held)).toEqual([name]);
    },
  );

  test('what such a link leads to can’t be changed', async () => {
    writeText('hub/workflows/ci.yml', 'good\n');
    symlinkSync('hub', join(bench.root, '.github'));
    await bench.unasked('echo evil > hub/workflows/ci.yml || true');
    expect(read('.github/workflows/ci.yml')).toBe('good\n');
  });
});
