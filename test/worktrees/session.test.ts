// A session in a git worktree of its own: its calls, undo, review, files and branch are there, while the workspace stays as it is.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptedModel } from '../support/scripted-model.ts';
import { type Json, logUntil } from '../support/web-api.ts';
import { worktreeBench } from '../support/worktree-bench.ts';

test('a session is made in a worktree outside the workspace, on a branch of its own', async () => {
  await using work = await worktreeBench();
  const { id, path, git } = await work.session('Fix the Login!');
  const { root, home } = work.bench;
  expect(dirname(dirname(path))).toBe(`${home}-worktrees`);
  expect(path.startsWith(root)).toBe(false);
  expect(git('branch', '--show-current').trim()).toBe('codelab/fix-the-login');
  expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('one\n');
  const [, session] = await work.ask(`/sessions/${id}`);
  expect(session.worktree).toEqual({
    path,
    branch: 'codelab/fix-the-login',
    state: 'present',
    merged_into: null,
  });
  const [opened] = await work.log(id);
  const base = work.git('rev-parse', 'HEAD').trim();
  expect(opened).toMatchObject({
    type: 'session.opened',
    workspace: path,
    worktree: { of: root, branch: 'codelab/fix-the-login', base },
  });
  const [, { sessions }] = await work.ask('/sessions');
  expect((sessions as Json[]).map((message) => message.id)).toContain(id);
  expect(work.bench.faults).toEqual([]);
});

test('what its calls write is in the worktree alone, and a session beside it works in the workspace', async () => {
  await using work = await worktreeBench();
  const [worktree, main] = [await work.session('one'), await work.session()];
  const write = (session: string, content: string) =>
    work.call(session, 'write_file', { path: 'a.txt', content });
  const [treeOutcome, mainOutcome] = await Promise.all([
    write(worktree.id, 'tree\n'),
    write(main.id, 'main\n'),
  ]);
  expect([treeOutcome.status, mainOutcome.status]).toEqual(['completed', 'completed']);
  expect(readFileSync(join(worktree.path, 'a.txt'), 'utf8')).toBe('tree\n');
  expect(work.text('a.txt')).toBe('main\n');
  const run = await work.call(worktree.id, 'run_command', { command: 'pwd; echo made > c.txt' });
  expect(run).toMatchObject({ status: 'completed', data: { exit_code: 0 } });
  expect(JSON.stringify(run.data)).toContain(worktree.path);
  expect([existsSync(join(worktree.path, 'c.txt')), existsSync(join(work.bench.root, 'c.txt'))]).toEqual([
    true,
    false,
  ]);
  expect(await work.call(worktree.id, 'read_file', { path: '../../home/config.json' })).toMatchObject({
    status: 'failed',
  });
});

test('undo, review and changes are those of the worktree', async () => {
  const calls: [string, Json][] = [['write_file', { path: 'a.txt', content: 'tree\n' }]];
  await using work = await worktreeBench({ script: scriptedModel([{ calls }, { text: 'Done.' }]) });
  const worktree = await work.session('one');
  await work.ask(`/sessions/${worktree.id}/messages`, 'POST', { content: 'Change it.' });
  await logUntil(work.bench, worktree.id, ({ type }) => type === 'turn.ended');
  expect([readFileSync(join(worktree.path, 'a.txt'), 'utf8'), work.text('a.txt')]).toEqual([
    'tree\n',
    'one\n',
  ]);
  const [, review] = await work.ask(`/sessions/${worktree.id}/review`);
  expect(review.files).toMatchObject([{ path: 'a.txt' }]);
  const [, changes] = await work.ask(`/sessions/${worktree.id}/changes`);
  expect(changes.turns).toMatchObject([{ calls: [{ files: [{ path: 'a.txt', state: 'done', added: 1 }] }] }]);
  const [, dry] = await work.ask(`/sessions/${worktree.id}/undo`, 'POST', { dry_run: true });
  expect(dry.files).toMatchObject([{ path: 'a.txt', state: 'ready' }]);
  const [, undoOutcome] = await work.ask(`/sessions/${worktree.id}/undo`, 'POST', {});
  expect(undoOutcome).toMatchObject({ done: true });
  expect(readFileSync(join(worktree.path, 'a.txt'), 'utf8')).toBe('one\n');
  expect(work.text('a.txt')).toBe('one\n');
});

test('files, marks, search and the branch are shown as they are in the worktree', async () => {
  await using work = await worktreeBench();
  const worktree = await work.session('one');
  await work.call(worktree.id, 'write_file', { path: 'new.txt', content: 'needle\n' });
  const readJson = async (path: string): Promise<Json> => (await work.ask(path))[1];
  expect((await readJson(`/files/content?path=new.txt&session_id=${worktree.id}`)).text).toBe('needle\n');
  expect((await work.ask('/files/content?path=new.txt'))[0]).toBe(404);
  expect((await readJson(`/files/marks?session_id=${worktree.id}`)).marks).toEqual([
    { path: 'new.txt', mark: 'added' },
  ]);
  expect((await readJson('/files/marks')).marks).toEqual([]);
  expect((await readJson(`/files/find?query=new&session_id=${worktree.id}`)).files).toEqual(['new.txt']);
  expect((await readJson(`/files/search?query=needle&session_id=${worktree.id}`)).matches).toHaveLength(1);
  expect((await readJson(`/sessions/${worktree.id}/context`)).branch).toBe('codelab/one');
  const saved = await work.ask('/files/content', 'PUT', {
    ...{ path: 'saved.txt', text: 'saved\n', session_id: worktree.id },
  });
  expect(saved[0]).toBe(200);
  expect(existsSync(join(worktree.path, 'saved.txt'))).toBe(true);
  expect(existsSync(join(work.bench.root, 'saved.txt'))).toBe(false);
});

test('a branch of a session goes on in the same worktree', async () => {
  await using work = await worktreeBench();
  const worktree = await work.session('one');
  const [status, fork] = await work.ask(`/sessions/${worktree.id}/fork`, 'POST', {});
  expect(status).toBe(201);
  expect(fork.worktree).toMatchObject({ path: worktree.path, branch: 'codelab/one' });
  await work.call(String(fork.id), 'write_file', { path: 'a.txt', content: 'fork\n' });
  expect(readFileSync(join(worktree.path, 'a.txt'), 'utf8')).toBe('fork\n');
});

test('a name that is taken is refused, and one that nobody gave is made unique', async () => {
  await using work = await worktreeBench();
  await work.session('one');
  const [status, refused] = await work.ask('/sessions', 'POST', { worktree: { name: 'One' } });
  expect([status, refused.error]).toMatchObject([400, { code: 'ALREADY_EXISTS' }]);
  const creating = [1, 2].map(
    async () => (await work.ask('/sessions', 'POST', { worktree: {}, title: 'One' }))[1],
  );
  const branches = (await Promise.all(creating)).map((one) => (one.worktree as Json | undefined)?.branch);
  expect(new Set(branches).size).toBe(2);
  for (const name of ['../../escape', '; rm -rf ~', 'a/../../b', '--force']) {
    const { path } = await work.session(name);
    expect(dirname(dirname(path))).toBe(`${work.bench.home}-worktrees`);
  }
  expect((await work.ask('/sessions', 'POST', { worktree: { name: '…' } }))[0]).toBe(400);
});
