// A person's own terminal in the page, in a real browser: typed into, found again after a reload, ended by `exit`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, pageBench } from '../support/page-bench.ts';
import { plainShell } from '../support/person-terminal.ts';

const panel = (page: Page): Locator => page.getByRole('region', { name: 'Terminal', exact: true });
const rows = (page: Page): Locator => panel(page).locator('.xterm-rows');

async function type(page: Page, line: string): Promise<void> {
  await panel(page).locator('textarea').focus();
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
}

const reason = noBrowser ?? notBuilt ?? (process.platform === 'linux' ? undefined : 'Linux only');

describe.skipIf(reason !== undefined)('the terminal', { timeout: 90_000 }, () => {
  test('runs what is typed, is there after a reload, and closes with `exit`', async () => {
    plainShell();
    await using web = await pageBench();
    const page = await web.open();
    await page.keyboard.press('Control+`');
    await panel(page).locator('textarea').waitFor({ state: 'attached' });
    await type(page, 'echo made-$((20+3)) > made.txt; cat made.txt; pwd');
    await rows(page).getByText('made-23').first().waitFor();
    expect(existsSync(join(web.gateway.root, 'made.txt'))).toBe(true);
    expect(await barriers(page)).toEqual([]);
    await page.reload();
    await rows(page).getByText('made-23').first().waitFor();
    // The same shell, not another one.
    await type(page, 'echo again-$((30+4))');
    await rows(page).getByText('again-34').first().waitFor();
    await rows(page).getByText('made-23').first().waitFor();
    await panel(page).getByRole('button', { name: 'New terminal' }).click();
    await panel(page).getByRole('tab').nth(1).waitFor();
    await type(page, 'echo second-$((1+1)); exit');
    await panel(page).getByRole('tab').nth(1).waitFor({ state: 'detached' });
    await rows(page).getByText('again-34').first().waitFor();
    await type(page, 'exit 7');
    await panel(page).getByText('The shell exited with code 7.').waitFor();
    await panel(page).getByRole('button', { name: 'Close' }).click();
    await panel(page).waitFor({ state: 'detached' });
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });

  test('is shown and hidden by its key and the palette, follows its size, copies and pastes', async () => {
    plainShell();
    await using web = await pageBench();
    const page = await web.open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('show or hide the terminal');
    await page.keyboard.press('Enter');
    await panel(page).locator('textarea').waitFor({ state: 'attached' });
    const height = async (): Promise<number> => {
      await type(page, 'clear; stty size');
      const answer = rows(page).getByText(/^\d+ \d+$/);
      await answer.first().waitFor();
      return Number((await answer.last().innerText()).split(' ')[0]);
    };
    // The shell starts in a terminal of the usual size, which is fitted to the panel a moment later.
    let before = 0;
    const isSettled = async (): Promise<boolean> => {
      const earlier = before;
      before = await height();
      return before === earlier;
    };
    await expect.poll(isSettled).toBe(true);
    const line = page.getByRole('separator', { name: 'Height of the terminal' });
    await line.focus();
    for (let at = 0; at < 6; at++) await page.keyboard.press('ArrowUp');
    await expect.poll(height).toBeGreaterThan(before + 3);
    await page.evaluate("navigator.clipboard.writeText('echo pasted-$((7*7))')");
    await panel(page).locator('textarea').focus();
    await page.keyboard.press('Control+v');
    await page.keyboard.press('Enter');
    const answer = rows(page).getByText('pasted-49').first();
    await answer.waitFor();
    await answer.dblclick({ force: true });
    await page.keyboard.press('Control+Shift+c');
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain('pasted');
    // The keyboard is not caught: the key that opened it closes it.
    await panel(page).locator('textarea').focus();
    await page.keyboard.press('Control+`');
    await panel(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+`');
    await rows(page).getByText('pasted-49').first().waitFor();
    expect(web.problems).toEqual([]);
  });

  test('shows the end of what prints without end, and stays usable', async () => {
    plainShell();
    await using web = await pageBench();
    const page = await web.open();
    await page.keyboard.press('Control+`');
    await panel(page).locator('textarea').waitFor({ state: 'attached' });
    await type(page, 'seq 1 400000; echo whole-$((2+3))');
    await rows(page).getByText('whole-5').first().waitFor({ timeout: 60_000 });
    await rows(page).getByText('400000').first().waitFor();
    await type(page, 'yes');
    await rows(page).getByText(/^y$/).first().waitFor();
    await page.keyboard.press('Control+c');
    await type(page, 'echo still-$((4+4))');
    await rows(page).getByText('still-8').first().waitFor({ timeout: 30_000 });
    expect(web.problems).toEqual([]);
  });

  test('says why there is none where it is switched off', async () => {
    plainShell();
    await using web = await pageBench({ files: { '.codelab/config.json': '{"terminal": false}' } });
    const page = await web.open();
    await page.keyboard.press('Control+`');
    await panel(page)
      .getByText(/switched off by .terminal. in config.json/)
      .waitFor();
    expect(await barriers(page)).toEqual([]);
  });
});
