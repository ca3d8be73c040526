import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { armed, type HeldBench, heldBench, pathsOf } from '../support/held-bench.ts';
import { noSandbox } from '../support/sandbox-bench.ts';
import { workbench } from '../support/workbench.ts';

let bench: HeldBench;
beforeEach(async () => {
  bench = await heldBench();
});
afterEach(() => bench[Symbol.asyncDispose]());

describe.skipIf(noSandbox !== undefined)(`held back after a run (${noSandbox ?? 'bubblewrap'})`, () => {
  test('a new repository with a monitor is gone before the user’s git can run it', async () => {
    const { held, notes } = await bench.unasked(`git init -q . && ${armed('.')}`);
    expect(pathsOf(held)).toEqual(['.git']);
    expect(notes[0]).toMatch(/^Held back.*\.git \(new\).*restore_held_back with call_id "call_1"/);
    expect(bench.usersGit('.', 'status')).toBe(false);
    expect(existsSync(join(bench.root, '.git'))).toBe(false);
    expect(existsSync(join(bench.home, 'trash', held[0]?.trash_id ?? '', 'config'))).toBe(true);
  });

  test.each(['nested', 'src', 'node_modules/pack', 'ignored/deep'])('so is one in %s', async (folder) => {
    bench.git('init', '-q');
    writeFileSync(join(bench.root, '.gitignore'), 'ignored\nnode_modules\n');
    mkdirSync(join(bench.root, 'node_modules'));
    const { held } = await bench.unasked(`mkdir -p ${folder} && git init -q ${folder} && ${armed(folder)}`);
    expect(pathsOf(held)).toEqual([`${folder}/.git`]);
    expect(bench.usersGit(folder, 'status')).toBe(false);
  });

  test('one in a folder that the script itself has made ignored is found, too', async () => {
    bench.git('init', '-q');
    const { held } = await bench.unasked(
      `mkdir x y && echo x > .gitignore && touch y/CACHEDIR.TAG && git init -q x && git init -q y`,
    );
    expect(pathsOf(held)).toEqual(['x/.git', 'y/.git']);
  });

  test('a folder that becomes a repository by what is put into it is none any more', async () => {
    const { held } = await bench.unasked(
      `git init -q --bare new && git init -q --bare t && mv t/HEAD t/objects t/refs t/config src/ && rm -r t`,
    );
    expect(pathsOf(held)).toEqual(['new', 'src/HEAD', 'src/config']);
    expect(readFileSync(join(bench.root, 'src/b.txt'), 'utf8')).toBe('b\n');
  });

  test('.git as a file or a link is held back like a folder', async () => {
    mkdirSync(join(bench.root, 'one'));
    mkdirSync(join(bench.root, 'two'));
    const { held } = await bench.unasked(`echo 'gitdir: ../store' > one/.git && ln -s ../store two/.git`);
    expect(pathsOf(held)).toEqual(['one/.git', 'two/.git']);
    expect(lstatSync(join(bench.root, 'two/.git'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('the workspace’s own repository is read-only for a script, also behind a git that only reads', async () => {
    bench.git('init', '-q');
    for (const path of ['commondir', 'rebase-merge/git-rebase-todo', 'remotes/origin', 'branches/origin']) {
      const folder = `.git/${path}`.replace(/\/[^/]*$/, '');
      const script = `mkdir -p ${folder}; echo evil > .git/${path}`;
      expect([path, await bench.behindGit(script)]).toEqual([path, 2]);
      expect(existsSync(join(bench.root, '.git', path))).toBe(false);
    }
  });

  test('also when an ignore file hides it', async () => {
    bench.git('init', '-q');
    mkdirSync(join(bench.root, '.vscode'));
    writeFileSync(join(bench.root, '.vscode/settings.json'), '{}\n');
    writeFileSync(join(bench.root, '.gitignore'), '.vscode\n');
    const { held } = await bench.unasked(
      'echo .envrc >> .gitignore; echo x > .envrc; echo x > .vscode/tasks.json; true',
    );
    expect(pathsOf(held)).toEqual(['.envrc']);
    // Existing protected files are read-only, with everything below them.
    expect(existsSync(join(bench.root, '.vscode/tasks.json'))).toBe(false);
  });

  test('hooks among the project’s files are held back', async () => {
    bench.git('init', '-q');
    bench.git('config', 'core.hooksPath', 'tools/hooks');
    mkdirSync(join(bench.root, 'tools/hooks'), { recursive: true });
    writeFileSync(join(bench.root, 'tools/hooks/pre-commit'), '#!/bin/sh\n');
    const { held } = await bench.unasked(
      'echo evil >> tools/hooks/pre-commit; echo evil > tools/hooks/post-checkout; echo x > tools/other',
    );
    expect(pathsOf(held)).toEqual(['tools/hooks/post-checkout', 'tools/hooks/pre-commit']);
    expect(readFileSync(join(bench.root, 'tools/hooks/pre-commit'), 'utf8')).toBe('#!/bin/sh\n');
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

describe.skipIf(noSandbox !== undefined)(`changed by an unasked run (${noSandbox ?? 'bubblewrap'})`, () => {
  test.each(['tracked', 'untracked'])('a %s file of the table is as it was before', async (variant) => {
    bench.git('init', '-q');
    // A mount can't hold a link: the file that it leads to can't be changed, but another one can take its place.
    writeFileSync(join(bench.root, 'manifest.txt'), '{"name":"mine"}\n');
    symlinkSync('manifest.txt', join(bench.root, 'package.json'));
    if (variant === 'tracked') {
      bench.git('add', '-A');
      bench.git('commit', '-qm', 'one');
    }
    const { held } = await bench.unasked(
      `rm package.json; echo '{"scripts":{"test":"evil"}}' > package.json; echo b > a.txt`,
    );
    expect(held.map(({ path, change }) => [path, change])).toEqual([['package.json', 'changed']]);
    expect(readlinkSync(join(bench.root, 'package.json'))).toBe('manifest.txt');
    expect(readFileSync(join(bench.root, 'package.json'), 'utf8')).toBe('{"name":"mine"}\n');
    const trashedFile = join(bench.home, 'trash', held[0]?.trash_id ?? '');
    expect(readFileSync(trashedFile, 'utf8')).toContain('evil');
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('b\n');
  });

  test('what was held back is told when the command fails or is stopped', async () => {
    writeFileSync(join(bench.root, 'script.sh'), 'echo x > .envrc; exec tail -f /dev/null');
    const stopped = await bench.call('run_command', { command: 'sh script.sh', timeout_ms: 400 });
    expect(stopped).toMatchObject({ data: { timed_out: true, held_back: [{ path: '.envrc' }] } });
    const flood = await workbench({
      folder: bench.folder,
      mode: 'trusted',
      limits: { outputFileBytes: 1000 },
    });
    writeFileSync(join(bench.root, 'script.sh'), 'echo x > .envrc; yes');
    const flooded = await flood.call('run_command', { command: 'sh script.sh' }, { session: 's2' });
    await flood[Symbol.asyncDispose]();
    expect(flooded).toMatchObject({
      error: { code: 'OUTPUT_SIZE_EXCEEDED', details: { held_back: [{ path: '.envrc' }] } },
    });
  });

  test('a change by another call meanwhile is left alone', async () => {
    bench.human(() => ({ kind: 'approve' }));
    writeFileSync(join(bench.root, 'script.sh'), 'until [ -e .env.local ]; do sleep 0.02; done');
    const running = bench.call('run_command', { command: 'sh script.sh' });
    const other = await workbench({ folder: bench.folder, mode: 'trusted' });
    other.human(() => ({ kind: 'approve' }), 's2');
    const written = await other.call('write_file', { path: '.env.local', content: 'x' }, { session: 's2' });
    expect(written.status).toBe('completed');
    expect(await running).toMatchObject({ status: 'completed', data: { exit_code: 0 } });
    expect(JSON.stringify(await running)).not.toContain('held_back');
    await other[Symbol.asyncDispose]();
    expect(existsSync(join(bench.root, '.env.local'))).toBe(true);
  });
});
