import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type WebBench, webBench } from '../support/web-bench.ts';

type Json = Record<string, unknown>;
type File = { path: string; diff: string; hunks: { id: string }[]; digest: string; viewed: boolean } & Json;

let web: WebBench;

beforeAll(async () => {
  web = await webBench();
});

afterAll(() => web[Symbol.asyncDispose]());

async function review(session: string, turn?: number): Promise<Json & { files: File[]; draft: Json }> {
  const { status, body } = await web.ask('GET', `/sessions/${session}/review${turn ? `?turn=${turn}` : ''}`);
  expect(status).toBe(200);
  return body as Json & { files: File[]; draft: Json };
}

function writeText(path: string, text: string): void {
  writeFileSync(join(web.root, path), text);
}

describe('the review of a session', () => {
  test('is one diff for each file, from before its first change to what it is, by turn or as a whole', async () => {
    const session = await web.newSession();
    writeText('a.txt', 'one\ntwo\nthree\n');
    await web.call(
      session,
      'write_file',
      { path: 'a.txt', content: 'one\nTWO\nthree\n' },
      { id: 'a1', turn: 1 },
    );
    await web.call(
      session,
      'write_file',
      { path: 'a.txt', content: 'one\nTWO\nTHREE\n' },
      { id: 'a2', turn: 2 },
    );
    await web.call(session, 'write_file', { path: 'a/new.txt', content: 'new\n' }, { id: 'a3', turn: 2 });
    expect(await review(session)).toEqual({
      turn: null,
      turns: [1, 2],
      version: expect.any(String),
      files: [
        {
          path: 'a.txt',
          op: 'update',
          diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+TWO\n+THREE\n',
          hunks: [{ id: expect.any(String) }],
          digest: expect.any(String),
          added: 2,
          removed: 2,
          calls: ['a1', 'a2'],
          viewed: false,
        },
        {
          path: 'a/new.txt',
          op: 'create',
          diff: '--- /dev/null\n+++ b/a/new.txt\n@@ -0,0 +1 @@\n+new\n',
          hunks: [{ id: expect.any(String) }],
          digest: expect.any(String),
          added: 1,
          removed: 0,
          calls: ['a3'],
          viewed: false,
        },
      ],
      draft: { viewed: [], discard: [], edits: [], comments: [] },
      commit: null,
    });
    const first = await review(session, 1);
    expect(first.files.map(({ path, diff }) => [path, diff])).toEqual([
      ['a.txt', '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n THREE\n'],
    ]);
    expect((await review(session, 3)).files).toEqual([]);
  });

  test('keeps what its user wrote in between out of the diff, and in the file', async () => {
    const session = await web.newSession();
    writeText('b.txt', '1\n2\n3\n4\n5\n6\n7\n8\n9\n');
    await web.call(
      session,
      'edit_file',
      { path: 'b.txt', old_string: '2\n', new_string: 'two\n' },
      { id: 'b1', turn: 1 },
    );
    writeText('b.txt', 'mine\n1\ntwo\n3\n4\n5\n6\n7\n8\n9\n');
    await web.call(session, 'read_file', { path: 'b.txt' }, { turn: 1 });
    await web.call(
      session,
      'edit_file',
      { path: 'b.txt', old_string: '9\n', new_string: 'nine\n' },
      { id: 'b2', turn: 1 },
    );
    writeText('b.txt', 'mine\n1\ntwo\n3\n4\n5\nmine too\n6\n7\n8\nnine\n');
    const { files } = await review(session);
    expect(files.map(({ diff, calls }) => [diff, calls])).toEqual([
      [
        '--- a/b.txt\n+++ b/b.txt\n@@ -1,6 +1,6 @@\n mine\n 1\n-2\n+two\n 3\n 4\n 5\n@@ -8,4 +8,4 @@\n 6\n 7\n 8\n-9\n+nine\n',
        ['b1', 'b2'],
      ],
    ]);
  });
});

