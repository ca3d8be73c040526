import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type WebBench, webBench } from '../support/web-bench.ts';

type Json = Record<string, unknown>;

async function changed(web: WebBench): Promise<string> {
  const session = await web.newSession();
  await web.call(session, 'write_file', { path: 'a.txt', content: 'one\ntwo\n' }, { id: 'w1', turn: 1 });
  await web.call(session, 'write_file', { path: 'a.txt', content: 'one\nTWO\n' }, { id: 'w2', turn: 2 });
  await web.call(session, 'write_file', { path: 'b/new.txt', content: 'new\n' }, { id: 'w3', turn: 2 });
  return session;
}

describe('what was changed', () => {
  test('is listed by turn, newest first, with lines counted', async () => {
    await using web = await webBench();
    const session = await changed(web);
    const { body } = await web.ask('GET', `/sessions/${session}/changes`);
    const time = expect.any(String);
    const creation = { op: 'create', state: 'done', removed: 0 };
    expect(body).toEqual({
      turns: [
        {
          turn: 2,
          time,
          state: 'done',
          calls: [
            {
              call_id: 'w3',
              tool: 'write_file',
              summary: expect.stringContaining('b/new.txt'),
              time,
              state: 'done',
              files: [{ path: 'b/new.txt', ...creation, added: 1 }],
            },
            {
              call_id: 'w2',
              tool: 'write_file',
              summary: expect.stringContaining('a.txt'),
              time,
              state: 'done',
              files: [{ path: 'a.txt', op: 'update', state: 'done', added: 1, removed: 1 }],
            },
          ],
        },
        {
          turn: 1,
          time,
          state: 'done',
          calls: [
            {
              call_id: 'w1',
              tool: 'write_file',
              summary: expect.stringContaining('a.txt'),
              time,
              state: 'done',
              files: [{ path: 'a.txt', ...creation, added: 2 }],
            },
          ],
        },
      ],
    });
  });

  test('is shown as a diff also after it was written over, undone and brought again', async () => {
    await using web = await webBench();
    const session = await changed(web);
    const diffOf = async (call: string): Promise<unknown> =>
      ((await web.ask('GET', `/sessions/${session}/changes/${call}`)).body.files as Json[])[0]?.diff;
    const first = '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n';
    const second = '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n';
    expect([await diffOf('w1'), await diffOf('w2')]).toEqual([first, second]);
    expect((await web.ask('POST', `/sessions/${session}/undo`, { turn: 2 })).body.done).toBe(true);
    expect([await diffOf('w1'), await diffOf('w2')]).toEqual([first, second]);
    expect((await web.ask('POST', `/sessions/${session}/redo`, {})).body.done).toBe(true);
    expect([await diffOf('w1'), await diffOf('w2')]).toEqual([first, second]);
    const missing = await web.ask('GET', `/sessions/${session}/changes/nothing`);
    expect([missing.status, (missing.body.error as Json).code]).toEqual([404, 'FILE_NOT_FOUND']);
  });

  test('says what is no longer kept, and cuts what is too long', async () => {
    await using web = await webBench({ files: { 'old.txt': 'old\n' } });
    const session = await web.newSession();
    await web.call(session, 'write_file', { path: 'old.txt', content: 'new\n' }, { id: 'old' });
    const command = 'for n in 1 2 3; do yes line | head -c 900000 > l$n.txt; done';
    await web.call(session, 'run_command', { command }, { id: 'long' });
    rmSync(join(web.http.bench.home, 'trash'), { recursive: true });
    const filesOf = async (call: string): Promise<Json[]> =>
      (await web.ask('GET', `/sessions/${session}/changes/${call}`)).body.files as Json[];
    expect(await filesOf('old')).toMatchObject([
      { diff: '', gone: expect.stringContaining('no longer stored') },
    ]);
    const long = await filesOf('long');
    expect(long.map(({ truncated = false }) => truncated)).toEqual([false, true, true]);
    const chars = long.reduce((sum, { diff }) => sum + String(diff).length, 0);
    expect(chars).toBeLessThanOrEqual(2 * 1024 * 1024);
    const { body } = await web.ask('GET', `/sessions/${session}/changes`);
    const states = (body.turns as { calls: Json[] }[]).map(({ calls }) => [
      calls[0]?.call_id,
      calls[0]?.state,
    ]);
    expect(states).toEqual([
      ['long', 'done'],
      ['old', 'evicted'],
    ]);
  });

  test('of a binary file only that it is one is said', async () => {
    await using web = await webBench({ files: { 'bin.dat': 'a\0b' } });
    const session = await web.newSession();
    await web.call(session, 'delete_file', { path: 'bin.dat' }, { id: 'bin' });
    const { body } = await web.ask('GET', `/sessions/${session}/changes/bin`);
    expect(body.files).toEqual([
      { path: 'bin.dat', op: 'delete', diff: '', added: null, removed: null, binary: true },
    ]);
  });
});

