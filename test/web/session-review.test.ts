// The review after the fact in a real browser: a task of twelve edits and six commands in review mode with one question, reviewed with
// two comments and one discarded hunk, and committed. The page is reloaded in the middle of every step, and nothing is lost.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Effect, Outcome } from '@codelab/protocol';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { card, ready } from '../support/approval-page.ts';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { goToPlace } from '../support/go-to-place.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';
import { newRepository, type RealGit } from '../support/real-git.ts';
import { scriptedModel } from '../support/scripted-model.ts';

type Call = [tool: string, args: Record<string, unknown>];

const lines = (name: string): string =>
  Array.from({ length: 40 }, (_, i) => `export const ${name}${i} = ${i};\n`).join('');
const names = ['alpha', 'beta', 'gamma', 'delta'];
const edit = (name: string, at: number): Call => [
  'edit_file',
  { path: `src/${name}.js`, old_string: `${name}${at} = ${at};`, new_string: `${name}${at} = ${at} * 2;` },
];
const run = (command: string): Call => ['run_command', { command }];
const replies: { text?: string; calls?: Call[] }[] = [
  { calls: [...names.map((name) => edit(name, 3)), edit('alpha', 30), edit('beta', 30)] },
  { calls: [run('ls src'), run('cp src/alpha.js src/copied.js'), run('sort -r names.txt -o names.txt')] },
  {
    calls: [
      edit('gamma', 30),
      edit('delta', 30),
      ['write_file', { path: 'src/new.js', content: 'export const fresh = 1;\n' }],
      ['write_file', { path: 'docs/notes.md', content: '# Notes\n' }],
      ['write_file', { path: 'package.json', content: '{ "scripts": { "test": "node --test" } }\n' }],
      ['delete_file', { path: 'old.txt' }],
    ],
  },
  {
    calls: [
      run('wc -l src/alpha.js'),
      run('mkdir -p out && echo built > out/result.txt'),
      run('cat names.txt'),
    ],
  },
  { text: 'All doubled.' },
  { calls: [edit('alpha', 10)] },
  { text: 'Both are addressed.' },
];

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('a review after the fact', () => {
  let web: PageBench;
  let git: RealGit;
  let page: Page;
  const script = scriptedModel(replies);
  beforeAll(async () => {
    web = await pageBench({
      mode: 'review',
      script,
      files: {
        ...Object.fromEntries(names.map((name) => [`src/${name}.js`, lines(name)])),
        'names.txt': 'a\nb\nc\n',
        'old.txt': 'old\n',
        'package.json': '{ "scripts": {} }\n',
      },
      prepare(root) {
        git = newRepository(root);
        git('add', '.');
        git('commit', '--quiet', '-m', 'first');
      },
    });
    page = await web.open();
  });
  afterAll(() => web[Symbol.asyncDispose]());

  const disk = (path: string): string => readFileSync(join(web.gateway.root, path), 'utf8');
  const review = (): Locator => page.getByRole('region', { name: 'Review changes' });
  const list = (): Locator => page.locator('[data-review-list]');
  const status = (text: string | RegExp): Promise<void> =>
    review().getByText(text, { exact: true }).waitFor();

  test('a task of twelve edits and six commands has one question, and offers its review without leaving the answer', async () => {
    await page.getByRole('button', { name: 'Mode: Let it work, then review' }).waitFor();
    await page.getByLabel('Message to the agent').fill('Double every constant');
    await page.keyboard.press('Enter');
    await card(page).waitFor();
    await page.reload();
    await card(page).waitFor();
    await page.keyboard.press('Alt+a');
    await ready(page);
    await page.keyboard.press('a');
    const prompt = page.getByRole('button', { name: 'Review 11 files' });
    await prompt.waitFor();
    expect(script.requests.length).toBe(5);
    // The answer stays on the screen until somebody asks for the review.
    await page.getByRole('log').getByText('All doubled.').waitFor();
    expect(await review().count()).toBe(0);
    await prompt.click();
    await review().waitFor();
    expect(await page.getByLabel('What to review').inputValue()).toBe('1');
  });

  test('files are marked as viewed, and lines commented on, by keyboard and by click', async () => {
    await list().focus();
    await page.keyboard.press('v');
    await status('1 of 11 viewed');
    await page.reload();
    await status('1 of 11 viewed');
    await review()
      .getByRole('navigation')
      .getByRole('button', { name: /src\/alpha\.js/ })
      .click();
    await list().focus();
    await page.keyboard.press('c');
    const field = list().getByLabel('What should be different here?');
    await field.pressSequentially('Name the factor.');
    // In the middle of writing it.
    await page.reload();
    await list().getByText('Name the factor.').waitFor();
    await list().getByRole('button', { name: 'Comment on line 31' }).first().click();
    await field.fill('Why this one?');
    await page.keyboard.press('Control+Enter');
    await status('11 files · 2 comments');
    await page.reload();
    await status('11 files · 2 comments');
    expect(await barriers(page)).toEqual([]);
  });

  test('a hunk is discarded, brought back, and discarded again', async () => {
    const mark = async (): Promise<void> => {
      const file = review()
        .getByRole('navigation')
        .getByRole('button', { name: /src\/beta\.js/ });
      await file.click();
      await file.and(page.locator('[aria-current=true]')).waitFor();
      await list().focus();
      await page.keyboard.press('d');
      await review().getByRole('button', { name: 'Discard 1 hunk' }).waitFor();
    };
    await mark();
    await status('11 files · 1 hunk to discard · 2 comments');
    await page.reload();
    await status('11 files · 1 hunk to discard · 2 comments');
    const discard = review().getByRole('button', { name: 'Discard 1 hunk' });
    await discard.click();
    await status(/^Discarded 1 change in src\/beta\.js\. \d+ changes kept\.$/);
    expect(disk('src/beta.js')).toBe(doubled('beta', [30]));
    await review().getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => disk('src/beta.js')).toBe(doubled('beta', [3, 30]));
    await page.getByText('The discarded changes are restored.').waitFor();
    // Brought back, it is not marked any more.
    await status('11 files · 2 comments');
    await mark();
    await discard.click();
    await status(/^Discarded 1 change in src\/beta\.js\. \d+ changes kept\.$/);
    await page.reload();
    await status('11 files · 2 comments');
    expect(disk('src/beta.js')).toBe(doubled('beta', [30]));
  });

  test('comments go to the agent as one message, and its answer is reviewed', async () => {
    await review().getByRole('button', { name: 'Send 2 comments to the agent' }).click();
    await page.getByRole('button', { name: 'Review 1 file' }).click();
    // The model learned of the person's discard and undo, which are no turn.
    await expect.poll(() => page.getByLabel('What to review').inputValue()).toBe('2');
    expect(JSON.stringify(script.requests[5]?.messages)).toContain(
      '[The user discarded changes to: src/beta.js',
    );
    const requestText = JSON.stringify(script.requests[5]?.messages.at(-1));
    expect(requestText).toContain('src/alpha.js:4');
    expect(requestText).toContain('Name the factor.');
    expect(requestText).toContain('src/alpha.js:31');
    expect(requestText).toContain('Why this one?');
    await page.reload();
    await review().getByText('1 file', { exact: true }).waitFor();
  });

  test('what is left is committed with the message that was typed', async () => {
    await page.getByLabel('What to review').selectOption('Whole session');
    await status('11 files');
    const commit = review().getByRole('button', { name: 'Commit…' });
    await commit.click();
    const dialog = page.getByRole('dialog', { name: 'Commit these changes' });
    const message = dialog.getByLabel('Commit message');
    expect(await message.inputValue()).toContain('Double every constant');
    await message.fill('Double the constants');
    await page.reload();
    await commit.click();
    expect(await message.inputValue()).toBe('Double the constants');
    await dialog.getByRole('button', { name: 'Commit', exact: true }).click();
    await page.getByText('Committed as').waitFor();
    expect(git('log', '-1', '--format=%s').trim()).toBe('Double the constants');
    expect(git('show', 'HEAD:src/beta.js')).toBe(doubled('beta', [30]));
    expect(git('status', '--porcelain')).toBe('');
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });

  test('a turn that was interrupted is reviewed when it is finished, also when another one follows at once', async () => {
    const session = await web.session('Interrupted');
    const live = await web.gateway.running.gateway.host.session(session);
    const turnFields = { model: 'demo', profile: 'build', text: 'Go' };
    const call = { id: 'i1', session, tool: 'write_file', args: {}, dialect: 'codelab' as const, turn: 1 };
    const state = { type: 'file' as const, size: 1, mode: 0o644 };
    const effects: Effect[] = [
      { op: 'mkdir', path: 'made', before: null, after: { ...state, type: 'directory' } },
      { op: 'create', path: 'made/a.txt', before: null, after: state },
    ];
    const outcome: Outcome = {
      ...{ status: 'completed', callId: 'i1', tool: 'write_file', startedAt: 0, durationMs: 1, data: {} },
      effects,
    };
    // The gateway finishes a turn by itself that it finds interrupted when a page comes.
    await page.goto(new URL(`/#/${session}`, page.url()).href);
    await page.getByRole('banner').getByText('Interrupted').waitFor();
    await goToPlace(page, 'Conversation');
    await live.commit(() => [
      { type: 'turn.started', turn: 1, ...turnFields },
      { type: 'call.received', call },
      { type: 'call.finished', callId: 'i1', outcome, turn: 1 },
    ]);
    await page.getByRole('log').locator('[data-call]').waitFor();
    await live.commit(() => [
      { type: 'turn.ended', turn: 1, end: 'completed' },
      { type: 'turn.started', turn: 2, ...turnFields },
      { type: 'turn.ended', turn: 2, end: 'completed' },
    ]);
    // Folders are not counted.
    const prompt = page.getByRole('button', { name: 'Review 1 file' });
    await prompt.waitFor();
    // The review offers nothing once all changes are undone.
    const undo = { id: 'u1', session, tool: 'undo', args: {}, dialect: 'codelab' as const };
    const removed: Effect[] = [{ op: 'delete', path: 'made/a.txt', before: state, after: null }];
    await live.commit(() => [
      { type: 'call.received', call: undo },
      {
        type: 'call.finished',
        callId: 'u1',
        outcome: { ...outcome, callId: 'u1', tool: 'undo', effects: removed },
      },
    ]);
    await prompt.waitFor({ state: 'detached' });
  });
});

function doubled(name: string, at: readonly number[]): string {
  return at.reduce((text, i) => text.replace(`${name}${i} = ${i};`, `${name}${i} = ${i} * 2;`), lines(name));
}