describe('discarding', () => {
  const numbers = (change: Record<number, string> = {}): string =>
    Array.from({ length: 20 }, (_, i) => `${change[i] ?? i}\n`).join('');
  const textOf = (path: string): string => readFileSync(join(web.root, path), 'utf8');
  const discard = async (session: string, body: Json): Promise<Json & { files: Json[] }> =>
    (await web.ask('POST', `/sessions/${session}/review/discard`, body)).body as Json & { files: Json[] };

  test('a hunk leaves the others and what the user wrote; it is one call under their name, which undo takes back', async () => {
    const session = await web.newSession();
    writeText('h.txt', numbers());
    const content = numbers({ 1: 'ONE', 18: 'EIGHTEEN' });
    await web.call(session, 'write_file', { path: 'h.txt', content }, { turn: 1 });
    writeText('h.txt', `${content}mine\n`);
    const [file] = (await review(session, 1)).files;
    const id = file?.hunks[0]?.id ?? '';
    expect(file?.hunks).toHaveLength(2);
    expect(await discard(session, { turn: 1, hunks: [id] })).toEqual({
      call_id: expect.any(String),
      files: [{ path: 'h.txt', state: 'done', hunks: [id] }],
      done: true,
    });
    expect(textOf('h.txt')).toBe(`${numbers({ 18: 'EIGHTEEN' })}mine\n`);
    expect((await review(session, 1)).files[0]?.hunks).toEqual([file?.hunks[1]]);
    const { body } = await web.ask('GET', `/sessions/${session}/log?limit=200`);
    const events = body.events as { body: Json }[];
    const received = events.findLast((event) => event.body.type === 'call.received');
    expect(received?.body.call).toMatchObject({ tool: 'discard_changes', by: { who: 'ann' } });
    expect((await web.ask('POST', `/sessions/${session}/undo`, {})).body.done).toBe(true);
    expect(textOf('h.txt')).toBe(`${content}mine\n`);
    expect((await review(session, 1)).files[0]?.hunks).toEqual(file?.hunks);
    expect((await web.ask('POST', `/sessions/${session}/redo`, {})).body.done).toBe(true);
    expect(textOf('h.txt')).toBe(`${numbers({ 18: 'EIGHTEEN' })}mine\n`);
  });

  test('a hunk that changed since is refused by name, and the others are done', async () => {
    const session = await web.newSession();
    writeText('s.txt', numbers());
    await web.call(
      session,
      'write_file',
      { path: 's.txt', content: numbers({ 1: 'ONE', 18: 'X' }) },
      { turn: 1 },
    );
    const [file] = (await review(session)).files;
    const [first, second] = file?.hunks.map(({ id }) => id) ?? [];
    writeText('s.txt', numbers({ 1: 'ONE', 2: 'my two', 18: 'X' }));
    expect((await discard(session, { hunks: [first, second] })).files).toEqual([
      { path: 's.txt', state: 'done', hunks: [second] },
      { path: 's.txt', state: 'refused', hunks: [first], why: expect.stringContaining('changed since') },
    ]);
    expect(textOf('s.txt')).toBe(numbers({ 1: 'ONE', 2: 'my two' }));
    expect(await discard(session, { hunks: [first] })).toMatchObject({ call_id: null, done: false });
  });

  test('an edited hunk stays with the text it was given; one that is split is partly kept', async () => {
    const session = await web.newSession();
    writeText('e.txt', 'a\nb\nc\n');
    await web.call(session, 'write_file', { path: 'e.txt', content: 'A\nb\nC\n' }, { turn: 1 });
    const [file] = (await review(session)).files;
    const hunk = file?.hunks[0]?.id;
    const outcome = await discard(session, { hunks: [], edits: [{ hunk, text: 'A\nb\nc\n' }] });
    expect([outcome.done, textOf('e.txt')]).toEqual([true, 'A\nb\nc\n']);
    const fault = await discard(session, { hunks: [hunk], edits: [{ hunk, text: '' }] });
    expect(fault).toMatchObject({ error: { code: 'INVALID_ARGUMENTS' } });
  });

  test('files and everything: what was made goes with its folders, what was deleted and moved comes back', async () => {
    const session = await web.newSession();
    writeText('m.txt', 'moved\n');
    writeText('g.txt', 'gone\n');
    await web.call(session, 'write_file', { path: 'x/y/new.txt', content: 'new\n' }, { turn: 1 });
    await web.call(session, 'write_file', { path: 'x/keep.txt', content: 'keep\n' }, { turn: 1 });
    await web.call(session, 'move_file', { from: 'm.txt', to: 'to.txt' }, { turn: 1 });
    await web.call(session, 'run_command', { command: `mv g.txt h; printf 'bin\\0' > b.bin` }, { turn: 2 });
    const { files } = await review(session);
    expect(files.map(({ path, op, from, binary }) => [path, op, from, binary])).toEqual([
      ['b.bin', 'create', undefined, true],
      ['h', 'move', 'g.txt', undefined],
      ['to.txt', 'move', 'm.txt', undefined],
      ['x/keep.txt', 'create', undefined, undefined],
      ['x/y/new.txt', 'create', undefined, undefined],
    ]);
    expect((await discard(session, { files: ['x/y/new.txt'] })).done).toBe(true);
    expect([existsSync(join(web.root, 'x/y')), textOf('x/keep.txt')]).toEqual([false, 'keep\n']);
    const all = await discard(session, { all: true });
    expect(all.files.map(({ state }) => state).join()).toBe('done,done,done,done');
    expect([textOf('g.txt'), textOf('m.txt')]).toEqual(['gone\n', 'moved\n']);
    expect(['b.bin', 'h', 'to.txt', 'x'].filter((path) => existsSync(join(web.root, path)))).toEqual([]);
    expect((await review(session)).files).toEqual([]);
  });

  test('what a person did themselves and what others did is not theirs to discard', async () => {
    const [session, other] = [await web.newSession(), await web.newSession()];
    writeText('w.txt', numbers());
    await web.call(session, 'write_file', { path: 'w.txt', content: numbers({ 1: 'agent' }) }, { turn: 1 });
    const foreign = { path: 'w.txt', content: numbers({ 1: 'agent', 9: 'other' }) };
    await web.call(other, 'write_file', foreign, { turn: 1 });
    const saved = { path: 'w.txt', content: numbers({ 1: 'agent', 9: 'other', 18: 'person' }) };
    const calls = `/sessions/${session}/calls`;
    await web.ask('POST', calls, { tool: 'read_file', args: { path: 'w.txt' } });
    await web.ask('POST', calls, { tool: 'write_file', args: saved, approve: true });
    expect(textOf('w.txt')).toBe(saved.content);
    expect((await discard(session, { all: true })).done).toBe(true);
    expect(textOf('w.txt')).toBe(numbers({ 9: 'other', 18: 'person' }));
  });
});

