/**
 * Makes pictures of a session of 200 steps, to be looked at: three widths, both themes, three languages, from the top to the end.
 * Usage: node scripts/long-session.ts FOLDER
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
const looks = sizes.flatMap((viewport) =>
  (['dark', 'light'] as const).flatMap((colorScheme) =>
    ['en-US', 'ru-RU', 'zh-CN'].map((locale) => ({ viewport, colorScheme, locale })),
  ),
);

/** In the page: scrolls, and waits until there are rows down to the lower edge. */
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
  const look = () => (isFilled() ? resolve() : requestAnimationFrame(look));
  requestAnimationFrame(() => requestAnimationFrame(look));
})`;

mkdirSync(folder, { recursive: true });
await using show = await longSession();
for (const { viewport, colorScheme, locale } of looks) {
  const page = await show.web.open({
    session: show.session,
    viewport,
    colorScheme,
    locale,
    reducedMotion: 'reduce',
  });
  const log = page.getByRole('log');
  await log.waitFor();
  for (const [name, top] of [
    ['end', 1e9],
    ['top', 0],
    ['second', 800],
    ['middle', 2600],
  ] as const) {
    await page.evaluate(`(${scrollTo})(${top})`);
    await page.waitForLoadState('networkidle');
    writeFileSync(
      join(folder, `${viewport.width}-${colorScheme}-${locale}-${name}.png`),
      await page.screenshot({ animations: 'disabled' }),
    );
  }
  await page.context().close();
}
for (const problem of show.web.problems) console.error(problem);
process.exit();
