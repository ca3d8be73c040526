// Every view with work in it, dark and light, wide and narrow: no serious barrier, and nothing larger than its window.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from './support/barriers.ts';
import { noBrowser, openBrowser } from './support/browser.ts';
import { notBuilt } from './support/page-bench.ts';
import { places } from './support/showcase/places.ts';
import { type Showcase, showcase } from './support/showcase/showcase.ts';

type Look = {
  look: string;
  viewport: { width: number; height: number };
  colorScheme: 'dark' | 'light';
  rules: 'all' | 'contrast';
};

// Only contrast depends on the theme: the rest is looked for once a width. Going to a view takes as long as looking at it, so both looks
// of a width are had there, one after the other.
const widths: { width: string; looks: [Look, Look] }[] = [
  {
    width: 'wide',
    looks: [
      { look: 'dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark', rules: 'all' },
      { look: 'light', viewport: { width: 1440, height: 900 }, colorScheme: 'light', rules: 'contrast' },
    ],
  },
  {
    width: 'narrow',
    looks: [
      { look: 'dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark', rules: 'contrast' },
      { look: 'light', viewport: { width: 360, height: 740 }, colorScheme: 'light', rules: 'all' },
    ],
  },
];

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('no serious barrier', () => {
  let show: Showcase;
  beforeAll(async () => {
    show = await showcase();
  }, 60_000);
  afterAll(() => show[Symbol.asyncDispose]());

  test.each(widths)(
    'is in any view, $width, dark and light',
    { timeout: 240_000 },
    async ({ width, looks: [first, second] }) => {
      const { viewport, colorScheme } = first;
      const found: string[] = [];
      const page = await show.web.open({
        session: show.session,
        reducedMotion: 'reduce',
        viewport,
        colorScheme,
      });
      let looks = [first, second];
      for (const { name, go } of places) {
        await go(page, width === 'narrow');
        for (const one of looks) {
          if (one !== looks[0]) await change(page, one);
          found.push(...(await problemsOf(page, one)).map((problem) => `${name}, ${one.look}: ${problem}`));
        }
        looks = looks.toReversed();
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

/** The same view in another look; what was open in it must still be. */
async function change(page: Page, { viewport, colorScheme }: Look): Promise<void> {
  const seen = async (): Promise<{ color: string; opened: number }> => ({
    color: (await page.evaluate('getComputedStyle(document.body).color')) as string,
    opened: await page.getByRole('dialog').or(page.getByRole('menu')).count(),
  });
  const before = await seen();
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
  await expect
    .poll(seen)
    .toEqual({ color: expect.not.stringContaining(before.color), opened: before.opened });
  // Colours take a transition of no length to change, and a terminal draws itself anew.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

async function problemsOf(page: Page, { rules }: Look): Promise<string[]> {
  const serious = await barriers(page, { onlyColours: rules === 'contrast' });
  const root = 'document.documentElement';
  const [wide, high] = (await page.evaluate(
    `[${root}.scrollWidth - ${root}.clientWidth, ${root}.scrollHeight - ${root}.clientHeight]`,
  )) as [number, number];
  return [...serious, ...(wide > 0 || high > 0 ? [`larger than its window by ${wide} and ${high}`] : [])];
}
