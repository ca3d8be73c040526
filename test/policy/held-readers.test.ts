// Lines of readers, run in each sandbox that works here: nobody is asked, nothing secret is shown, nothing is written, and what was left
// out is said.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forceSandbox } from '../../packages/runtime/src/sandbox/backends/find-sandbox.ts';
import { dataOf } from '../support/process-bench.ts';
import { backends } from '../support/sandbox-bench.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

type Output = { stdout: string; notes?: string[] };

const files = {
  'a.txt': 'TOKEN is explained here\n',
  'src/b.txt': 'TOKEN again\n',
  '.env': 'TOKEN=secret\n',
  '.gitignore': '.env\n',
};

describe.each(backends)('in %s', (backend) => {
  let bench: Workbench;
  let askCount = 0;
  const run = async (command: string): Promise<Output> =>
    dataOf(await bench.call('run_command', { command })) as Output;

  beforeAll(async () => {
    forceSandbox(backend);
    bench = await workbench({ files, mode: 'balanced' });
    spawnSync('git', ['init', '-q'], { cwd: bench.root });
    const url = 'https://me:TOKEN@example.org/x.git';
    spawnSync('git', ['remote', 'add', 'origin', url], { cwd: bench.root });
    bench.human(() => {
      askCount++;
      return { kind: 'approve' };
    });
  });
  afterAll(async () => {
    forceSandbox(undefined);
    await bench[Symbol.asyncDispose]();
  });

  test.each([
    'grep -r TOKEN .',
    'find . -type f -exec grep TOKEN {} +',
    'find . -type f | xargs grep TOKEN',
    'for f in $(find . -type f); do grep -H TOKEN "$f"; done',
    'find . -type f | while read -r f; do cat "$f"; done',
  ])('%s shows what is no secret, and says what it left out', async (command) => {
    const { stdout, notes } = await run(command);
    expect([stdout.includes('TOKEN is explained'), stdout.includes('TOKEN again')]).toEqual([true, true]);
    expect([stdout.includes('secret'), stdout.includes('example.org')]).toEqual([false, false]);
    expect(notes).toEqual(['Left out, because they may hold secrets: .env, .git/config.']);
    expect(askCount).toBe(0);
  });

  test('what reads no file says nothing of files', async () => {
    expect((await run('sqlite3 :memory: "SELECT 1"')).notes).toBeUndefined();
  });

  test('a look at the machine is said to be one at the sandbox', async () => {
    const { notes } = await run('ps aux');
    expect(notes).toEqual([
      'In the sandbox it sees only its own processes, sockets and network, and no services.',
    ]);
  });

  test('what a name makes a program do changes nothing', async () => {
    writeFileSync(join(bench.root, '-fprint made -delete'), '');
    await run('ls | xargs find .');
    await run('for f in *; do find . $f; done');
    expect([existsSync(join(bench.root, 'made')), existsSync(join(bench.root, 'a.txt'))]).toEqual([
      false,
      true,
    ]);
    expect(askCount).toBe(0);
  });
});

test.each(backends)(
  'git finds tracked secrets of nested repositories as they are, in %s',
  async (backend) => {
    forceSandbox(backend);
    try {
      await using bench = await workbench({ files: { 'a.txt': 'a\n' }, mode: 'balanced' });
      bench.human(() => ({ kind: 'reject' }));
      const git = (folder: string, ...args: string[]): void => {
        const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.org'];
        expect(spawnSync('git', [...who, ...args], { cwd: join(bench.root, folder) }).status).toBe(0);
      };
      for (const folder of ['.', 'sub/nested']) {
        mkdirSync(join(bench.root, folder, 'd'), { recursive: true });
        for (const name of ['.env', 'd/server.key'])
          writeFileSync(join(bench.root, folder, name), 'SECRET\n');
        git(folder, 'init', '-q');
        git(folder, 'add', '.env', 'd');
        git(folder, 'commit', '-qm', 'x');
      }
      git('.', 'worktree', 'add', '-q', 'wt');
      const gitOutputs = async (): Promise<string> => {
        const lines = ['git diff', 'git -C wt diff', 'cd sub/nested && git diff'];
        const outcomes = lines.map((command) => bench.call('run_command', { command }));
        return JSON.stringify(await Promise.all(outcomes));
      };
      expect(await gitOutputs()).not.toMatch(/SECRET|REJECTED/);
      // The repository's version of a changed file is not shown as lost either.
      for (const folder of ['wt', 'sub/nested']) writeFileSync(join(bench.root, folder, '.env'), 'other\n');
      expect(await gitOutputs()).not.toContain('SECRET');
    } finally {
      forceSandbox(undefined);
    }
  },
);

test('an approved one of strict mode leaves out the same', async () => {
  await using bench = await workbench({ files, mode: 'strict' });
  let askedNotes: readonly string[] = [];
  bench.human(({ plan }) => {
    askedNotes = plan.notes;
    return { kind: 'approve' };
  });
  const { stdout, notes } = dataOf(await bench.call('run_command', { command: 'grep -r TOKEN .' })) as Output;
  expect(stdout).not.toContain('secret');
  expect([askedNotes, notes]).toEqual([
    ['Left out, because they may hold secrets: .env.'],
    ['Left out, because they may hold secrets: .env.'],
  ]);
});
