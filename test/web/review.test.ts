// The review of a change in the web IDE, in a real browser: hunks taken, split and edited, and the files that come of it, byte for byte.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';

type Json = Record<string, unknown>;

const count = 60;
const changed = [4, 16, 28, 40, 52];
/** Sixty lines; those named are the new ones. */
const text = (fresh: readonly number[], end = '\n'): string =>
  Array.from({ length: count }, (_, i) => `${fresh.includes(i) ? 'NEW' : 'old'} line ${i}${end}`).join('');
const long = 10_000;
/** Five hundred hunks, when every twelfth line is another. */
const code = (word: string): string =>
  Array.from(
    { length: 6_000 },
    (_, i) => `const value${i} = "${i % 12 === 5 ? word : 'same'} ${i}"; // of many\n`,
  ).join('');

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('a review', () => {
  let web: PageBench;
  beforeAll(async () => {
    web = await pageBench({
      files: {
        'plain.txt': text([]),
        'crlf.txt': text([], '\r\n'),
        'parts.txt': 'a\nb\nc\nd\ne\n',
        'moved.txt': 'a\nb\nc\nd\ne\n',
        'ends.txt': 'a\r\nb\r\nc\r\n',
        'multi/one.txt': 'one\n',
        'multi/two.txt': 'two\n',
        'code.js': code('old'),
        'long.txt': Array.from({ length: long }, (_, i) => `line ${i} of many\n`).join(''),
      },
    });
  });
  afterAll(() => web[Symbol.asyncDispose]());
  afterEach(() => expect([web.problems.splice(0), web.gateway.faults.splice(0)]).toEqual([[], []]));

  const disk = (path: string): string => readFileSync(join(web.gateway.root, path), 'utf8');

  test.each([
    ['plain.txt', '\n'],
    ['crlf.txt', '\r\n'],
  ])('takes 3 of 5 hunks of %s by keyboard, and nothing else changes', async (path, end) => {
    const { page, ended } = await reviewing(web, 'write_file', { path, content: text(changed, end) });
    await page.getByText('5 of 5 selected').waitFor();
    for (const key of [' ', 'j', 'j', ' ']) await page.keyboard.press(key);
    await page.getByText('3 of 5 selected').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Select hunk 3' }).isChecked()).toBe(false);
    await page.keyboard.press('Enter');
    expect(await ended).toMatchObject({ outcome: { status: 'completed' } });
    expect(disk(path)).toBe(text([16, 40, 52], end));
    await page.getByRole('region', { name: 'Review' }).getByText('Approved in part by').waitFor();
    await page.close();
  });

  test('takes a part of a hunk that was split', async () => {
    const content = 'A\nb\nc\nd\nE\n';
    const { page, ended } = await reviewing(web, 'write_file', { path: 'parts.txt', content });
    await page.getByText('1 of 1 selected').waitFor();
    await page.keyboard.press('s');
    await page.getByText('2 of 2 selected').waitFor();
    await page.keyboard.press(' ');
    await page.getByText('1 of 2 selected').waitFor();
    await page.reload();
    await page.getByText('1 of 2 selected').waitFor();
    await page.getByRole('button', { name: 'Apply selected' }).click();
    expect(await ended).toMatchObject({ outcome: { status: 'completed' } });
    expect(disk('parts.txt')).toBe('a\nb\nc\nd\nE\n');
    await page.close();
  });

  test('a part of a hunk is asked about again when the file was changed meanwhile', async () => {
    const { page } = await reviewing(web, 'write_file', { path: 'moved.txt', content: 'A\nb\nc\nd\nE\n' });
    await page.keyboard.press('s');
    await page.keyboard.press(' ');
    await page.getByText('1 of 2 selected').waitFor();
    writeFileSync(join(web.gateway.root, 'moved.txt'), 'a\nb\nc\nd\ne\nf\n');
    await page.keyboard.press('Enter');
    await list(page).getByText('f', { exact: true }).waitFor();
    await page.getByText('1 of 1 selected').waitFor();
    expect(disk('moved.txt')).toBe('a\nb\nc\nd\ne\nf\n');
    await page.close();
  });

  test('takes a hunk as the human wrote it, with the line ends of the file', async () => {
    const args = { path: 'ends.txt', old_string: 'b', new_string: 'B' };
    const { page, ended } = await reviewing(web, 'edit_file', args);
    await page.getByText('CRLF', { exact: true }).waitFor();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: 'Edit hunk 1' });
    await dialog.getByLabel('New text').fill('a\nmine\nand more\nc');
    await dialog.getByRole('button', { name: 'Save edit' }).click();
    await page.getByText('edited', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('edited', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Apply selected' }).click();
    expect(await ended).toMatchObject({ outcome: { status: 'completed' } });
    expect(disk('ends.txt')).toBe('a\r\nmine\r\nand more\r\nc\r\n');
    await page.close();
  });

  test('shows files beside each other, takes one of them, and has no serious barrier', async () => {
    const file = (name: string): string => `--- a/multi/${name}.txt\n+++ b/multi/${name}.txt\n@@ -1 +1 @@\n`;
    const diff = `${file('one')}-one\n+ONE\n${file('two')}-two\n+TWO\n`;
    const { page, ended } = await reviewing(web, 'apply_patch', { diff });
    await page.keyboard.press('v');
    await page.getByRole('button', { name: 'Side by side', pressed: true }).waitFor();
    expect(await barriers(page, { within: 'main' })).toEqual([]);
    await list(page).getByRole('checkbox', { name: 'Select all of multi/one.txt' }).uncheck();
    await page.getByText('1 of 2 selected').waitFor();
    await page.reload();
    // Picks stay, and the first Enter of a user who merely returns to the page decides nothing.
    await page.getByRole('button', { name: 'Side by side', pressed: true }).waitFor();
    await page.getByText('1 of 2 selected').waitFor();
    await page.locator('[data-review-list]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Press Enter again to decide.').waitFor();
    expect([disk('multi/one.txt'), disk('multi/two.txt')]).toEqual(['one\n', 'two\n']);
    await page.keyboard.press('Enter');
    expect(await ended).toMatchObject({ outcome: { status: 'completed' } });
    expect([disk('multi/one.txt'), disk('multi/two.txt')]).toEqual(['one\n', 'TWO\n']);
    await page.keyboard.press('u');
    await page.close();
  });

  test('warns of what could mislead, and renders nothing of it', async () => {
    const content = 'if (admin) {\u202e } \u2066// <img src=x onerror=alert(1)>\nconst pаypal = 1;\t \n';
    const { page } = await reviewing(web, 'write_file', { path: 'trick.txt', content });
    await page.getByRole('button', { name: '3 places with misleading characters' }).click();
    await page.getByRole('menuitem', { name: 'U+202E' }).waitFor();
    await page.keyboard.press('Escape');
    await list(page).getByText('⟨U+202E⟩').waitFor();
    await list(page).getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await list(page).locator('img').count()).toBe(0);
    expect(await list(page).textContent()).not.toMatch(/[\u202e\u2066]/);
    await page.close();
  });

  test('a diff of 20,000 lines scrolls smoothly, and j and k find their way', async () => {
    const content = Array.from({ length: long }, (_, i) => `line ${i} of plenty\n`).join('');
    const { page } = await reviewing(web, 'write_file', { path: 'long.txt', content });
    await list(page).getByText('line 3 of many').waitFor();
    expect(await list(page).locator('.absolute').count()).toBeLessThan(150);
    await expectSmooth(page);
    await page.evaluate(
      `const box = document.querySelector('[data-review-list]'); box.scrollTop = box.scrollHeight;`,
    );
    await list(page).getByText('line 9999 of plenty').waitFor();
    await page.keyboard.press('k');
    await list(page).getByText('line 3 of many').waitFor();
    await page.close();
  });

  test('code in hundreds of hunks has its colours soon, scrolls as smoothly, and stays the text it is', async () => {
    const { page } = await reviewing(web, 'write_file', { path: 'code.js', content: code('fresh') });
    const words = list(page).locator('.text-syntax-keyword');
    await words.first().waitFor();
    await expectSmooth(page);
    await words.first().waitFor();
    const line = list(page)
      .locator('.absolute', { hasText: /"fresh \d+"/ })
      .first();
    expect(await line.textContent()).toMatch(/^\d+\+const value\d+ = "fresh \d+"; \/\/ of many$/);
    await page.close();
  });
});

