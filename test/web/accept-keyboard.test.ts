// The whole of the web IDE without a mouse: one walks through it by keys alone, and always sees where one is.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ready } from '../support/approval-page.ts';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('by keyboard alone', () => {
  let web: PageBench;
  let page: Page;
  const before = Array.from({ length: 40 }, (_, i) => `line ${i + 1}\n`).join('');
  const edit = (n: number) => ({ old_string: `line ${n}\n`, new_string: `LINE ${n}\n` });
  const disk = (path: string): string => readFileSync(join(web.gateway.root, path), 'utf8');
  const key = (name: string): Promise<void> => page.keyboard.press(name);

  beforeAll(async () => {
    const script = scriptedModel([
      { calls: [['write_file', { path: 'made.txt', content: 'made\n' }]] },
      { calls: [['multi_edit', { path: 'long.txt', edits: [2, 12, 22, 32].map(edit) }]] },
      { text: 'All of it is done.' },
    ]);
    web = await pageBench({ script, files: { 'long.txt': before, 'other.txt': 'one\n' } });
    page = await web.open({ session: await web.session('Before') });
    // A use of the pointer would be reported; this test uses none.
    await page.addInitScript('addEventListener("pointerdown", () => { window.__pointed = true; }, true)');
    await page.reload();
    await page.getByRole('main').waitFor();
  });
  afterAll(() => web[Symbol.asyncDispose]());

  /** The focus is on an element and visible. */
  async function focusIsSeen(): Promise<void> {
    await expect.poll(() => page.evaluate('document.activeElement?.tagName')).not.toBe('BODY');
    const focused = (await page.evaluate(`(() => {
      const at = document.activeElement;
      const box = at.getBoundingClientRect();
      return { width: box.width, height: box.height, isShown: at.checkVisibility() };
    })()`)) as { width: number; height: number; isShown: boolean };
    expect(focused.isShown && focused.width > 0 && focused.height > 0).toBe(true);
  }

  test('a session is begun, a message sent, a call approved, hunks chosen', async () => {
    await key('Control+k');
    await page.keyboard.type('new session');
    await key('Enter');
    await page.getByRole('heading', { level: 1, name: 'New session' }).waitFor();
    await tabTo('Message to the agent');
    await page.keyboard.type('change the lines');
    await key('Enter');
    await page.locator('[data-approval]').waitFor();
    await key('Alt+a');
    await focusIsSeen();
    await ready(page);
    await key('a');
    await expect.poll(() => disk('made.txt')).toBe('made\n');
    await page.locator('[data-approval]', { hasText: 'long.txt' }).waitFor();
    await focusIsSeen();
    await key('Alt+a');
    await key('h');
    await page.getByRole('checkbox', { name: 'Select hunk 4' }).waitFor();
    await focusIsSeen();
    await key('j');
    await key('Space');
    expect(await page.getByRole('checkbox', { name: 'Select hunk 2' }).isChecked()).toBe(false);
    await key('Enter');
    await page.getByText('Approved in part by').first().waitFor();
    await focusIsSeen();
    await key('g');
    await key('c');
    await page.getByRole('log').getByText('All of it is done.').waitFor();
    const expected = [2, 22, 32].reduce((text, n) => text.replace(`line ${n}\n`, `LINE ${n}\n`), before);
    expect(disk('long.txt')).toBe(expected);
    await focusIsSeen();
  });

  test('it is taken back, a file opened, changed and saved', async () => {
    await key('Control+Alt+z');
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).waitFor();
    await focusIsSeen();
    await tabTo('Undo');
    await key('Enter');
    await expect.poll(() => disk('long.txt')).toBe(before);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await key('Control+p');
    await page.getByRole('combobox', { name: 'Find a file' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('other');
    await page.getByRole('option', { name: 'other.txt' }).waitFor();
    await key('Enter');
    const text = page.getByRole('textbox', { name: 'Text of other.txt' });
    await text.waitFor();
    await tabTo('Text of other.txt');
    await page.keyboard.type('zero ');
    await key('Control+s');
    await expect.poll(() => disk('other.txt')).toBe('zero one\n');
    await focusIsSeen();
  });

  test('views, theme and language are changed, and Tab goes round without being lost', async () => {
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const theme = () => page.evaluate('document.documentElement.dataset.theme');
    await palette('theme: light');
    await expect.poll(theme).toBe('light');
    const light = await background();
    await palette('theme: dark');
    await expect.poll(background).not.toBe(light);
    for (const [words, heading] of [
      ['usage', 'By session'],
      ['settings', 'Model'],
    ] as const) {
      await palette(words);
      await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
    }
    await palette('conversation');
    await palette('русский');
    await page.getByRole('textbox', { name: 'Сообщение агенту' }).waitFor();
    await palette('english');
    await page.getByRole('textbox', { name: 'Message to the agent' }).waitFor();
    const stops = new Set<string>();
    for (let i = 0; i < 60; i++) {
      await key('Tab');
      const name = String(
        await page.evaluate(
          'document.activeElement.tagName + " " + (document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).slice(0, 40)',
        ),
      );
      if (!name.startsWith('BODY')) await focusIsSeen();
      stops.add(name);
    }
    expect(stops.size).toBeGreaterThan(15);
    expect(await page.evaluate('window.__pointed')).toBeUndefined();
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });

  async function palette(words: string): Promise<void> {
    await key('Control+k');
    const field = page.locator('dialog[open] [role=combobox]');
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.type(words);
    await page.locator('dialog[open] [role=option][aria-selected=true]').waitFor();
    await key('Enter');
    await field.waitFor({ state: 'detached' });
  }

  /** Goes on with Tab until the control with this name has the focus. */
  async function tabTo(name: string): Promise<void> {
    const at = `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()`;
    for (let i = 0; i < 60; i++) {
      if ((await page.evaluate(at)) === name) return;
      await key('Tab');
    }
    throw new Error(`Tab does not lead to ${name}`);
  }
});
