// Going back in a conversation: an earlier message sent again on a branch, what the branches are called, and what the tree shows of each.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';
import { newRepository } from '../support/real-git.ts';
import { scriptedModel } from '../support/scripted-model.ts';

/** `write PATH` writes a file, anything else is repeated. */
const script = scriptedModel((request) => {
  const last = request.messages.at(-1);
  const message = last?.role === 'user' ? last.text : '';
  const path = /^write (\S+)/.exec(message)?.[1];
  if (path === undefined) return { text: `Answer to: ${message}` };
  return { text: '', calls: [['write_file', { path, content: message }]] };
});

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('branches', { timeout: 60_000 }, () => {
  let web: PageBench;
  beforeAll(async () => {
    web = await pageBench({
      script,
      mode: 'trusted',
      files: { 'a.txt': 'old\n' },
      prepare(root) {
        const git = newRepository(root);
        git('add', '.');
        git('commit', '--quiet', '-m', 'first');
      },
    });
  });
  afterAll(async () => await web[Symbol.asyncDispose]());

  test('an earlier message is edited and sent on a branch; files, tree and marks go along with every switch', async () => {
    const page = await web.open({ session: await web.session() });
    const log = page.getByRole('log');
    await sendMessage(page, 'hello there');
    await log.getByText('Answer to: hello there').waitFor();
    await sendMessage(page, 'write a.txt');
    await log.getByText('Answer to:').nth(1).waitFor();
    await sendMessage(page, 'write new.txt');
    await treeItem(page, /^new\.txt.*new/).waitFor();
    await treeItem(page, /^a\.txt.*changed/).waitFor();
    await log.getByText('Answer to:').nth(2).waitFor();
    await edit(log.getByRole('article', { name: 'You' }).nth(1), 'tell me otherwise');
    const undo = log.getByRole('checkbox', {
      name: 'Also undo the changes to 2 files made since (a.txt, new.txt)',
    });
    expect(await undo.isChecked()).toBe(true);
    await log.getByRole('button', { name: 'Send on a new branch' }).click();
    await treeItem(page, /^new\.txt/).waitFor({ state: 'detached' });
    await treeItem(page, /^a\.txt$/).waitFor();
    await log.getByText('Answer to: tell me otherwise').waitFor();
    await log.getByText('Answer to: hello there').waitFor();
    expect(content('a.txt')).toBe('old\n');
    await page.getByRole('button', { name: 'Redo the changes' }).click();
    await treeItem(page, /^new\.txt.*not in the last commit/).waitFor();
    await treeItem(page, /^a\.txt.*changed since the last commit/).waitFor();
    expect(content('a.txt')).toBe('write a.txt');
    await log.getByRole('button', { name: 'Previous branch' }).click();
    await log.getByText('Branch 1 of 2').waitFor();
    // An undo is shown as an event, not as a message of the person.
    await log.getByText('Undone: ').waitFor();
    expect(await log.getByRole('article', { name: 'You' }).count()).toBe(3);
    expect(web.problems).toEqual([]);
  });

  test('branches are named after the message where they part, and lists mark the one on the screen', async () => {
    const page = await web.open({ session: await web.session() });
    const log = page.getByRole('log');
    await sendMessage(page, 'Sort by date');
    await log.getByText('Answer to: Sort by date').waitFor();
    await edit(log.getByRole('article', { name: 'You' }), 'Sort by name');
    await log.getByRole('button', { name: 'Send on a new branch' }).click();
    await log.getByText('Answer to: Sort by name').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Sort by name' }).waitFor();
    // The first message has nothing before it to continue from.
    expect(await log.getByText('This session continues another one').count()).toBe(0);
    const answer = log.getByRole('article', { name: 'Agent' });
    await answer.hover();
    await answer.getByRole('button', { name: 'Retry on a branch' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sort by name (2)' }).waitFor();
    await log.getByRole('button', { name: 'Branch 3 of 3' }).click();
    const items = page.getByRole('menuitem');
    await items.nth(2).waitFor();
    expect(await items.allInnerTexts()).toEqual(['Sort by date', 'Sort by name', 'Sort by name (2)']);
    expect(await barriers(page)).toEqual([]);
    await items.nth(1).click();
    await log.getByText('Branch 2 of 3').waitFor();
    // The arrows end at the first and the last branch, and stay where they are.
    const [back, on] = ['Previous branch', 'Next branch'].map((name) => log.getByRole('button', { name }));
    const place = (await on?.boundingBox())?.x;
    await on?.click();
    await log.getByText('Branch 3 of 3').waitFor();
    expect([await back?.isEnabled(), await on?.isEnabled()]).toEqual([true, false]);
    expect((await on?.boundingBox())?.x).toBe(place);
    await back?.click();
    await log.getByText('Branch 2 of 3').waitFor();
    await back?.click();
    await log.getByText('Branch 1 of 3').waitFor();
    expect([await back?.isEnabled(), await on?.isEnabled()]).toEqual([false, true]);
    expect((await on?.boundingBox())?.x).toBe(place);
    await on?.click();
    await log.getByText('Branch 2 of 3').waitFor();
    await page.getByRole('button', { name: 'Sessions' }).click();
    const open = page.getByRole('list', { name: 'Your sessions' }).locator('[aria-current=page]');
    await expect.poll(() => open.allInnerTexts()).toHaveLength(1);
    expect(await open.innerText()).toMatch(/^Sort by name\n/);
    expect(web.problems).toEqual([]);
  });

  test('the arrows stay under the pointer and keep the focus from branch to branch, however long each is', async () => {
    const page = await web.open({ session: await web.session(), viewport: { width: 1440, height: 700 } });
    const log = page.getByRole('log');
    for (const text of [...[1, 2, 3, 4].map((n) => `Before ${n}\n${'and more\n'.repeat(6)}`), 'short']) {
      await sendMessage(page, text);
      await log.getByText(`Answer to: ${text.slice(0, 8)}`).waitFor();
    }
    for (const name of [`long ${'of many words\n'.repeat(60)}`, 'of two\nlines']) {
      await edit(log.getByRole('article', { name: 'You' }).last(), name);
      await log.getByRole('button', { name: 'Send on a new branch' }).click();
      await log.getByText(`Answer to: ${name.slice(0, 6)}`).waitFor();
    }
    const [back, on] = ['Previous branch', 'Next branch'].map((name) => log.getByRole('button', { name }));
    await log.getByRole('button', { name: 'Branch 3 of 3' }).scrollIntoViewIfNeeded();
    await back?.hover();
    const { x = 0, y = 0 } = (await back?.boundingBox()) ?? {};
    const isHeld = () =>
      expect.poll(async () => Math.abs(((await back?.boundingBox())?.y ?? 0) - y)).toBeLessThan(2);
    for (const number of [2, 1]) {
      await page.mouse.click(x + 12, y + 12);
      await log.getByRole('button', { name: `Branch ${number} of 3` }).waitFor();
      await isHeld();
    }
    // By keyboard as well.
    await on?.focus();
    for (const number of [2, 3]) {
      await page.keyboard.press('Enter');
      await log.getByRole('button', { name: `Branch ${number} of 3` }).waitFor();
      await isHeld();
      await page.locator(number === 2 ? '[data-arrow=next]:focus' : '[data-fork] :focus').waitFor();
    }
    expect(web.problems).toEqual([]);
  });

  test('a branch whose title would be cut before the edit is named after the other words', async () => {
    const page = await web.open({ session: await web.session() });
    const log = page.getByRole('log');
    const long =
      'Rename every function of the module that computes the totals of a cart so that it begins with';
    await sendMessage(page, `${long} sum`);
    await log.getByText(`Answer to: ${long} sum`).waitFor();
    await edit(log.getByRole('article', { name: 'You' }), `${long} total`);
    await log.getByRole('button', { name: 'Send on a new branch' }).click();
    await page.getByRole('heading', { level: 1, name: '… total' }).waitFor();
    expect(web.problems).toEqual([]);
  });

  test('the review of a branch says which changes of its parent are still in the files, and leads to them', async () => {
    const page = await web.open({ session: await web.session() });
    const log = page.getByRole('log');
    await sendMessage(page, 'write parent.txt');
    await log.getByText('Answer to:').waitFor();
    await edit(log.getByRole('article', { name: 'You' }), 'try otherwise');
    await log.getByRole('checkbox', { name: /^Also undo the changes/ }).uncheck();
    await log.getByRole('button', { name: 'Send on a new branch' }).click();
    await log.getByText('Answer to: try otherwise').waitFor();
    await page.getByRole('textbox', { name: 'Message to the agent' }).blur();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    const review = page.getByRole('region', { name: 'Review changes' });
    await review.getByText('Nothing to review').waitFor();
    const note = review.getByRole('list', { name: 'Changes of other branches' }).getByRole('listitem');
    await note
      .getByText('1 file changed on the branch “write parent.txt” is still in the workspace.')
      .waitFor();
    await note.getByRole('button', { name: 'Review that branch' }).click();
    await review.getByRole('checkbox', { name: 'Keep all of parent.txt' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'write parent.txt' }).waitFor();
    expect(web.problems).toEqual([]);
  });

  test('the latest message shows its actions always, an earlier one for the pointer, the keyboard and a finger', async () => {
    const session = await web.session();
    const page = await web.open({ session });
    const log = page.getByRole('log');
    await sendMessage(page, 'one');
    await log.getByText('Answer to: one').waitFor();
    await sendMessage(page, 'two');
    await log.getByText('Answer to: two').waitFor();
    const [first, second] = [0, 1].map((at) => log.getByRole('article', { name: 'You' }).nth(at));
    await page.getByRole('textbox', { name: 'Message to the agent' }).hover();
    await expect.poll(() => shownActions(second)).toBeGreaterThan(0.5);
    await expect.poll(() => shownActions(first)).toBe(0);
    await editButton(first).focus();
    await expect.poll(() => shownActions(first)).toBe(1);
    await page.keyboard.press('Enter');
    await log.getByRole('textbox', { name: 'Edit and resend' }).waitFor();
    await page.close();
    const phone = await web.open({
      session,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await expect
      .poll(() => shownActions(phone.getByRole('log').getByRole('article', { name: 'You' }).last()))
      .toBe(1);
    expect(web.problems).toEqual([]);
  });

  function content(path: string): string {
    return readFileSync(join(web.gateway.root, path), 'utf8');
  }
});

async function sendMessage(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message to the agent' });
  await field.fill(text);
  await field.press('Enter');
}

function treeItem(page: Page, name: RegExp): Locator {
  return page.getByRole('tree', { name: 'Files of the workspace' }).getByRole('treeitem', { name });
}

function editButton(message: Locator | undefined): Locator {
  if (message === undefined) throw new Error('There is no such message.');
  return message.getByRole('button', { name: 'Edit and resend' });
}

async function edit(message: Locator, text: string): Promise<void> {
  await editButton(message).focus();
  await editButton(message).press('Enter');
  await message.getByRole('textbox', { name: 'Edit and resend' }).fill(text);
}

type StyledPage = { getComputedStyle(element: object): { opacity: string } };

/** The opacity of a message's actions. */
async function shownActions(message: Locator | undefined): Promise<number> {
  return await editButton(message).evaluate((button) => {
    const { parentElement } = button as unknown as { parentElement: object };
    return Number((globalThis as unknown as StyledPage).getComputedStyle(parentElement).opacity);
  });
}
