// Text typed for one approval decides no other: not the next one, not after a failed answer, not after a reload.
import { readdirSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { card, ready } from '../support/approval-page.ts';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const isMessage = 'Not typed for this question: Enter sends it as a message. Edit it to answer.';

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('a text in the message field', () => {
  test('that answered one approval decides nothing about the next', async () => {
    await using web = await pageBench({ script: asksFor('0.txt', '1.txt', '2.txt') });
    const { page, field } = await start(web);
    await cardShown(page, '0.txt');
    await field.fill('yes');
    await page.getByText('Enter approves.').waitFor();
    await card(page).getByRole('button', { name: 'Approve', exact: true }).click();
    await cardShown(page, '1.txt');
    await page.getByText(isMessage).waitFor();
    await field.press('Enter');
    await page.getByText(isMessage).waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('');
    expect(await card(page).filter({ hasText: '1.txt' }).count()).toBe(1);
    // Reasons are bound as well.
    await field.fill('use a table instead');
    await page.getByText('Enter rejects with this reason.').waitFor();
    await card(page).getByRole('button', { name: 'Approve', exact: true }).click();
    await cardShown(page, '2.txt');
    await page.getByText(isMessage).waitFor();
    await field.fill('yes');
    await page.getByText('Enter approves.').waitFor();
    await page.reload();
    await cardShown(page, '2.txt');
    await page.getByText(isMessage).waitFor();
    expect(await field.inputValue()).toBe('yes');
    expect(readdirSync(web.gateway.root).sort()).toEqual(['0.txt', '1.txt']);
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });

  test('that could not be sent as an answer is none to the next approval', async () => {
    await using web = await pageBench({ script: asksFor('0.txt', '1.txt') });
    const { page, field } = await start(web);
    await cardShown(page, '0.txt');
    const decisions = '**/decisions';
    await page.route(decisions, (route) => route.abort());
    await field.fill('yes');
    await field.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('yes');
    await page.unroute(decisions);
    // The question is still there, and so is its answer.
    await page.getByText('Enter approves.').waitFor();
    const other = await web.open({ session: new URL(page.url()).hash.replace(/^#\//, '') });
    await cardShown(other, '0.txt');
    await card(other).getByRole('button', { name: 'Approve', exact: true }).click();
    await cardShown(page, '1.txt');
    await page.getByText(isMessage).waitFor();
    expect(await field.inputValue()).toBe('yes');
    expect(readdirSync(web.gateway.root)).toEqual(['0.txt']);
    expect([web.problems.filter((problem) => !problem.includes('ERR_FAILED')), web.gateway.faults]).toEqual([
      [],
      [],
    ]);
  });

  test('that names an offered answer gives it only to the question it was typed for', async () => {
    const script = scriptedModel((_request, step) => ({
      calls: [['prompt_user', { message: `Question ${step}?`, actions: ['left', 'right'] }]],
    }));
    await using web = await pageBench({ script });
    const { page, field } = await start(web);
    await cardShown(page, 'Question 0?');
    await field.fill('right');
    await page.getByText('Enter answers “right”.').waitFor();
    await card(page).getByRole('button', { name: 'left', exact: true }).click();
    await cardShown(page, 'Question 1?');
    await page.getByText(isMessage).waitFor();
    await field.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('');
    expect(await card(page).filter({ hasText: 'Question 1?' }).count()).toBe(1);
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });
});

function asksFor(...paths: string[]) {
  return scriptedModel((_request, step) => {
    const path = paths[step];
    return path === undefined ? { text: 'Done.' } : { calls: [['write_file', { path, content: 'x' }]] };
  });
}

async function start(web: PageBench): Promise<{ page: Page; field: Locator }> {
  const page = await web.open();
  const field = page.getByRole('textbox', { name: 'Message to the agent' });
  await field.fill('go on');
  await field.press('Enter');
  return { page, field };
}

async function cardShown(page: Page, text: string): Promise<void> {
  await card(page).filter({ hasText: text }).waitFor();
  await ready(page);
}