describe('taking back', () => {
  test('a dry run shows the diff and changes nothing', async () => {
    await using web = await webBench();
    const session = await changed(web);
    const { body } = await web.ask('POST', `/sessions/${session}/undo`, { dry_run: true });
    expect(body).toEqual({
      files: [
        { path: 'b/new.txt', action: 'remove', state: 'ready' },
        { path: 'a.txt', action: 'restore', state: 'ready' },
      ],
      diff: expect.stringContaining('-TWO\n+two\n'),
      truncated: false,
      done: false,
    });
    expect(readFileSync(join(web.root, 'a.txt'), 'utf8')).toBe('one\nTWO\n');
  });

  test('conflicts are told file by file; force takes them, recorded with who it was', async () => {
    await using web = await webBench({ mode: 'trusted' });
    const session = await changed(web);
    writeFileSync(join(web.root, 'a.txt'), 'mine\n');
    const refused = { path: 'a.txt', state: 'refused', why: 'it was changed since' };
    const preview = await web.ask('POST', `/sessions/${session}/undo`, { call_id: 'w2', dry_run: true });
    expect(preview.body.files).toEqual([{ ...refused, action: 'restore' }]);
    const plainReply = await web.ask('POST', `/sessions/${session}/undo`, { call_id: 'w2' });
    expect([plainReply.status, plainReply.body]).toEqual([
      200,
      { files: [{ ...refused, action: 'none' }], done: false },
    ]);
    expect(readFileSync(join(web.root, 'a.txt'), 'utf8')).toBe('mine\n');
    const forced = await web.ask('POST', `/sessions/${session}/undo`, { call_id: 'w2', force: true });
    expect(forced.body).toEqual({ files: [{ path: 'a.txt', action: 'restore', state: 'done' }], done: true });
    expect(readFileSync(join(web.root, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
    const events = await web.http.bench.log.read(session);
    const decided = events.findLast(({ body }) => body.type === 'approval.decided');
    expect(decided?.body).toMatchObject({ by: { who: 'ann', via: 'http' }, decision: { kind: 'approve' } });
    const started = events.findLast(({ body }) => body.type === 'call.started');
    expect(started?.body).toMatchObject({ args: { session, call_id: 'w2', force: true } });
  });

  test('a turn whose file was changed twice is shown as it will be taken back', async () => {
    await using web = await webBench({ files: { 'a.txt': '0\n' } });
    const session = await web.newSession();
    for (const n of [1, 2, 3])
      await web.call(session, 'write_file', { path: 'a.txt', content: `${n}\n` }, { turn: 1 });
    const { body } = await web.ask('POST', `/sessions/${session}/undo`, { turn: 1, dry_run: true });
    expect(body.files).toEqual([{ path: 'a.txt', action: 'restore', state: 'ready' }]);
    expect(body.diff).toContain('-3\n+0\n');
  });

  test('the same undo twice at once is done once', async () => {
    await using web = await webBench({ files: { 'a.txt': '0\n' } });
    const session = await web.newSession();
    for (const n of [1, 2])
      await web.call(session, 'write_file', { path: 'a.txt', content: `${n}\n` }, { id: `w${n}` });
    const answers = await Promise.all(
      [1, 2, 3].map(() => web.ask('POST', `/sessions/${session}/undo`, { call_id: 'w2', force: true })),
    );
    expect(answers.filter(({ body }) => body.done === true)).toHaveLength(1);
    expect(readFileSync(join(web.root, 'a.txt'), 'utf8')).toBe('1\n');
  });

  test('nothing to undo, two targets, and unknown fields are refused', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    const codeOf = async (body: unknown): Promise<unknown> =>
      ((await web.ask('POST', `/sessions/${session}/undo`, body)).body.error as Json).code;
    expect(await codeOf({})).toBe('FILE_NOT_FOUND');
    expect(await codeOf({ dry_run: true })).toBe('FILE_NOT_FOUND');
    expect(await codeOf({ turn: 1, call_id: 'x' })).toBe('INVALID_ARGUMENTS');
    expect(await codeOf({ session: 'other' })).toBe('INVALID_ARGUMENTS');
    expect(await codeOf({ force: 'yes' })).toBe('INVALID_ARGUMENTS');
  });

  test('a session cannot take back what another did', async () => {
    await using web = await webBench();
    await changed(web);
    const other = await web.newSession('bob');
    const { body } = await web.ask('POST', `/sessions/${other}/undo`, { call_id: 'w2', force: true }, 'bob');
    expect((body.error as Json).code).toBe('FILE_NOT_FOUND');
    expect(readFileSync(join(web.root, 'a.txt'), 'utf8')).toBe('one\nTWO\n');
  });
});

test('every address about a session is closed to others', async () => {
  await using web = await webBench();
  const session = await changed(web);
  const addresses = [
    ['GET', 'changes'],
    ['GET', 'changes/w1'],
    ['POST', 'undo'],
    ['POST', 'redo'],
    ['GET', 'audit/verify'],
    ['GET', 'audit/export'],
    ['GET', 'approvals/x/rule'],
  ] as const;
  for (const [method, path] of addresses) {
    const body = method === 'POST' ? { force: true } : undefined;
    const { status } = await web.ask(method, `/sessions/${session}/${path}`, body, 'bob');
    expect([path, status]).toEqual([path, 403]);
    expect((await web.ask(method, `/sessions/nobodys/${path}`, body, 'bob')).status).toBe(404);
  }
  expect(readFileSync(join(web.root, 'a.txt'), 'utf8')).toBe('one\nTWO\n');
});
