// The frame of the web IDE in a real browser: it renders under its strict policy, resizes, remembers, and works by keyboard and on a phone.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { goToPlace } from '../support/go-to-place.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const web = join(import.meta.dirname, '../..', 'apps', 'web');
let bench: PageBench;

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('the frame', () => {
  beforeAll(async () => {
    bench = await pageBench({ files: { 'README.md': '# Sample\n' } });
  });
  afterAll(() => bench[Symbol.asyncDispose]());
  afterEach(() => expect(bench.problems.splice(0)).toEqual([]));

  test('has its landmarks', async () => {
    const page = await bench.open({ session: await bench.session('Landmarks') });
    await messageField(page).waitFor();
    for (const role of ['banner', 'main'] as const) expect(await page.getByRole(role).count()).toBe(1);
    expect(await page.getByRole('navigation').count()).toBeGreaterThan(0);
    for (const name of ['Session status', 'Explorer']) await page.getByLabel(name, { exact: true }).waitFor();
    await page.close();
  });

  test.each(['en', 'ru', 'zh'])(
    'loads at most 175 kB of compressed files in a few requests, in %s and in no other language',
    async (language) => {
      const page = await bench.open({ session: await bench.session('First'), locale: language });
      await page.getByRole('textbox', { name: fieldNames[language] ?? '' }).waitFor();
      // All that is there without anybody's doing.
      await page.getByRole('treeitem', { name: 'README.md' }).waitFor();
      await page.locator('footer, [aria-haspopup="menu"]').first().waitFor();
      await page.waitForLoadState('networkidle');
      const files = (await page.evaluate(loadedFiles)) as Record<string, number>;
      const names = Object.keys(files).map((name) => name.replace(/-[\w-]{8}(?=\.)/, ''));
      expect(names.toSorted()).toEqual(
        [
          ...[
            '',
            'first-view.js',
            'first-view.js',
            'frame.css',
            'frame.js',
            'index.js',
            'rolldown-runtime.js',
          ],
          `${language}.js`,
        ].toSorted(),
      );
      const size = Object.values(files).reduce((sum, bytes) => sum + bytes, 0);
      expect(size).toBeGreaterThan(50_000);
      expect(size).toBeLessThanOrEqual(175_000);
      await page.close();
    },
  );

  test.each(['light', 'dark'] as const)('has no serious barrier in its %s theme', async (colorScheme) => {
    const page = await bench.open({ colorScheme });
    await messageField(page).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.close();
  });

  test('columns are resized by keyboard and pointer, and stay so', async () => {
    const page = await bench.open();
    const line = page.getByRole('separator', { name: 'Width of the explorer' });
    const before = await widthOf(line);
    await line.focus();
    await page.keyboard.press('ArrowRight');
    expect(await widthOf(line)).toBe(before + 16);
    const box = await line.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 4, 300);
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) + 68, 300, { steps: 4 });
    await page.mouse.up();
    expect(await widthOf(line)).toBe(before + 16 + 64);
    await page.keyboard.press('Home');
    await page.reload();
    expect(await widthOf(line)).toBe(180);
    await page.close();
  });

  test('the theme follows the system until one is chosen, and the choice stays', async () => {
    const page = await bench.open({ colorScheme: 'dark' });
    const dark = await backgroundOf(page);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Theme').selectOption({ label: 'Light' });
    const light = await backgroundOf(page);
    expect(light).not.toBe(dark);
    await page.reload();
    await page.getByRole('main').waitFor();
    expect(await backgroundOf(page)).toBe(light);
    await page.close();
  });

  test('the palette runs what was typed, and the keys are listed', async () => {
    const page = await bench.open({ colorScheme: 'light' });
    const light = await backgroundOf(page);
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Find a command…' });
    await field.fill('theme dark');
    await page.keyboard.press('Enter');
    await field.waitFor({ state: 'detached' });
    await expect.poll(() => backgroundOf(page)).not.toBe(light);
    await page.getByRole('main').focus();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Command palette').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.close();
  });

  test('speaks the language of the browser, and the one that is chosen', async () => {
    const page = await bench.open({ locale: 'ru-RU' });
    await page.getByText('Что нужно сделать?').waitFor();
    await page.getByRole('button', { name: 'Настройки' }).click();
    await page.getByLabel('Язык').selectOption({ label: '中文' });
    await page.getByRole('button', { name: '对话', exact: true }).first().click();
    await page.getByText('想做什么？').waitFor();
    await page.reload();
    await page.getByText('想做什么？').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh');
    await page.close();
  });

  test('fits a phone of 360 pixels', async () => {
    const page = await bench.open({ viewport: { width: 360, height: 700 } });
    await messageField(page).waitFor();
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow).toBe(0);
    const tabs = page.getByRole('navigation', { name: 'Places' }).getByRole('button');
    expect(await tabs.allTextContents()).toEqual(['Waiting', 'Conversation', 'Files', 'Changes', 'More']);
    await goToPlace(page, 'Settings');
    await page.getByRole('list', { name: 'Rules' }).waitFor();
    expect(await tabs.last().getAttribute('aria-current')).toBe('page');
    // Without a session nothing was changed.
    await goToPlace(page, 'Changes');
    await page.getByText('No changes yet').waitFor();
    await goToPlace(page, 'Conversation');
    await messageField(page).waitFor();
    await page.close();
  });
});

