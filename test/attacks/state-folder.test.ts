// Attacks on CodeLab's own state folder where it lies inside the workspace or is mounted there: no tool, command or page reaches it.
import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { codelabProgram } from '../support/codelab-program.ts';
import { doorsTo } from '../support/doors.ts';
import { httpBench } from '../support/http-bench.ts';
import { noSandbox } from '../support/sandbox-bench.ts';
import { canMount } from '../support/tmpfs.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const secret = 'sk-THE-SECRET-KEY';
const keys = JSON.stringify({ keys: { openai: secret } });

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codelab-state-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The state folder is `own/state` of the workspace. */
async function insideOut(): Promise<Workbench> {
  const state = join(folder, 'work/own/state');
  mkdirSync(state, { recursive: true });
  symlinkSync('work/own/state', join(folder, 'home'));
  writeFileSync(join(state, 'keys.json'), keys);
  const files = { 'a.txt': 'a\n', 'spare.txt': 'spare\n', 'own/b.txt': 'b\n' };
  const bench = await workbench({ folder, files, mode: 'trusted' });
  bench.human(approveAll);
  return bench;
}

function expectRefused(outcome: Outcome, label = ''): void {
  const error = outcome.status === 'completed' ? undefined : outcome.error;
  expect([error?.code, error?.details?.rule], label).toEqual(['PERMISSION_DENIED', 'state-folder']);
  expect(JSON.stringify(outcome)).not.toContain(secret);
}

describe('the state folder inside the workspace', () => {
  test('no tool reads, changes, moves or removes it, by whatever path', async () => {
    await using bench = await insideOut();
    symlinkSync('own/state', join(bench.root, 'link'));
    symlinkSync('state/../state/keys.json', join(bench.root, 'own/climbing'));
    linkSync(join(bench.home, 'keys.json'), join(bench.root, 'twin.json'));
    const inside = [
      'own/state/keys.json',
      'link/keys.json',
      'own/climbing',
      'twin.json',
      'own/state/new/x.txt',
    ];
    for (const path of inside)
      for (const { door, tool, args } of doorsTo(path, 'spare.txt')) {
        const isOwnLink = /climbing/.test(path) && /delete|move/.test(door);
        if (!isOwnLink) expectRefused(await bench.call(tool, args), `${door} ${path}`);
      }
    for (const { door, tool, args } of doorsTo('own/state', 'spare.txt'))
      expectRefused(await bench.call(tool, args), door);
    expectRefused(await bench.call('delete_file', { path: 'own', recursive: true }));
    expectRefused(await bench.call('move_file', { from: 'own', to: 'elsewhere' }));
    expect(readFileSync(join(bench.root, 'own/state/keys.json'), 'utf8')).toBe(keys);
  });

  test('edits and patches do not reach it', async () => {
    await using bench = await insideOut();
    const path = 'own/state/config.json';
    const diff = `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+{}\n`;
    expectRefused(await bench.call('apply_patch', { diff }));
    const edit = { path: 'own/state/keys.json', old_string: 'openai', new_string: 'x' };
    expectRefused(await bench.call('edit_file', edit));
  });

  test('search, listings and globs pass it by', async () => {
    await using bench = await insideOut();
    const searches = [
      await bench.call('search_in_project', { query: 'THE-SECRET' }),
      await bench.call('find_files', { pattern: '**' }),
      await bench.call('list_files', { path: '.', recursive: true, include_hidden: true }),
    ];
    for (const outcome of searches) {
      expect(codeOf(outcome)).toBe('completed');
      expect(JSON.stringify(outcome)).not.toMatch(/keys\.json|SECRET-KEY|sessions\.db/);
    }
    expect(JSON.stringify(searches[1])).toContain('own/b.txt');
    expectRefused(await bench.call('search_in_project', { query: 'x', path: 'own/state' }));
  });

  test.each([
    'cat own/state/keys.json',
    'cat own/*/keys.json',
    'cd own/state && cat keys.json',
    'cd own && cat ../own/state/keys.json',
    'cat < own/state/keys.json',
    'echo {} > own/state/config.json',
    'grep -r sk- .',
    'rm -rf own',
    'mv own gone',
    'chmod -R 777 own',
    'cp -r own copy',
    'sh -c "cat own/state/keys.json"',
    'tar cf x.tar own/state',
    'cat $CODELAB_HOME/keys.json',
  ])('the command %j is refused, whoever approves', async (command) => {
    await using bench = await insideOut();
    expectRefused(await bench.call('run_command', { command }));
  });

  test.skipIf(noSandbox)(
    'a command that finds its own way there sees an empty folder in the sandbox',
    async () => {
      await using bench = await insideOut();
      const runScript = (text: string): Promise<Outcome> => {
        writeFileSync(join(bench.root, 'look.sh'), text);
        return bench.call('run_command', { command: 'sh look.sh' });
      };
      // In so many words it is not even started.
      expectRefused(await runScript('cat own/sta??/keys.json own/s*/*.json; ls own/state\n'));
      const outcome = await runScript('o=own s=sta; cat "$o/$s"te/keys.json; ls "$o/$s"te; find $o\n');
      expect(codeOf(outcome)).toBe('completed');
      expect(JSON.stringify(outcome)).not.toContain(secret);
    },
  );

  test('a git repository that tracks it is not read', async () => {
    await using bench = await insideOut();
    const git = (...args: string[]): void => {
      const { status, stderr } = spawnSync('git', args, { cwd: bench.root, encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, expect.anything()]);
    };
    git('init', '-q');
    expect(codeOf(await bench.call('git.status', {}))).toBe('completed');
    expectRefused(await bench.call('git.commit', { message: 'm', files: ['.'] }));
    git('add', '-f', 'own/state/keys.json');
    for (const tool of ['git.status', 'git.diff']) expectRefused(await bench.call(tool, {}), tool);
  });

  test('the page’s routes do not show or change it', async () => {
    const first = await insideOut();
    await first[Symbol.asyncDispose]();
    await using http = await httpBench({ folder, mode: 'trusted' });
    const read = await http.get('/api/v1/files/content?path=own/state/keys.json');
    const list = await http.get('/api/v1/files?path=own/state');
    const found = await http.get('/api/v1/files/find?q=keys');
    for (const { body } of [read, list, found]) expect(JSON.stringify(body)).not.toMatch(/SECRET|keys\.json/);
    expect([read.status, list.status]).toEqual([403, 403]);
  });
});

