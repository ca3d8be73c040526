// The reliability of the web IDE: a gateway that dies in the middle of an approval, and a phone with all functions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { goToPlace } from '../support/go-to-place.ts';
import { notBuilt, pageBench } from '../support/page-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { serveSample } from '../support/serve-sample.ts';

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('the web IDE', () => {
  test('a gateway killed while it asks: the page comes back, the question waits, the turn goes on', async () => {
    await using sample = await serveSample();
    await using browser = await openBrowser();
    const page = await browser.page({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.setDefaultTimeout(15_000);
    await page.goto(sample.url);
    await page.locator('[data-tour]').getByRole('button', { name: 'Skip' }).click();
    await sendMessage(page, 'Fix the shop and run its tests');
    const card = page.locator('[data-approval]');
    await card.getByText('cart.js').first().waitFor();
    const approvalId = await card.getAttribute('data-approval');
    const file = join(sample.folder, 'src/cart.js');
    const before = readFileSync(file);
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('half a thou');
    await sample.killAndStart();
    await page.getByText('Connection lost').waitFor({ state: 'hidden' });
    expect(await card.getAttribute('data-approval')).toBe(approvalId);
    expect(readFileSync(file)).toEqual(before);
    await card.getByRole('button', { name: 'Approve' }).click();
    await page
      .locator('[data-approval]', { hasText: 'test' })
      .getByRole('button', { name: 'Approve' })
      .waitFor();
    expect(readFileSync(file, 'utf8')).toContain('line.price * line.quantity');
    // Once more, between two questions of the same turn, and with a page that is loaded anew.
    await sample.killAndStart();
    await page.reload();
    await card.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('log').getByText('all 7 pass').waitFor();
    expect(await page.getByRole('textbox', { name: 'Message to the agent' }).inputValue()).toBe(
      'half a thou',
    );
    expect(faults).toEqual([]);
  }, 60_000);

  test.each([
    { width: 390, height: 844 },
    { width: 360, height: 740 },
  ])('a phone of $width: what waits comes first, and every place is reached', async (viewport) => {
    const script = scriptedModel([
      { text: 'I write it.\n'.repeat(40), calls: [['write_file', { path: 'a.txt', content: 'new\n' }]] },
      { text: 'Written.' },
    ]);
    await using web = await pageBench({ script, files: { 'b.txt': 'b\n' } });
    const page = await web.open({ viewport, hasTouch: true, isMobile: true });
    await sendMessage(page, 'write it');
    const approve = page.locator('[data-approval]').getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    await page.getByRole('button', { name: 'More' }).tap();
    const menuItems = await page
      .getByRole('dialog', { name: 'More' })
      .getByRole('listitem')
      .allTextContents();
    expect(menuItems).toHaveLength(9);
    await page.keyboard.press('Escape');
    for (const place of [...menuItems, 'Waiting', 'Files', 'Changes', 'Conversation']) {
      await goToPlace(page, place);
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    }
    // Without scrolling, above the field one writes in.
    const box = await approve.boundingBox();
    expect((box?.y ?? viewport.height) + (box?.height ?? 0)).toBeLessThan(viewport.height - 100);
    expect(box?.height).toBeGreaterThanOrEqual(30);
    // Opened anew it begins with what waits, and leads there.
    await page.reload();
    await page.getByRole('main', { name: 'Waiting' }).getByRole('button', { name: 'Open' }).tap();
    await approve.tap();
    await page.getByRole('log').getByText('Written.').waitFor();
    expect(readFileSync(join(web.gateway.root, 'a.txt'), 'utf8')).toBe('new\n');
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });
});

async function sendMessage(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message to the agent' }).fill(text);
  await page.keyboard.press('Enter');
}
