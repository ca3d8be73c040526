// Worktrees from the terminal: `run --worktree`, and `codelab worktrees` with its list, merge and drop, as whole processes on real git.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, modelServer } from '../support/model-server.ts';
import { newRepository, type RealGit, realGit } from '../support/real-git.ts';
import { callAnswer, type RunBench, runBench, textAnswer } from '../support/run-bench.ts';

type Listed = { session: string; sessions: string[]; path: string; branch: string; state: string };

let bench: RunBench;
let server: ModelServer;
let git: RealGit;
beforeEach(async () => {
  bench = runBench();
  git = newRepository(bench.workspace);
  git('add', '--all');
  git('commit', '--quiet', '-m', 'First');
  // Each turn writes `tree` to a.txt.
  server = await modelServer(
    ({ body }) => {
      const last = (body.messages as { role: string }[]).at(-1);
      return last?.role === 'tool'
        ? textAnswer('Done.')
        : callAnswer('write_file', { path: 'a.txt', content: 'tree\n' });
    },
    { answersGet: false },
  );
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  bench[Symbol.dispose]();
});

async function worktrees(
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return await bench.codelab(server, 'worktrees', ...args);
}

async function listWorktrees(): Promise<Listed[]> {
  const { stdout } = await worktrees('list', '--json');
  return (JSON.parse(stdout) as { worktrees: Listed[] }).worktrees;
}

/** A turn in a new worktree that changed a.txt there. */
async function turnIn(name: string): Promise<Listed> {
  const ran = await bench.codelab(server, 'run', 'Change a', `--worktree=${name}`, '--approve', 'all');
  expect(ran).toMatchObject({ code: 0, stdout: 'Done.\n' });
  const found = (await listWorktrees()).find(({ branch }) => branch === `codelab/${name}`);
  if (found === undefined) throw new Error(`There is no worktree ${name}.`);
  return found;
}