test.skipIf(!canMount())(
  'a state folder that is mounted into the workspace is out of reach there',
  async () => {
    await using bench = await workbench({ folder, files: { 'spare.txt': 's\n' }, mode: 'trusted' });
    bench.human(approveAll);
    writeFileSync(join(bench.home, 'keys.json'), keys);
    const mounted = join(bench.root, 'mounted');
    mkdirSync(mounted);
    expect(spawnSync('mount', ['--bind', bench.home, mounted]).status).toBe(0);
    try {
      for (const { door, tool, args } of doorsTo('mounted/keys.json', 'spare.txt'))
        expectRefused(await bench.call(tool, args), door);
      const found = await bench.call('find_files', { pattern: '**' });
      expect(JSON.stringify(found)).not.toContain('keys.json');
      expectRefused(await bench.call('run_command', { command: 'cat mounted/keys.json' }));
      writeFileSync(join(bench.root, 'look.sh'), 'cat mount??/keys.json\n');
      const ran = await bench.call('run_command', { command: 'sh look.sh' });
      if (noSandbox === undefined) expect(JSON.stringify(ran)).not.toContain(secret);
    } finally {
      spawnSync('umount', ['-l', mounted]);
    }
  },
);

test('words that are no paths at all are no reason to fail', async () => {
  await using bench = await workbench({ folder, files: { 'a.txt': 'a\n' }, mode: 'balanced' });
  for (const word of ['a'.repeat(3000), 'a/'.repeat(20_000), 'a.txt/b/c', '~', '$HOME', '--x=', '='])
    expect(codeOf(await bench.call('run_command', { command: `echo ${word}` }))).not.toBe('INTERNAL');
});

test('commands do not reach a state folder outside the workspace either', async () => {
  await using bench = await workbench({ folder, mode: 'trusted' });
  bench.human(approveAll);
  writeFileSync(join(bench.home, 'keys.json'), keys);
  for (const command of [`cat ${bench.home}/keys.json`, 'cat ../home/keys.json', `rm -r ${bench.home}`])
    expectRefused(await bench.call('run_command', { command }), command);
});

describe('folders that are not opened as a workspace', () => {
  function run(cwd: string, home: string): { code: number | null; said: string } {
    const env = { PATH: process.env.PATH, HOME: home, CODELAB_HOME: join(home, 'state') };
    const args = [codelabProgram, 'tool', 'read_file', '{"path":"state/keys.json"}', '--workspace', cwd];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    expect(stdout + stderr).not.toContain(secret);
    return { code: status, said: stdout + stderr };
  }

  test('the root, the home folder, a link to it and the state folder are refused with the next step', () => {
    const home = join(folder, 'user');
    mkdirSync(join(home, 'state'), { recursive: true });
    writeFileSync(join(home, 'state/keys.json'), keys);
    symlinkSync(home, join(folder, 'alias'));
    for (const cwd of ['/', home, join(folder, 'alias'), join(home, 'state')]) {
      const { code, said } = run(cwd, home);
      expect([cwd, code]).toEqual([cwd, 1]);
      expect(said).toContain('Choose a project folder with --workspace DIR.');
    }
  });

  test('a folder above the state folder is opened, without the state folder', () => {
    const home = join(folder, 'user');
    mkdirSync(join(home, 'state'), { recursive: true });
    writeFileSync(join(home, 'state/keys.json'), keys);
    expect(run(folder, home).said).not.toContain('Choose a project folder');
  });
});
