// The two ends of a worktree: merged into the workspace's branch by git, or dropped after it was said what would be lost.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Json } from '../support/web-api.ts';
import { type WorktreeBench, worktreeBench } from '../support/worktree-bench.ts';

const operator = { who: expect.any(String), via: 'http' };

async function ended(work: WorktreeBench, id: string): Promise<Json[]> {
  return (await work.log(id)).filter(({ type }) => String(type).startsWith('worktree.'));
}

test('a merge wants everything committed, commits it when a message is given, and is recorded', async () => {
  await using work = await worktreeBench();
  const worktree = await work.session('one');
  await work.call(worktree.id, 'write_file', { path: 'a.txt', content: 'tree\n' });
  await work.call(worktree.id, 'write_file', { path: 'new.txt', content: 'new\n' });
  const [, state] = await work.ask(`/sessions/${worktree.id}/worktree`);
  expect(state).toEqual({
    ...{ path: worktree.path, branch: 'codelab/one', into: 'main', commits: [], print: expect.any(String) },
    files: ['a.txt', 'new.txt'],
    ignored: [],
  });
  const [status, { error }] = await work.ask(`/sessions/${worktree.id}/worktree/merge`, 'POST', {});
  expect([status, (error as Json).code]).toEqual([400, 'GIT_ERROR']);
  expect((error as Json).details).toMatchObject({ reason: 'uncommitted', files: ['a.txt', 'new.txt'] });
  const before = work.git('rev-parse', 'HEAD').trim();
  const request = { message: 'Change a', into: 'main' };
  const [code, merged] = await work.ask(`/sessions/${worktree.id}/worktree/merge`, 'POST', request);
  const commit = work.git('rev-parse', 'HEAD').trim();
  expect([code, merged]).toEqual([200, { branch: 'codelab/one', into: 'main', before, commit, commits: 1 }]);
  expect([work.text('a.txt'), work.text('new.txt')]).toEqual(['tree\n', 'new\n']);
  expect(work.git('log', '-1', '--format=%s').trim()).toBe('Change a');
  expect(await ended(work, worktree.id)).toEqual([
    { type: 'worktree.merged', by: operator, branch: 'codelab/one', into: 'main', before, commit },
  ]);
  const [, session] = await work.ask(`/sessions/${worktree.id}`);
  expect(session.worktree).toMatchObject({ state: 'present', merged_into: 'main' });
});

test('a branch that both sides went on with is merged with a commit of its own', async () => {
  await using work = await worktreeBench();
  const worktree = await work.session('one');
  await work.call(worktree.id, 'write_file', { path: 'a.txt', content: 'tree\n' });
  writeFileSync(join(work.bench.root, 'b.txt'), 'main\n');
  work.git('commit', '--quiet', '-am', 'In main');
  // The change is uncommitted and does not conflict with the merge.
  writeFileSync(join(work.bench.root, 'mine.txt'), 'mine\n');
  const [status] = await work.ask(`/sessions/${worktree.id}/worktree/merge`, 'POST', {
    message: 'In the tree',
  });
  expect(status).toBe(200);
  expect([work.text('a.txt'), work.text('b.txt'), work.text('mine.txt')]).toEqual([
    'tree\n',
    'main\n',
    'mine\n',
  ]);
  expect(work.git('log', '-1', '--format=%s %p').trim().split(' ')).toHaveLength(5);
});

test('conflicts are told by file, and neither the workspace nor the worktree is changed', async () => {
  await using work = await worktreeBench();
  const worktree = await work.session('one');
  await work.call(worktree.id, 'write_file', { path: 'a.txt', content: 'tree\n' });
  worktree.git('commit', '--quiet', '-am', 'In the tree');
  writeFileSync(join(work.bench.root, 'a.txt'), 'main\n');
  work.git('commit', '--quiet', '-am', 'In main');
  writeFileSync(join(work.bench.root, 'b.txt'), 'not committed\n');
  const head = work.git('rev-parse', 'HEAD');
  const [status, { error }] = await work.ask(`/sessions/${worktree.id}/worktree/merge`, 'POST', {});
  expect([status, (error as Json).details]).toEqual([400, { reason: 'conflict', files: ['a.txt'] }]);
  expect([work.git('rev-parse', 'HEAD'), work.text('a.txt'), work.text('b.txt')]).toEqual([
    ...[head, 'main\n', 'not committed\n'],
  ]);
  expect(work.git('status', '--porcelain')).toBe(' M b.txt\n');
  expect(existsSync(join(worktree.path, 'a.txt'))).toBe(true);
  expect(await ended(work, worktree.id)).toEqual([]);
});