describe('worktrees in the terminal', { timeout: 60_000 }, () => {
  test('run --worktree works on a branch of its own, and a further turn of the session goes on there', async () => {
    const worktree = await turnIn('login');
    expect(bench.textOf('a.txt')).toBe('one\n');
    expect(worktree).toMatchObject({ state: 'present', files: ['a.txt'], commits: [], merged_into: null });
    const { stdout } = await worktrees();
    expect(stdout).toContain('codelab/login');
    expect(stdout).toContain('1 uncommitted file');
    rmSync(join(worktree.path, 'a.txt'));
    const extraArgs = ['--session', worktree.session.slice(0, 8), '--approve', 'all'];
    expect(await bench.codelab(server, 'run', 'Again', ...extraArgs)).toMatchObject({ code: 0 });
    expect([existsSync(join(worktree.path, 'a.txt')), bench.textOf('a.txt')]).toEqual([true, 'one\n']);
  });

  test('undo and review of a session that works in a worktree say where, and work there', async () => {
    const worktree = await turnIn('login');
    for (const command of ['undo', 'review']) {
      expect(await bench.codelab(server, command, '--session', worktree.session)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          `Session ${worktree.session} works in ${worktree.path}. Run \`codelab ${command} --session ${worktree.session}\` there`,
        ),
      });
    }
    const targetArgs = ['--session', worktree.session, '--workspace', worktree.path];
    expect(await bench.codelab(server, 'undo', ...targetArgs)).toMatchObject({
      code: 0,
      stdout: 'restored a.txt\n',
    });
  });

  test('--worktree without a name makes one, and does not go with an earlier session', async () => {
    expect(await bench.codelab(server, 'run', '--worktree', 'Change a', '--approve', 'all')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/on the new branch codelab\/session-[0-9a-f]{8}\./),
    });
    const refused = await bench.codelab(server, 'run', 'x', '--worktree', '--continue');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--worktree starts a new') });
    expect(await listWorktrees()).toHaveLength(1);
  });

  test('a chat in a worktree and its forks stay there, and the lists have the branch', async () => {
    const text = 'Change a\n/fork\n/sessions\n';
    const chatted = await bench.piped(server, { text }, 'chat', '--worktree=login', '--approve', 'all');
    expect(chatted).toMatchObject({ code: 0, stderr: expect.stringContaining('codelab/login') });
    expect(chatted.stdout).toMatch(/[0-9a-f]{8} .*codelab\/login +Change a/);
    const [worktree] = await listWorktrees();
    expect(worktree).toMatchObject({ files: ['a.txt'], sessions: [worktree?.session, expect.any(String)] });
    expect(bench.textOf('a.txt')).toBe('one\n');
    const { stdout } = await bench.codelab(server, 'sessions', 'list', '--json');
    const { sessions } = JSON.parse(stdout) as { sessions: { branch: string | null }[] };
    expect(sessions.map(({ branch }) => branch)).toEqual(['codelab/login', 'codelab/login']);
    expect((await bench.codelab(server, 'sessions')).stdout).toMatch(/BRANCH[\s\S]*codelab\/login +Change a/);
    const otherChat = await bench.piped(server, { text: `/resume ${worktree?.session}\n` }, 'chat');
    expect(otherChat.stdout).toContain(`Open it with: codelab --session ${worktree?.session}`);
  });

  test('a merge wants a message for what is uncommitted, and says what it did', async () => {
    const worktree = await turnIn('login');
    const refused = await worktrees('merge', 'login');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('1 uncommitted file: a.txt') });
    const merged = await worktrees('merge', worktree.session.slice(0, 8), '--message', 'Change a');
    expect(merged).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Merged codelab\/login into main: 1 commit, now at [0-9a-f]{8}\.\n$/),
    });
    expect([bench.textOf('a.txt'), git('log', '-1', '--format=%s').trim()]).toEqual(['tree\n', 'Change a']);
    expect((await worktrees('merge')).stdout).toBe('main already has all commits of codelab/login.\n');
    expect((await worktrees()).stdout).toMatch(/codelab\/login +clean /);
    expect(await listWorktrees()).toMatchObject([{ merged_into: 'main', files: [], commits: [] }]);
  });

  test('a conflict names the files and changes nothing', async () => {
    await turnIn('login');
    writeFileSync(join(bench.workspace, 'a.txt'), 'main\n');
    git('commit', '--quiet', '-am', 'In main');
    const head = git('rev-parse', 'HEAD');
    const refused = await worktrees('merge', 'login', '--message', 'In the tree');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('conflicts in a.txt') });
    expect([git('rev-parse', 'HEAD'), bench.textOf('a.txt')]).toEqual([head, 'main\n']);
    expect((await worktrees()).stdout).toContain('1 unmerged commit ');
  });

  test('drop names what would be lost, and needs --force without a terminal', async () => {
    const worktree = await turnIn('login');
    const refused = await worktrees('drop', 'login');
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('loses 1 uncommitted file: a.txt. --force drops it.'),
    });
    expect(existsSync(worktree.path)).toBe(true);
    const dropped = await worktrees('drop', 'login', '--force');
    expect(dropped).toMatchObject({
      code: 0,
      stdout: 'Dropped the worktree of codelab/login. Its branch stays.\n',
    });
    expect([existsSync(worktree.path), git('branch', '--list', 'codelab/login').trim()]).toEqual([
      ...[false, 'codelab/login'],
    ]);
    expect(await listWorktrees()).toEqual([]);
  });

  test('ignored files are named in the list and before a drop', async () => {
    writeFileSync(join(bench.workspace, '.gitignore'), '.env\nnode_modules/\n');
    git('add', '.gitignore');
    git('commit', '--quiet', '-m', 'Ignore');
    const worktree = await turnIn('login');
    realGit(worktree.path)('commit', '--quiet', '-am', 'In the tree');
    writeFileSync(join(worktree.path, '.env'), 'KEY=1\n');
    mkdirSync(join(worktree.path, 'node_modules'));
    writeFileSync(join(worktree.path, 'node_modules/x.js'), '1\n');
    expect((await worktrees()).stdout).toMatch(/codelab\/login +1 unmerged commit, ignored: \.env /);
    expect(await listWorktrees()).toMatchObject([{ files: [], ignored: ['.env'] }]);
    expect(await worktrees('drop', 'login')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('loses 1 ignored file: .env. --force drops it.'),
    });
    expect(existsSync(join(worktree.path, '.env'))).toBe(true);
    expect(await worktrees('drop', 'login', '--force')).toMatchObject({ code: 0 });
  });

  test('unmerged commits are lost only with the branch', async () => {
    const worktree = await turnIn('login');
    realGit(worktree.path)('commit', '--quiet', '-am', 'In the tree');
    const refused = await worktrees('drop', 'login', '--delete-branch');
    expect(refused.stderr).toMatch(/loses 1 unmerged commit: [0-9a-f]+ In the tree\. --force drops it/);
    expect((await worktrees('drop', 'login')).code).toBe(0);
    expect(git('log', '-1', '--format=%s', 'codelab/login').trim()).toBe('In the tree');
  });

  test('a worktree that was removed by hand is missing and not merged; dropping it takes it off the lists', async () => {
    const worktree = await turnIn('login');
    rmSync(worktree.path, { recursive: true });
    expect((await worktrees()).stdout).toMatch(/codelab\/login +missing /);
    expect(await worktrees('merge', 'login')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The worktree of this session is gone'),
    });
    expect(await worktrees('drop', 'login', '--delete-branch')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('git branch -d codelab/login'),
    });
    expect(await worktrees('drop', 'login')).toMatchObject({
      code: 0,
      stdout: 'Dropped the worktree of codelab/login. Its branch stays.\n',
    });
    expect((await worktrees()).stdout).toContain('No session of this workspace has a worktree.');
  });

  test('a word that names no worktree, or leaves several, says which there are', async () => {
    expect((await worktrees('merge')).stderr).toContain('No session of this workspace has a worktree.');
    await turnIn('login');
    await turnIn('search');
    expect((await worktrees('drop')).stderr).toMatch(/several worktrees\. Give .*codelab\/login/);
    expect((await worktrees('drop', 'other')).stderr).toContain('No worktree matches "other".');
    expect(await listWorktrees()).toHaveLength(2);
  });
});
