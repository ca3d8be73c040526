// Menus, tabs and tooltips in a real browser: the first press opens, keys move and choose, and the focus comes back.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';

let bench: PageBench;

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('a menu', () => {
  beforeAll(async () => {
    bench = await pageBench({ files: { 'a.txt': 'a\n' } });
  });
  afterAll(() => bench[Symbol.asyncDispose]());
  afterEach(() => expect(bench.problems.splice(0)).toEqual([]));

  test('opens with the press, is operated with the pointer, and closes beside it', async () => {
    const page = await bench.open();
    const box = await button(page).boundingBox();
    await page.mouse.move((box?.x ?? 0) + 8, (box?.y ?? 0) + 8);
    await page.mouse.down();
    await items(page).first().waitFor();
    await page.mouse.up();
    expect(await button(page).getAttribute('aria-expanded')).toBe('true');
    await within(page);
    expect(await barriers(page)).toEqual([]);
    // A press beside it closes it and keeps the focus there.
    await field(page).click();
    await items(page).first().waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Message to the agent');
    // Pulled from the button to a line and released there.
    await button(page).hover();
    await page.mouse.down();
    await items(page).filter({ hasText: 'Plan only' }).hover();
    await page.mouse.up();
    await page.getByRole('button', { name: 'Mode: Plan only' }).waitFor();
    await button(page).click();
    await items(page).filter({ hasText: 'Strict' }).click();
    await page.getByRole('button', { name: 'Mode: Strict' }).waitFor();
    await page.close();
  });

  test('is operated by keys, also letters, and gives the focus back', async () => {
    const page = await bench.open();
    await button(page).focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => chosen(page)).toMatch(/^Strict/);
    const names = (await items(page).allInnerTexts()).map((name) => name.split('\n')[0]);
    const moves: [string, number][] = [
      ['ArrowDown', 1],
      ['End', names.length - 1],
      ['ArrowDown', names.length - 1],
      ['ArrowUp', names.length - 2],
      ['Home', 0],
      ['ArrowUp', 0],
      ['p', names.length - 1],
    ];
    for (const [key, at] of moves) {
      await page.keyboard.press(key);
      expect(await chosen(page)).toBe(names[at]);
    }
    await page.keyboard.press('Escape');
    await items(page).first().waitFor({ state: 'detached' });
    expect(await focused(page)).toMatch(/^Mode: /);
    await page.keyboard.press('Enter');
    // A space is a letter as long as somebody types; later it chooses.
    await page.keyboard.type('plan only');
    expect(await chosen(page)).toBe('Plan only');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Mode: Plan only' }).waitFor();
    expect(await focused(page)).toMatch(/^Mode: /);
    await page.close();
  });

  test('stays inside a small window, and scrolls where it has no room', async () => {
    const page = await bench.open({ viewport: { width: 800, height: 260 } });
    await button(page).click();
    await items(page).first().waitFor();
    await within(page);
    await page.keyboard.press('End');
    await expect.poll(() => chosen(page)).toBe('Plan only');
    expect(await items(page).last().isVisible()).toBe(true);
    await page.close();
  });

  test('keeps its button in sight on a phone, where the message field shows it only in use', async () => {
    const page = await bench.open({ viewport: { width: 390, height: 844 } });
    expect(await button(page).isVisible()).toBe(false);
    await field(page).click();
    await button(page).click();
    await items(page).first().waitFor();
    await within(page);
    expect(await button(page).isVisible()).toBe(true);
    await items(page).filter({ hasText: 'Plan only' }).click();
    await page.getByRole('button', { name: 'Mode: Plan only' }).waitFor();
    await page.close();
  });

  test('a hint is shown on hover and on focus by keys, and Escape hides it', async () => {
    const page = await bench.open();
    const tip = page.getByRole('tooltip');
    const palette = page.getByRole('button', { name: 'Command palette' });
    await palette.hover();
    await tip.filter({ hasText: 'Command palette' }).waitFor();
    expect(await palette.getAttribute('aria-describedby')).toBe(await tip.getAttribute('id'));
    // The pointer may go onto it.
    await tip.hover();
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
    await field(page).focus();
    await page.getByRole('button', { name: 'New session' }).first().focus();
    await page.keyboard.press('Tab');
    await tip.filter({ hasText: 'Command palette' }).waitFor();
    await page.keyboard.press('Tab');
    await expect
      .poll(() => tip.allTextContents())
      .not.toContainEqual(expect.stringContaining('Command palette'));
    await page.close();
  });

  test('in the rail a hint covers none of the other buttons', async () => {
    const page = await bench.open();
    const rail = page.getByRole('navigation', { name: 'Places' });
    await rail.getByRole('button', { name: 'Sessions' }).hover();
    const tip = await page.getByRole('tooltip').filter({ hasText: 'Sessions' }).boundingBox();
    const { x = 0, width = 999 } = (await rail.getByRole('button', { name: 'Waiting' }).boundingBox()) ?? {};
    expect(tip?.x).toBeGreaterThan(x + width);
    await page.close();
  });

  test('tabs are one stop of the keyboard, and arrows go round', async () => {
    const page = await bench.open();
    const tabs = page.getByRole('tablist', { name: 'Side panel' }).getByRole('tab');
    const count = await tabs.count();
    const selected = (): Promise<string | null> =>
      page.locator('[role=tab][aria-selected=true]').first().textContent();
    const [first, last] = [await tabs.first().textContent(), await tabs.nth(count - 1).textContent()];
    await tabs.first().click();
    expect(await selected()).toBe(first);
    await page.keyboard.press('ArrowLeft');
    expect(await selected()).toBe(last);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('tabpanel');
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-selected")')).toBe('true');
    await page.close();
  });
});

const button = (page: Page) => page.getByRole('button', { name: /^Mode: / });
const items = (page: Page) => page.getByRole('menuitem');
const field = (page: Page) => page.getByRole('textbox', { name: 'Message to the agent' });

/** The first line of the menu's item that has the focus. */
async function chosen(page: Page): Promise<string> {
  return String(await page.evaluate('document.activeElement.innerText')).split('\n')[0] ?? '';
}

async function focused(page: Page): Promise<unknown> {
  return await page.evaluate('document.activeElement.getAttribute("aria-label")');
}

async function within(page: Page): Promise<void> {
  const box = await page.getByRole('menu').boundingBox();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  expect(box?.x).toBeGreaterThanOrEqual(8);
  expect(box?.y).toBeGreaterThanOrEqual(8);
  expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width - 8);
  expect((box?.y ?? 0) + (box?.height ?? height)).toBeLessThanOrEqual(height - 8);
}