/** By the processor time of the page itself: how long a frame takes says as much about who else is at work on the machine. */
async function expectSmooth(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const workMs = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const scroll = (frames: number): Promise<unknown> =>
    page.evaluate(`new Promise((resolve) => {
      const box = document.querySelector('[data-review-list]');
      let left = ${frames};
      const step = () => {
        box.scrollTop += 300;
        if (left-- > 0) requestAnimationFrame(step);
        else resolve();
      };
      requestAnimationFrame(step);
    })`);
  await scroll(5);
  const before = await workMs();
  await scroll(55);
  expect(((await workMs()) - before) / 55).toBeLessThan(40);
  await devtools.detach();
}

function list(page: Page): Locator {
  return page.locator('[data-review-list]');
}

/** Makes a call that waits, and opens its review from the card. */
async function reviewing(
  web: PageBench,
  tool: string,
  args: Json,
): Promise<{ page: Page; ended: Promise<Json> }> {
  const id = await web.session('Review');
  const ended = web.gateway
    .request(`/api/v1/sessions/${id}/calls`, { method: 'POST', body: JSON.stringify({ tool, args }) })
    .then((answer) => answer.json() as Promise<Json>);
  // Some wait until the gateway ends, and nobody listens any more.
  ended.catch(() => undefined);
  const page = await web.open({ session: id });
  const card = page.locator('[data-approval]');
  await card.getByRole('button', { name: 'Review hunks…' }).waitFor();
  await card.focus();
  await page.keyboard.press('h');
  await list(page).waitFor();
  await page.locator('[data-review-list]:focus').waitFor();
  return { page, ended };
}