describe('the sources of the web IDE', () => {
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: web }).map((name) => join(web, name));

  test('never turn text into HTML or code', () => {
    const forbidden =
      /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write|srcDoc|\beval\(|new Function\(/;
    expect(sources.filter((file) => forbidden.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  test.skipIf(notBuilt !== undefined)('are built without what only a server needs', () => {
    const scripts = globSync('dist/assets/*.js', { cwd: web });
    // Node's modules, the writer of JSON Schemas, and the wires that a page does not speak.
    const heavy = scripts.filter((name) =>
      /node:fs|draft-2020-12|execution_signal|hitl_decision/.test(readFileSync(join(web, name), 'utf8')),
    );
    expect(heavy).toEqual([]);
  });

  test.skipIf(notBuilt !== undefined)(
    'load at most 130 kB of compressed script before anything is shown',
    () => {
      // Files that are worth it are stored compressed with Brotli, and only so.
      const read = (name: string): string => {
        const path = join(web, 'dist', 'assets', name);
        if (existsSync(path)) return readFileSync(path, 'utf8');
        return brotliDecompressSync(readFileSync(`${path}.br`)).toString();
      };
      const found = new Set<string>();
      const visit = (name: string): void => {
        if (found.has(name)) return;
        found.add(name);
        for (const [, imported] of read(name).matchAll(/\b(?:import|from)\s*["']\.\/([\w.-]+\.js)["']/g))
          visit(imported ?? '');
      };
      const page = readFileSync(join(web, 'dist', 'index.html'), 'utf8');
      for (const [, entry] of page.matchAll(/<script[^>]* src="[^"]*assets\/([\w.-]+\.js)"/g))
        visit(entry ?? '');
      const sizes = [...found].map((name) => gzipSync(read(name)).length);
      expect(found.size).toBeGreaterThan(2);
      expect(sizes.reduce((sum, size) => sum + size, 0) / 1024).toBeLessThanOrEqual(130);
    },
  );
});

test.skipIf((noBrowser ?? notBuilt) !== undefined)(
  'how full the context is, is known during the first turn',
  async () => {
    const long = scriptedModel(
      [
        { calls: [['read_file', { path: 'long.txt' }]] },
        { calls: [['write_file', { path: 'a', content: '' }]] },
      ],
      { contextTokens: 20_000 },
    );
    await using filled = await pageBench({
      script: long,
      files: { 'long.txt': 'some words\n'.repeat(1000) },
    });
    const screen = await filled.open();
    await messageField(screen).fill('Read it.');
    await messageField(screen).press('Enter');
    await screen.locator('[data-approval]').waitFor();
    await screen
      .getByRole('region', { name: 'Session status' })
      .getByText(/Context in use:\s+[1-9]\d*%/)
      .waitFor();
    expect([filled.problems, filled.gateway.faults]).toEqual([[], []]);
  },
);

const fieldNames: Readonly<Record<string, string>> = {
  en: 'Message to the agent',
  ru: 'Сообщение агенту',
  zh: '给智能体的消息',
};

/** In the page: the document and its files, and how many bytes of each came over the connection; not what the gateway answered. */
const loadedFiles = `Object.fromEntries(
  [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize])
    .filter(([path]) => !path.startsWith('/api/') && !/\\.(svg|png|webmanifest)$/.test(path))
    .map(([path, bytes]) => [path.split('/').at(-1), bytes]),
)`;

async function widthOf(line: ReturnType<Page['locator']>): Promise<number> {
  return Number(await line.getAttribute('aria-valuenow'));
}

function messageField(page: Page) {
  return page.getByRole('textbox', { name: 'Message to the agent' });
}

function backgroundOf(page: Page): Promise<unknown> {
  return page.evaluate('getComputedStyle(document.body).backgroundColor');
}
