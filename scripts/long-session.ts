/**
 * Makes pictures of a session of 200 steps, to be looked at: three widths, both themes, three languages, from the top to the end, and of
 * its review, the settings, the sessions and the usage.
 * Usage: node scripts/long-session.ts FOLDER [PLACE…]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { longSession } from '../test/support/showcase/long-session.ts';

const folder = process.argv[2] ?? 'long-session';
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];
const screens = sizes.flatMap((viewport) =>
  (['dark', 'light'] as const).flatMap((colorScheme) =>
    ['en-US', 'ru-RU', 'zh-CN'].map((locale) => ({ viewport, colorScheme, locale })),
  ),
);

/** In the page: scrolls, and waits until there are rows down to the lower edge. The end moves while rows are measured, so it is approached anew. */
const scrollTo = `(top) => new Promise((resolve) => {
  const box = document.querySelector('[role=log]');
  // As a reader's hand would: whoever is at the end stays there otherwise.
  box.dispatchEvent(new WheelEvent('wheel'));
  box.scrollTo({ top });
  const isFilled = () => {
    const rows = [...box.querySelectorAll('[data-index]')].map((row) => row.getBoundingClientRect().bottom);
    const isEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
    return rows.length > 0 && (isEnd || Math.max(...rows) >= box.getBoundingClientRect().bottom);
  };
  let quiet = 0;
  const look = () => {
    const isThere = top < 1e9 || box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
    quiet = isFilled() && isThere ? quiet + 1 : 0;
    if (quiet > 10) return resolve();
    if (!isThere) box.scrollTo({ top });
    requestAnimationFrame(look);
  };
  requestAnimationFrame(() => requestAnimationFrame(look));
})`;

/** In the page: waits until no spinner is shown. */
const untilLoaded = `new Promise((resolve) => {
  let quiet = 0;
  const look = () => {
    quiet = document.querySelector('.animate-spin') === null ? quiet + 1 : 0;
    if (quiet > 20) resolve();
    else requestAnimationFrame(look);
  };
  look();
})`;

/** The keys that lead there are the same in every language. */
const places = {
  review: ['g', 'r'],
  settings: ['Control+,'],
  sessions: ['g', 's'],
  usage: ['g', 'u'],
  changes: ['g', 'h'],
  audit: ['g', 'a'],
};
const tops = { end: 1e9, top: 0, second: 800, middle: 2600 };
const chosenNames = process.argv.slice(3);
const isWanted = ([name]: [string, unknown]): boolean =>
  chosenNames.length === 0 || chosenNames.includes(name);

mkdirSync(folder, { recursive: true });
await using show = await longSession();
for (const { viewport, colorScheme, locale } of screens) {
  const page = await show.web.open({
    session: show.session,
    viewport,
    colorScheme,
    locale,
    reducedMotion: 'reduce',
  });
  const log = page.getByRole('log');
  await log.waitFor();
  const take = async (name: string): Promise<void> => {
    await page.waitForLoadState('networkidle');
    const png = await page.screenshot({ animations: 'disabled' });
    writeFileSync(join(folder, `${viewport.width}-${colorScheme}-${locale}-${name}.png`), png);
  };
  for (const [name, top] of Object.entries(tops).filter(isWanted)) {
    await page.evaluate(`(${scrollTo})(${top})`);
    await take(name);
  }
  for (const [name, keys] of Object.entries(places).filter(isWanted)) {
    await page.evaluate(untilLoaded);
    await page.evaluate('document.activeElement?.blur()');
    for (const key of keys) await page.keyboard.press(key);
    await page.evaluate(untilLoaded);
    await take(name);
  }
  await page.context().close();
}
for (const problem of show.web.problems) console.error(problem);
process.exit();
