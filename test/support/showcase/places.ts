// Every view of the web IDE with something in it: how a person gets there, on a wide screen and on a phone.
import type { Page } from 'playwright-core';
import { goToPlace } from '../go-to-place.ts';

export type Place = {
  name: string;
  /** Leaves the page with the view on it, and nothing of it still loading. */
  go(page: Page, isPhone: boolean): Promise<void>;
};

/** An answer of a card: a button, on a phone perhaps one of the menu beside them. */
async function answer(page: Page, name: string): Promise<void> {
  const card = page.locator('[data-approval]').first();
  const button = card.getByRole('button', { name });
  if ((await button.count()) > 0) return button.click();
  await card.getByRole('button', { name: 'Other answers' }).click();
  await page.getByRole('menuitem', { name }).click();
}

/** A view of the right panel: a tab there, on a phone one of the bottom bar. */
async function side(page: Page, isPhone: boolean, name: string): Promise<void> {
  if (isPhone) await goToPlace(page, name);
  else await page.getByRole('tab', { name }).click();
}

async function conversation(page: Page): Promise<void> {
  await goToPlace(page, 'Conversation');
  await page.locator('[data-approval]').first().waitFor();
}

async function openFile(page: Page, isPhone: boolean): Promise<void> {
  if (isPhone) await goToPlace(page, 'Files');
  await page.getByRole('treeitem', { name: 'src' }).first().waitFor();
  const row = (name: string) => page.getByRole('treeitem', { name, exact: false });
  for (const [folder, inside] of [
    ['src', 'server.js'],
    ['http', 'rate-limit.js'],
  ] as const) {
    if ((await row(inside).count()) === 0) await row(folder).first().click();
    await row(inside).waitFor();
  }
  await row('rate-limit.js').click();
  await page.getByRole('textbox', { name: 'Text of src/http/rate-limit.js' }).waitFor();
}

async function sessions(page: Page): Promise<void> {
  const list = page.getByRole('list', { name: 'Your sessions' });
  if (!(await list.isVisible())) await goToPlace(page, 'Sessions');
  await list.getByRole('button', { name: /^Coupons that expire/ }).waitFor();
}

async function changes(page: Page, isPhone: boolean): Promise<void> {
  await side(page, isPhone, 'Changes');
  const changeRow = page.getByTitle(/^Show what changed: .*server\.js/).first();
  await changeRow.waitFor();
  if (isPhone) return;
  await changeRow.click();
  await page.getByRole('article').getByText('createRateLimit').first().waitFor();
}

export const places: readonly Place[] = [
  { name: 'conversation', go: conversation },
  {
    name: 'review',
    async go(page) {
      await conversation(page);
      await answer(page, 'Review hunks…');
      await page.getByRole('checkbox', { name: 'Select hunk 2' }).uncheck();
    },
  },
  {
    name: 'always',
    async go(page) {
      await conversation(page);
      await answer(page, 'Always…');
      await page.getByRole('dialog').getByText('Applies to').waitFor();
    },
  },
  { name: 'editor', go: openFile },
  { name: 'changes', go: changes },
  {
    name: 'processes',
    async go(page, isPhone) {
      await side(page, isPhone, 'Processes');
      await page.locator('.xterm-rows').getByText('listening').waitFor();
    },
  },
  {
    name: 'context',
    async go(page, isPhone) {
      await side(page, isPhone, 'Context');
      await page.getByText('README.md').first().waitFor();
    },
  },
  {
    name: 'todo',
    async go(page, isPhone) {
      await side(page, isPhone, 'Todo');
      await page.getByText('Money in whole cents').first().waitFor();
    },
  },
  { name: 'sessions', go: sessions },
  {
    name: 'audit',
    async go(page, isPhone) {
      await side(page, isPhone, 'Audit');
      await page.getByRole('group', { name: 'Timeline of calls' }).waitFor();
      if (isPhone) return;
      await page.getByRole('button', { name: 'Open in a tab' }).click();
      await page.getByRole('main').getByRole('group', { name: 'Timeline of calls' }).waitFor();
      await page.getByRole('tab', { name: 'Todo' }).click();
    },
  },
  {
    name: 'usage',
    async go(page) {
      await goToPlace(page, 'Usage');
      await page.getByRole('heading', { name: 'By session' }).waitFor();
    },
  },
  {
    name: 'settings',
    async go(page) {
      await goToPlace(page, 'Settings');
      await page.getByRole('list', { name: 'Rules' }).waitFor();
    },
  },
  {
    name: 'waiting',
    async go(page) {
      await goToPlace(page, 'Waiting');
      await page.getByRole('button', { name: 'Open', exact: false }).nth(2).waitFor();
    },
  },
  {
    name: 'palette',
    async go(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
    },
  },
];
