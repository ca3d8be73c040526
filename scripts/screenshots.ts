/**
 * Makes docs/screenshots: every view of the web IDE against a real gateway with work in it, wide in both themes and on a phone.
 * Usage: node scripts/screenshots.ts [VIEW…]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser } from '../test/support/browser.ts';
import { serveSample } from '../test/support/serve-sample.ts';
import { type Place, places } from '../test/support/showcase/places.ts';
import { showcase } from '../test/support/showcase/showcase.ts';
import { shrinkPng } from './shrink-png.ts';

const folder = process.env.SCREENSHOTS ?? join(import.meta.dirname, '..', 'docs', 'screenshots');
const chosenNames = process.argv.slice(2);
const isWanted = (name: string): boolean => chosenNames.length === 0 || chosenNames.includes(name);

const screens = [
  { look: 'dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { look: 'light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { look: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;

mkdirSync(folder, { recursive: true });
if (places.some(({ name }) => isWanted(name))) await picturesOfViews();
if (isWanted('tour')) await picturesOfTour();
// The process would wait for pending approvals.
process.exit();

async function picturesOfViews(): Promise<void> {
  await using show = await showcase();
  for (const { look, ...screen } of screens)
    for (const place of places.filter(({ name }) => isWanted(name))) {
      const page = await show.web.open({ session: show.session, reducedMotion: 'reduce', ...screen });
      await picture(page, place, look);
      await page.context().close();
    }
  for (const problem of show.web.problems) console.error(problem);
}

async function picturesOfTour(): Promise<void> {
  await using sample = await serveSample();
  await using browser = await openBrowser();
  for (const { look, ...screen } of screens) {
    const page = await browser.page({ locale: 'en-US', reducedMotion: 'reduce', ...screen });
    const go = async (): Promise<void> => {
      await page.goto(sample.url);
      await page.locator('[data-tour]').waitFor();
    };
    await picture(page, { name: 'tour', go }, look);
    await page.context().close();
  }
}

async function picture(page: Page, { name, go }: Place, screenName: string): Promise<void> {
  await go(page, screenName === 'phone');
  await page.waitForLoadState('networkidle');
  // The colours of code come when the machine has time for them.
  const hasDiff = (await page.locator('.bg-added').count()) > 0;
  if (hasDiff) await page.locator('[class*="text-syntax"]').first().waitFor({ state: 'attached' });
  // A ring that only says where the click before was.
  if (!['palette', 'always'].includes(name)) await page.evaluate('document.activeElement?.blur()');
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  writeFileSync(join(folder, `${name}-${screenName}.png`), shrinkPng(png));
  console.log(`${name}-${screenName}.png`);
}
