// Every view with work in it, dark and light, wide and narrow: no serious barrier, and nothing larger than its window.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../support/barriers.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { notBuilt } from '../support/page-bench.ts';
import { places } from '../support/showcase/places.ts';
import { type Showcase, showcase } from '../support/showcase/showcase.ts';

// Each view is opened once for a width. Only contrast depends on the theme, so the other theme is looked at for that alone.
const variants = [
  { look: 'wide', width: 1440, height: 900, alsoWide: 1440 },
  { look: 'narrow', width: 360, height: 740, alsoWide: 390 },
] as const;

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('no serious barrier', () => {
  let show: Showcase;
  beforeAll(async () => {
    show = await showcase();
  }, 60_000);
  afterAll(() => show[Symbol.asyncDispose]());

  test.each(variants)(
    'is in any view, $look, dark and light',
    { timeout: 180_000 },
    async ({ width, height, alsoWide }) => {
      const found: string[] = [];
      const screen = { viewport: { width, height }, colorScheme: 'dark', reducedMotion: 'reduce' } as const;
      const page = await show.web.open({ session: show.session, ...screen });
      for (const { name, go } of places) {
        await go(page, width < 700);
        const dark = [...(await barriers(page)), ...(await overflow(page))];
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
        const light = await barriers(page, { onlyColours: true });
        await page.setViewportSize({ width: alsoWide, height });
        light.push(...(await overflow(page)));
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
        found.push(...dark.map((problem) => `${name}, dark: ${problem}`));
        found.push(...light.map((problem) => `${name}, light: ${problem}`));
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
    const rules = async (options?: Parameters<typeof barriers>[1]): Promise<string[]> =>
      (await barriers(page, options)).map((found) => found.split(':')[0] ?? '').toSorted();
    expect(await rules()).toEqual(['button-name', 'color-contrast']);
    expect(await rules()).toEqual(['button-name', 'color-contrast']);
    expect(await rules({ onlyColours: true })).toEqual(['color-contrast']);
    expect(await rules({ within: 'footer' })).toEqual([]);
  });
});

async function overflow(page: Page): Promise<string[]> {
  const root = 'document.documentElement';
  const [wide, high] = (await page.evaluate(
    `[${root}.scrollWidth - ${root}.clientWidth, ${root}.scrollHeight - ${root}.clientHeight]`,
  )) as [number, number];
  return wide > 0 || high > 0 ? [`larger than its window by ${wide} and ${high}`] : [];
}
