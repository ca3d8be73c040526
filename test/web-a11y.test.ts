// Every view with work in it, dark and light, wide and narrow: no serious barrier, and nothing larger than its window.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from './support/barriers.ts';
import { noBrowser, openBrowser } from './support/browser.ts';
import { notBuilt } from './support/page-bench.ts';
import { places } from './support/showcase/places.ts';
import { type Showcase, showcase } from './support/showcase/showcase.ts';

// Only contrast depends on the theme: the rest is looked for once a width.
const looks = [
  { look: 'wide and dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark', rules: 'all' },
  { look: 'wide and light', viewport: { width: 1440, height: 900 }, colorScheme: 'light', rules: 'contrast' },
  { look: 'narrow and dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark', rules: 'contrast' },
  { look: 'narrow and light', viewport: { width: 360, height: 740 }, colorScheme: 'light', rules: 'all' },
] as const;
type Rules = (typeof looks)[number]['rules'];

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('no serious barrier', () => {
  let show: Showcase;
  beforeAll(async () => {
    show = await showcase();
  }, 60_000);
  afterAll(() => show[Symbol.asyncDispose]());

  test.each(looks)(
    'is in any view, $look',
    { timeout: 180_000 },
    async ({ look: _look, rules, ...screen }) => {
      const isPhone = screen.viewport.width < 700;
      const found: string[] = [];
      const page = await show.web.open({ session: show.session, reducedMotion: 'reduce', ...screen });
      for (const { name, go } of places) {
        await go(page, isPhone);
        found.push(...(await problemsOf(page, rules)).map((problem) => `${name}: ${problem}`));
        await page.keyboard.press('Escape');
      }
      await page.close();
      expect(found).toEqual([]);
      expect(show.web.problems).toEqual([]);
    },
  );
});

describe.skipIf(noBrowser !== undefined)('a barrier', () => {
  test('is found, again and again, and where it is looked for', async () => {
    await using browser = await openBrowser();
    const page = await browser.page();
    await page.setContent(`<html lang="en"><title>x</title><main><h1>Bad</h1><button></button>
      <p style="color: #999; background: #aaa">pale</p></main><footer>fine</footer></html>`);
    const rules = async (asked?: Parameters<typeof barriers>[1]): Promise<string[]> =>
      (await barriers(page, asked)).map((found) => found.split(':')[0] ?? '').toSorted();
    expect(await rules()).toEqual(['button-name', 'color-contrast']);
    expect(await rules()).toEqual(['button-name', 'color-contrast']);
    expect(await rules({ onlyColours: true })).toEqual(['color-contrast']);
    expect(await rules({ within: 'footer' })).toEqual([]);
  });
});

async function problemsOf(page: Page, rules: Rules): Promise<string[]> {
  const serious = await barriers(page, { onlyColours: rules === 'contrast' });
  const root = 'document.documentElement';
  const [wide, high] = (await page.evaluate(
    `[${root}.scrollWidth - ${root}.clientWidth, ${root}.scrollHeight - ${root}.clientHeight]`,
  )) as [number, number];
  return [...serious, ...(wide > 0 || high > 0 ? [`larger than its window by ${wide} and ${high}`] : [])];
}