test('a merge is refused when the workspace is on another branch than the person saw, or has such changes itself', async () => {
  await using work = await worktreeBench();
  const worktree = await work.session('one');
  await work.call(worktree.id, 'write_file', { path: 'a.txt', content: 'tree\n' });
  worktree.git('commit', '--quiet', '-am', 'In the tree');
  work.git('switch', '--quiet', '-c', 'other');
  const stale = await work.ask(`/sessions/${worktree.id}/worktree/merge`, 'POST', { into: 'main' });
  expect([stale[0], (stale[1].error as Json).code]).toEqual([409, 'STALE']);
  writeFileSync(join(work.bench.root, 'a.txt'), 'mine\n');
  const [status, { error }] = await work.ask(`/sessions/${worktree.id}/worktree/merge`, 'POST', {});
  expect([status, (error as Json).code]).toEqual([400, 'GIT_ERROR']);
  expect((error as Json).message).toContain('a.txt');
  expect([work.text('a.txt'), work.git('status', '--porcelain')]).toEqual(['mine\n', ' M a.txt\n']);
});

test('programs that the repository names are not run by making, merging or dropping', async () => {
  await using work = await worktreeBench({ files: { '.gitattributes': 'a.txt merge=evil\n' } });
  const { root } = work.bench;
  const hooks = ['post-checkout', 'post-merge', 'pre-merge-commit', 'pre-commit', 'post-commit'];
  for (const hook of hooks) {
    const text = `#!/bin/sh\ntouch ${root}-ran-${hook}\n`;
    writeFileSync(join(root, '.git', 'hooks', hook), text, { mode: 0o755 });
  }
  const worktree = await work.session('one');
  work.git('config', 'merge.evil.driver', `touch ${root}-ran-driver`);
  await work.call(worktree.id, 'write_file', { path: 'a.txt', content: 'one\ntree\n' });
  writeFileSync(join(root, 'a.txt'), 'main\none\n');
  work.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-am', 'In main');
  const [status, { error }] = await work.ask(`/sessions/${worktree.id}/worktree/merge`, 'POST', {
    message: 'x',
  });
  expect([status, (error as Json).details]).toMatchObject([400, { files: ['a.txt'] }]);
  const [, { print }] = await work.ask(`/sessions/${worktree.id}/worktree`);
  const drop = { print, delete_branch: true };
  expect((await work.ask(`/sessions/${worktree.id}/worktree/drop`, 'POST', drop))[0]).toBe(200);
  expect(['driver', ...hooks].filter((name) => existsSync(`${root}-ran-${name}`))).toEqual([]);
});

