// What a command that nobody was asked about leaves behind for programs to run: it is gone before anybody can run it.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noSandbox } from './support/sandbox-bench.ts';
import { type Workbench, workbench } from './support/workbench.ts';

type Held = { path: string; change: string; trash_id: string };

let bench: Workbench;
beforeEach(async () => {
  bench = await workbench({ files: { 'a.txt': 'a\n', 'src/b.txt': 'b\n' }, mode: 'trusted' });
});
afterEach(() => bench[Symbol.asyncDispose]());

const git = (...args: string[]): void => {
  const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
  execFileSync('git', [...own, ...args], { cwd: bench.root, stdio: 'ignore' });
};

/** Runs a script of the workspace, which trusted mode does unasked. */
async function unasked(script: string): Promise<{ held: Held[]; notes: string[] }> {
  writeFileSync(join(bench.root, 'script.sh'), script);
  const outcome = await bench.call('run_command', { command: 'sh script.sh' });
  expect(outcome).toMatchObject({ status: 'completed', data: { exit_code: 0 } });
  const { held_back = [], notes = [] } = (
    outcome as unknown as { data: { held_back?: Held[]; notes?: string[] } }
  ).data;
  return { held: held_back, notes };
}

const pathsOf = (held: readonly Held[]): string[] => held.map(({ path }) => path).sort();

/** What the user's own git would run: a monitor that leaves a trace. */
const armed = (folder: string): string =>
  `printf '#!/bin/sh\\ntouch "$TRACE"\\n' > ${folder}/evil.sh && chmod +x ${folder}/evil.sh &&
   git -C ${folder} config core.fsmonitor "$PWD/${folder}/evil.sh"`;

function usersGit(folder: string, ...args: string[]): boolean {
  const trace = join(bench.folder, 'trace');
  spawnSync('git', args, { cwd: join(bench.root, folder), env: { ...process.env, TRACE: trace } });
  return existsSync(trace);
}

describe.skipIf(noSandbox !== undefined)(`held back after a run (${noSandbox ?? 'bubblewrap'})`, () => {
  test('a new repository with a monitor is gone before the user’s git can run it', async () => {
    const { held, notes } = await unasked(`git init -q . && ${armed('.')}`);
    expect(pathsOf(held)).toEqual(['.git']);
    expect(notes[0]).toMatch(/^Held back.*\.git \(new\).*restore_held_back with call_id "call_1"/);
    expect(usersGit('.', 'status')).toBe(false);
    expect(existsSync(join(bench.root, '.git'))).toBe(false);
    expect(existsSync(join(bench.home, 'trash', held[0]?.trash_id ?? '', 'config'))).toBe(true);
  });

  test.each(['nested', 'src', 'node_modules/pack', 'ignored/deep'])('so is one in %s', async (folder) => {
    git('init', '-q');
    writeFileSync(join(bench.root, '.gitignore'), 'ignored\nnode_modules\n');
    mkdirSync(join(bench.root, 'node_modules'));
    const { held } = await unasked(`mkdir -p ${folder} && git init -q ${folder} && ${armed(folder)}`);
    expect(pathsOf(held)).toEqual([`${folder}/.git`]);
    expect(usersGit(folder, 'status')).toBe(false);
  });

  test('one in a folder that the script itself has made ignored is found, too', async () => {
    git('init', '-q');
    const { held } = await unasked(
      `mkdir x y && echo x > .gitignore && touch y/CACHEDIR.TAG && git init -q x && git init -q y`,
    );
    expect(pathsOf(held)).toEqual(['x/.git', 'y/.git']);
  });

  test('a folder that becomes a repository by what is put into it is none any more', async () => {
    const { held } = await unasked(
      `git init -q --bare new && git init -q --bare t && mv t/HEAD t/objects t/refs t/config src/ && rm -r t`,
    );
    expect(pathsOf(held)).toEqual(['new', 'src/HEAD', 'src/config']);
    expect(readFileSync(join(bench.root, 'src/b.txt'), 'utf8')).toBe('b\n');
  });

  test('.git as a file or a link is held back like a folder', async () => {
    mkdirSync(join(bench.root, 'one'));
    mkdirSync(join(bench.root, 'two'));
    const { held } = await unasked(`echo 'gitdir: ../store' > one/.git && ln -s ../store two/.git`);
    expect(pathsOf(held)).toEqual(['one/.git', 'two/.git']);
    expect(lstatSync(join(bench.root, 'two/.git'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('commondir and alternates of the workspace’s own repository are held back', async () => {
    git('init', '-q');
    const { held } = await unasked(
      `mkdir -p evil/objects evil/refs && cp .git/config evil/config &&
       git config -f evil/config core.fsmonitor "touch $PWD/ran" &&
       echo ../evil > .git/commondir && mkdir -p .git/objects/info && echo /x > .git/objects/info/alternates`,
    );
    expect(pathsOf(held)).toEqual(['.git/commondir', '.git/objects/info/alternates', 'evil/config']);
    expect(usersGit('.', 'status')).toBe(false);
    expect(spawnSync('git', ['status'], { cwd: bench.root }).status).toBe(0);
  });

  test.each([
    '.envrc',
    '.vscode/tasks.json',
    '.github/workflows/ci.yml',
    '.husky/pre-commit',
    'packages/a/package.json',
    '.codelab/config.json',
    '.npmrc',
    'docs/.env',
    'conftest.py',
  ])('a new %s is taken away, and what else the script made stays', async (path) => {
    const { held } = await unasked(
      `mkdir -p $(dirname ${path}) && echo planted > ${path} && echo made > made.txt`,
    );
    expect(held).toHaveLength(1);
    expect(path.startsWith(held[0]?.path ?? '-')).toBe(true);
    expect(existsSync(join(bench.root, path))).toBe(false);
    expect(readFileSync(join(bench.root, 'made.txt'), 'utf8')).toBe('made\n');
  });

  test('also when an ignore file hides it', async () => {
    git('init', '-q');
    mkdirSync(join(bench.root, '.vscode'));
    writeFileSync(join(bench.root, '.vscode/settings.json'), '{}\n');
    writeFileSync(join(bench.root, '.gitignore'), '.vscode\n');
    const { held } = await unasked('echo .envrc >> .gitignore; echo x > .envrc; echo x > .vscode/tasks.json');
    expect(pathsOf(held)).toEqual(['.envrc', '.vscode/tasks.json']);
    expect(existsSync(join(bench.root, '.vscode/settings.json'))).toBe(true);
  });

  test('a command that a person has approved is left alone', async () => {
    bench.human(() => ({ kind: 'approve' }));
    const outcome = await bench.call(
      'run_command',
      { command: 'git init -q . && echo x > .envrc' },
      { requiresApproval: true },
    );
    expect(outcome).toMatchObject({ status: 'completed', data: { exit_code: 0 } });
    expect(JSON.stringify(outcome)).not.toContain('held_back');
    expect(existsSync(join(bench.root, '.envrc'))).toBe(true);
  });
});
