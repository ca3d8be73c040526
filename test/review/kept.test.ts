import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodeLabAPI } from '@codelab/client';
import {
  inspect,
  type ReviewedChanges,
  readReview,
  readReviewDraft,
  writeReviewDraft,
} from '@codelab/runtime';
import { expect, test } from 'vitest';
import { pruneVersions } from '../../packages/runtime/src/review/keep-versions.ts';
import { webBench } from '../support/web-bench.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

const scope = { session: 's1', turn: 1 };

function review(bench: Workbench): Promise<ReviewedChanges> {
  return inspect(bench.host, { session: 's1' }, (context) => readReview(context, scope));
}

test('a draft outlives a restart, what a turn left tells the lines apart, and both go with the session', async () => {
  await using bench = await workbench({ mode: 'trusted', files: { 'a.txt': '1\n2\n3\n' } });
  const reviewFolder = join(bench.home, 'review');
  await bench.call('write_file', { path: 'a.txt', content: '1\nTWO\n3\n' }, { turn: 1 });
  writeFileSync(join(bench.root, 'a.txt'), '1\nTWO\n3\nmine\n');
  const shownReview = await review(bench);
  const [file] = shownReview.files;
  expect(file?.diff).toBe('--- a/a.txt\n+++ b/a.txt\n@@ -1,4 +1,4 @@\n 1\n-2\n+TWO\n 3\n mine\n');
  const draft = {
    viewed: [`a.txt@${file?.digest}`],
    discard: [file?.hunks[0]?.id ?? ''],
    edits: [],
    comments: [],
  };
  writeReviewDraft(bench.home, scope, draft);
  await bench.restart();
  expect(readReviewDraft(bench.home, scope, await review(bench))).toEqual(draft);
  const [folder = ''] = readdirSync(reviewFolder);
  expect(readdirSync(join(reviewFolder, folder)).sort()).toEqual(['draft.json', 'versions']);
  // Without the version that the turn left, nothing is guessed, and the file says so.
  rmSync(join(reviewFolder, folder, 'versions'), { recursive: true });
  expect((await review(bench)).files).toMatchObject([
    { path: 'a.txt', diff: '', gone: expect.stringContaining('not kept') },
  ]);
  await bench.log.delete('s1');
  expect(readdirSync(reviewFolder)).toEqual([]);
});

test('the lines of a call without a turn, as of a peer’s agent, are told apart from the user’s, too', async () => {
  await using bench = await workbench({ mode: 'trusted', files: { 'a.txt': '1\n2\n3\n' } });
  await bench.call('write_file', { path: 'a.txt', content: '1\nTWO\n3\n' });
  writeFileSync(join(bench.root, 'a.txt'), '1\nTWO\n3\nmine\n');
  const whole = { session: 's1', turn: null };
  const { files } = await inspect(bench.host, { session: 's1' }, (context) => readReview(context, whole));
  expect(files[0]?.diff).toBe('--- a/a.txt\n+++ b/a.txt\n@@ -1,4 +1,4 @@\n 1\n-2\n+TWO\n 3\n mine\n');
});

test('what was viewed in one review is viewed in every other that shows the same', async () => {
  await using bench = await workbench({ mode: 'trusted', files: { 'a.txt': '1\n', 'b.txt': '1\n2\n3\n' } });
  await bench.call('write_file', { path: 'a.txt', content: '2\n' }, { turn: 1 });
  await bench.call('write_file', { path: 'b.txt', content: 'ONE\n2\n3\n' }, { turn: 1 });
  await bench.call('write_file', { path: 'b.txt', content: 'ONE\n2\nTHREE\n' }, { turn: 2 });
  const wholeSession = { session: 's1', turn: null };
  const shownReview = await inspect(bench.host, { session: 's1' }, (context) =>
    readReview(context, wholeSession),
  );
  const marks = (await review(bench)).files.map(({ path, digest }) => `${path}@${digest}`);
  const empty = { viewed: [], discard: [], edits: [], comments: [] };
  writeReviewDraft(bench.home, scope, { ...empty, viewed: marks });
  const carried = readReviewDraft(bench.home, wholeSession, shownReview).viewed;
  // The session shows another change of b.txt.
  expect(carried).toEqual([marks[0]]);
  writeReviewDraft(bench.home, wholeSession, empty, carried);
  expect(readReviewDraft(bench.home, scope, await review(bench)).viewed).toEqual([marks[1]]);
});

test('kept versions are bounded: what is too old goes, then the oldest', async () => {
  await using bench = await workbench({ mode: 'trusted' });
  for (const [turn, text] of ['oldest', 'older', 'newest'].entries())
    await bench.call('write_file', { path: 'a.txt', content: text }, { turn: turn + 1 });
  const [session = ''] = readdirSync(join(bench.home, 'review'));
  const folder = join(bench.home, 'review', session, 'versions');
  const sizes = (): number => readdirSync(folder).length;
  expect(sizes()).toBe(3);
  for (const [age, name] of readdirSync(folder).entries()) {
    const at = Date.now() / 1000 - age * 24 * 60 * 60;
    utimesSync(join(folder, name), at, at);
  }
  await pruneVersions(bench.home, { days: 1.5, bytes: 1000 });
  expect(sizes()).toBe(2);
  await pruneVersions(bench.home, { days: 1.5, bytes: 6 });
  expect(sizes()).toBe(1);
});

test('the client library reviews, discards and commits with the words of the turn', async () => {
  await using web = await webBench({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', web.root, ...args], { encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.com');
  git('add', '.');
  git('commit', '-qm', 'one');
  const session = await web.newSession();
  const live = await web.http.bench.host.session(session);
  const turnStarted = {
    type: 'turn.started' as const,
    turn: 1,
    text: 'Please shout.',
    model: 'm',
    profile: 'build',
  };
  await live.commit(() => [turnStarted, { type: 'turn.ended', turn: 1, end: 'completed' }]);
  for (const name of ['a', 'b'])
    await web.call(
      session,
      'write_file',
      { path: `${name}.txt`, content: `${name.toUpperCase()}\n` },
      { turn: 1 },
    );
  const { review: client } = new CodeLabAPI({ url: web.http.url, token: 'ann' });
  const shownReview = await client.get(session, 1);
  expect(shownReview.commit).toEqual({ message: 'Shout', paths: ['a.txt', 'b.txt'] });
  await client.saveDraft(session, {
    turn: 1,
    viewed: [`a.txt@${shownReview.files[0]?.digest}`],
    discard: [],
    edits: [],
    comments: [],
  });
  expect((await client.get(session, 1)).files.map(({ viewed }) => viewed)).toEqual([true, false]);
  expect(await client.discard(session, { turn: 1, hunks: [], files: ['b.txt'] })).toMatchObject({
    done: true,
  });
  expect(await client.commit(session, { turn: 1, message: 'Shout' })).toMatchObject({
    branch: 'main',
    files_committed: 1,
  });
  expect(git('log', '-1', '--format=%s', '--name-only').trim().split(/\n+/)).toEqual(['Shout', 'a.txt']);
  expect(git('status', '--short')).toBe('');
  await expect(client.commit(session, { turn: 1, message: 'again' })).rejects.toMatchObject({
    code: 'GIT_ERROR',
  });
});