test('dropping says what would be lost, wants the person to have seen it, and keeps the branch', async () => {
  await using work = await worktreeBench();
  const worktree = await work.session('one');
  await work.call(worktree.id, 'write_file', { path: 'a.txt', content: 'tree\n' });
  worktree.git('commit', '--quiet', '-am', 'In the tree');
  await work.call(worktree.id, 'write_file', { path: 'new.txt', content: 'new\n' });
  const drop = (body: Json) => work.ask(`/sessions/${worktree.id}/worktree/drop`, 'POST', body);
  const [status, { error }] = await drop({});
  expect([status, (error as Json).details]).toMatchObject([
    409,
    {
      reason: 'worktree_loss',
      files: ['new.txt'],
      commits: [expect.stringMatching(/^[0-9a-f]+ In the tree$/)],
    },
  ]);
  const [, { print }] = await work.ask(`/sessions/${worktree.id}/worktree`);
  await work.call(worktree.id, 'write_file', { path: 'later.txt', content: 'later\n' });
  expect((await drop({ print }))[0]).toBe(409);
  expect(existsSync(worktree.path)).toBe(true);
  const [, now] = await work.ask(`/sessions/${worktree.id}/worktree`);
  const [code, dropped] = await drop({ print: now.print });
  expect([code, dropped]).toEqual([
    200,
    { branch: 'codelab/one', branch_deleted: false, files: 2, commits: 0 },
  ]);
  expect(existsSync(worktree.path)).toBe(false);
  expect(work.git('branch', '--list', 'codelab/one').trim()).toBe('codelab/one');
  expect(work.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(await ended(work, worktree.id)).toEqual([
    {
      ...{ type: 'worktree.dropped', by: operator, branch: 'codelab/one', isBranchDeleted: false },
      ...{ files: 2, commits: 0 },
    },
  ]);
});

test('dropping says which ignored files would be lost, but for what tools make again', async () => {
  const ignores = '.env\n*.log\nnode_modules/\ndata/\nhollow/\nmade/\n';
  await using work = await worktreeBench({ files: { '.gitignore': ignores, 'src/a.txt': 'a\n' } });
  const worktree = await work.session('one');
  const writeText = (path: string, text = 'precious\n'): void => {
    mkdirSync(join(worktree.path, path, '..'), { recursive: true });
    writeFileSync(join(worktree.path, path), text);
  };
  for (const path of ['.env', 'src/notes.log', 'data/db', 'node_modules/m/i.js', 'made/x']) writeText(path);
  writeText('made/CACHEDIR.TAG', 'Signature: 8a477f597d28d172789f06886806bc55');
  mkdirSync(join(worktree.path, 'hollow/inner'), { recursive: true });
  const drop = (body: Json) => work.ask(`/sessions/${worktree.id}/worktree/drop`, 'POST', body);
  const ignored = ['.env', 'data/', 'src/notes.log'];
  const [status, { error }] = await drop({});
  expect([status, error]).toMatchObject([
    409,
    {
      message: expect.stringContaining('.env, data/'),
      details: { reason: 'worktree_loss', files: [], ignored },
    },
  ]);
  const [, { print }] = await work.ask(`/sessions/${worktree.id}/worktree`);
  writeText('later.log');
  expect((await drop({ print }))[0]).toBe(409);
  expect(existsSync(join(worktree.path, '.env'))).toBe(true);
  // Ignored files do not prevent the merge of the branch.
  expect((await work.ask(`/sessions/${worktree.id}/worktree/merge`, 'POST', {}))[0]).toBe(200);
  const [, now] = await work.ask(`/sessions/${worktree.id}/worktree`);
  expect([now.files, now.ignored]).toEqual([[], ['.env', 'data/', 'later.log', 'src/notes.log']]);
  expect(await drop({ print: now.print })).toMatchObject([200, { files: 4, commits: 0 }]);
  expect(existsSync(worktree.path)).toBe(false);
});

test('a session whose worktree is gone can be read, and says why nothing runs in it', async () => {
  await using work = await worktreeBench();
  const [worktree, other] = [await work.session('one'), await work.session('two')];
  for (const { id } of [worktree, other])
    await work.call(id, 'write_file', { path: 'a.txt', content: 'tree\n' });
  const [, { print }] = await work.ask(`/sessions/${worktree.id}/worktree`);
  const drop = { print, delete_branch: true };
  expect((await work.ask(`/sessions/${worktree.id}/worktree/drop`, 'POST', drop))[0]).toBe(200);
  expect(work.git('branch', '--list', 'codelab/one')).toBe('');
  rmSync(other.path, { recursive: true });
  await work.bench.restart();
  for (const [{ id }, state] of [
    [worktree, 'dropped'],
    [other, 'missing'],
  ] as const) {
    const [, session] = await work.ask(`/sessions/${id}`);
    expect(session.worktree).toMatchObject({ state });
    expect((await work.log(id)).length).toBeGreaterThan(3);
    expect((await work.ask(`/sessions/${id}/changes`))[1].turns).toHaveLength(1);
    const response = await work.ask(`/sessions/${id}/messages`, 'POST', { content: 'Go on.' });
    expect([response[0], (response[1].error as Json).details]).toEqual([404, { reason: 'worktree_missing' }]);
    expect(await work.call(id, 'write_file', { path: 'x.txt', content: 'x' })).toMatchObject({
      ...{ status: 'failed', error: { code: 'FILE_NOT_FOUND', details: { reason: 'worktree_missing' } } },
    });
    expect((await work.ask(`/files?session_id=${id}`))[0]).toBe(404);
    expect((await work.ask(`/sessions/${id}/worktree`))[0]).toBe(404);
  }
  expect(existsSync(join(work.bench.root, 'x.txt'))).toBe(false);
  expect(readFileSync(join(work.bench.root, 'a.txt'), 'utf8')).toBe('one\n');
  expect(work.bench.faults).toEqual([]);
});

test('a session in the workspace itself has no worktree to merge or drop', async () => {
  await using work = await worktreeBench();
  const main = await work.session();
  for (const path of ['', '/merge', '/drop'])
    expect(
      (
        await work.ask(
          `/sessions/${main.id}/worktree${path}`,
          path === '' ? 'GET' : 'POST',
          path === '' ? undefined : {},
        )
      )[0],
    ).toBe(400);
});

test('a folder that git does not have as a worktree is never removed', async () => {
  await using work = await worktreeBench();
  const worktree = await work.session('one');
  // The folder stays, but git has forgotten it.
  rmSync(join(work.bench.root, '.git', 'worktrees'), { recursive: true });
  const [status] = await work.ask(`/sessions/${worktree.id}/worktree/drop`, 'POST', {});
  expect(status).toBe(404);
  expect(existsSync(join(worktree.path, 'a.txt'))).toBe(true);
});