describe('the draft of a review', () => {
  test('is kept for each review by itself; a file that changed since is not viewed any more', async () => {
    const session = await web.newSession();
    await web.call(session, 'write_file', { path: 'd.txt', content: 'one\n' }, { turn: 1 });
    const [file] = (await review(session, 1)).files;
    const draft = {
      viewed: [`d.txt@${file?.digest}`],
      discard: [file?.hunks[0]?.id],
      edits: [],
      comments: [{ id: 'c1', path: 'd.txt', line: 1, side: 'new', text: 'why?' }],
    };
    const saved = await web.ask('PUT', `/sessions/${session}/review/draft`, { turn: 1, ...draft });
    expect(saved.status).toBe(204);
    const after = await review(session, 1);
    expect([after.draft, after.files[0]?.viewed]).toEqual([draft, true]);
    const other = await review(session);
    expect(other.draft).toEqual({ ...draft, discard: [], comments: [] });
    writeText('d.txt', 'one\nmine\n');
    await web.call(session, 'write_file', { path: 'd.txt', content: 'ONE\nmine\n' }, { turn: 1 });
    const changed = await review(session, 1);
    expect([changed.draft, changed.files[0]?.viewed]).toEqual([
      { viewed: [], discard: [], edits: [], comments: draft.comments },
      false,
    ]);
  });

  test('is nobody else’s business', async () => {
    const session = await web.newSession('ann');
    const empty = { turn: null, viewed: [], discard: [], edits: [], comments: [] };
    const output = await web.ask('GET', `/sessions/${session}/review`, undefined, 'bob');
    const saved = await web.ask('PUT', `/sessions/${session}/review/draft`, empty, 'bob');
    expect([output.status, saved.status]).toEqual([403, 403]);
  });
});
