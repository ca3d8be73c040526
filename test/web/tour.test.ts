// The first minute: what `npm start` serves, in a real browser, from the first message over reviewing, testing and undoing to the end of the tour.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../support/barriers.ts';
import { noBrowser, type OpenBrowser, openBrowser } from '../support/browser.ts';
import { notBuilt } from '../support/page-bench.ts';
import { type Sample, serveSample } from '../support/serve-sample.ts';

const project = join(import.meta.dirname, '../..');
const original = readFileSync(join(project, 'examples/hello-shop/src/cart.js'));
const stack = new AsyncDisposableStack();
const problems: string[] = [];
let sample: Sample;
let browser: OpenBrowser;

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('the tour', () => {
  beforeAll(async () => {
    sample = stack.use(await serveSample());
    browser = stack.use(await openBrowser());
  });
  afterAll(() => stack.disposeAsync());
  afterEach(() => expect(problems.splice(0)).toEqual([]));

  test('leads a newcomer from the first message to the undone edit, and does not come back', async () => {
    const page = await open();
    const card = tourCard(page);
    await card.getByText('Demo model: scripted, no AI').waitFor();
    // The tour does not take the focus from the message field.
    await expectFocus(page, 'Message to the agent');
    await card.getByRole('button', { name: 'Send it' }).click();
    await card.getByRole('heading', { name: 'See it before it happens' }).waitFor();
    await page.getByRole('button', { name: 'Review hunks…' }).click();
    await page.getByRole('checkbox', { name: 'Select hunk 2' }).uncheck();
    expect(cart()).toEqual(original);
    await page.getByRole('button', { name: 'Apply selected' }).click();
    await card.getByRole('heading', { name: 'See what a command does' }).waitFor();
    expect(cart().toString()).toContain('line.quantity + quantity');
    expect(cart().toString()).not.toContain('line.price * line.quantity');
    await page.locator('[data-approval]').getByRole('button', { name: 'Approve' }).click();
    await card.getByRole('heading', { name: 'See the result' }).waitFor();
    await page.getByRole('log').getByText('still fail').waitFor();
    await card.getByRole('button', { name: 'Next' }).click();
    // The tour continues where it was after a reload.
    await page.reload();
    await card.getByRole('button', { name: 'Undo the edit' }).click();
    await card.getByRole('heading', { name: 'That’s it' }).waitFor();
    expect(cart()).toEqual(original);
    await card.getByRole('button', { name: 'Done' }).click();
    await card.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('log').getByText('That was the tour.').waitFor();
    expect(await card.count()).toBe(0);
    await page.close();
  });

  test('is there again from the palette, in Chinese too, and goes with Escape', async () => {
    const page = await open({ locale: 'zh-CN' });
    // The gateway has a session already: the latest one is on the screen.
    expect(await tourCard(page).count()).toBe(0);
    await page.getByRole('log').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: '查找命令…' }).fill('导览');
    await page.getByRole('option', { name: '开始导览' }).click();
    const card = tourCard(page);
    await card.getByRole('heading', { name: '提出一个请求' }).waitFor();
    await page.getByRole('main').focus();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('main').waitFor();
    expect(await card.count()).toBe(0);
    await page.close();
  });

  test.each([
    { viewport: { width: 390, height: 844 }, colorScheme: 'light' as const },
    { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const },
  ])('has no serious barrier, wide and narrow', async (options) => {
    const page = await open(options);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find a command…' }).fill('tour');
    await page.getByRole('option', { name: 'Take the tour' }).click();
    await tourCard(page).getByRole('button', { name: 'Send it' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.close();
  });
});

async function open(options: Parameters<OpenBrowser['page']>[0] = {}): Promise<Page> {
  const page = await browser.page({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    ...options,
  });
  page.setDefaultTimeout(12_000);
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(sample.url);
  // The link signs in and then leads to the app: a key that is pressed before is lost.
  await page.waitForURL((url) => url.pathname === '/' && url.search === '');
  await page.getByRole('main').waitFor();
  return page;
}

function tourCard(page: Page) {
  return page.locator('[data-tour]');
}

function cart(): Buffer {
  return readFileSync(join(sample.folder, 'src/cart.js'));
}

async function expectFocus(page: Page, label: string): Promise<void> {
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(label);
}
