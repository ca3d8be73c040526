// The audit and the usage in a real browser: the picture by keyboard, the record proven and broken, taken along; plots with their numbers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EventBody } from '@codelab/protocol';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { goToPlace } from '../support/go-to-place.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';
import { json } from '../support/web-api.ts';

type Entry = { seq: number; hash: string; body: { type: string; callId?: string } };

let web: PageBench;
let session: string;

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('the audit', () => {
  beforeAll(async () => {
    web = await pageBench({ files: { 'a.txt': 'a\n' }, mode: 'strict' });
    session = await web.session('Record');
    await call('read_file', { path: 'a.txt' });
    await call('write_file', { path: 'b.txt', content: 'b\n' });
    await call('read_file', { path: 'none.txt' });
  });
  afterAll(() => web[Symbol.asyncDispose]());
  afterEach(() => expect(web.problems.splice(0)).toEqual([]));

  test('shows the calls as a picture that the keyboard walks through, and as a table', async () => {
    const page = await openAudit();
    const bars = page.getByRole('group', { name: 'Timeline of calls' }).getByRole('button');
    expect(await bars.count()).toBe(3);
    await bars.first().focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focused(page)).toContain('b.txt');
    await page.keyboard.press('+');
    await page.keyboard.press('End');
    await expect.poll(() => focused(page)).toContain('none.txt');
    expect(await focused(page)).toContain('Failed');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focused(page)).toContain('b.txt');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const { events } = (await json(web.gateway, `/sessions/${session}/log`))[1] as { events: Entry[] };
    const finished = events.filter(({ body }) => body.type === 'call.finished')[1];
    await dialog.getByText(finished?.hash ?? '').waitFor();
    await dialog.getByText('operator').or(dialog.getByText(' via ')).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('table', { name: 'Calls' }).waitFor();
    await page.close();
  });

  test('keeps the keyboard on its call, however close one comes and however fast the keys follow', async () => {
    const page = await openAudit();
    const bars = page.getByRole('group', { name: 'Timeline of calls' }).getByRole('button');
    await bars.first().focus();
    await page.keyboard.press('ArrowRight');
    for (let i = 0; i < 6; i++) await page.keyboard.press('+');
    expect(await focused(page)).toContain('b.txt');
    // All within one task of the page, as when a key is held.
    const keys = JSON.stringify(['End', 'Home', 'ArrowRight', 'ArrowRight']);
    await page.evaluate(`for (const key of ${keys})
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`);
    expect(await focused(page)).toContain('none.txt');
    // When no bar is visible, the timeline itself has the keyboard.
    for (let i = 0; i < 6; i++) await page.keyboard.press('PageUp');
    await page.keyboard.press('Home');
    expect(await focused(page)).toContain('a.txt');
    await page.close();
  });

  test('filters by tool, outcome and words', async () => {
    const page = await openAudit();
    const rows = page.locator('[data-audit-call]');
    await page.getByRole('combobox', { name: 'Tool' }).selectOption('read_file');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('failed');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like this');
    await page.getByText('No calls match the filter.').waitFor();
    await page.close();
  });

  test('is taken along line by line', async () => {
    const page = await openAudit();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n');
    const { events } = (await json(web.gateway, `/sessions/${session}/log`))[1] as { events: Entry[] };
    expect(lines.map((line) => JSON.parse(line) as Entry)).toEqual(events);
    await page.close();
  });

  test('has no serious barrier in either theme, large and as usage', async () => {
    const page = await openAudit();
    const places = page.getByRole('navigation', { name: 'Places' });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.getByRole('button', { name: 'Open in a tab' }).click();
      await page.getByRole('main').getByRole('group', { name: 'Timeline of calls' }).waitFor();
      expect(await barriers(page, { onlyColours: colorScheme === 'dark' })).toEqual([]);
      await places.getByRole('button', { name: 'Usage' }).click();
      await page.getByRole('heading', { name: 'By session' }).waitFor();
      expect(await barriers(page, { onlyColours: colorScheme === 'dark' })).toEqual([]);
    }
    await page.close();
  });

  test('usage has its numbers behind every plot', async () => {
    const page = await openAudit({ viewport: { width: 390, height: 844 } });
    await goToPlace(page, 'Usage');
    const today = page.getByRole('table', { name: 'By day: Calls' }).getByRole('row').last();
    const cells = today.getByRole('cell');
    await expect.poll(async () => (await cells.allTextContents()).map(Number)).toEqual([2, 1]);
    const waitTable = page.getByRole('table', { name: 'Approvals by the time until a person answered' });
    const counts = await waitTable.getByRole('cell').allTextContents();
    expect(counts.map(Number).reduce((a, b) => a + b)).toBe(2);
    await page.getByRole('button', { name: 'Open Record' }).click();
    await page.getByRole('log').waitFor();
    await page.close();
  });

  test('a price that is unknown has its fields where the cost is, and the costs appear', async () => {
    const { log } = web.gateway.running.gateway.host;
    const priced = await web.session('Priced');
    const expected = (await log.read(priced)).at(-1)?.seq ?? 0;
    const replied = (turn: number, cost?: number): EventBody[] => [
      { type: 'turn.started', turn, text: 'Go', model: 'custom/large', profile: 'build' },
      {
        type: 'model.replied',
        turn,
        reply: {
          model: 'custom/large',
          text: 'Gone.',
          calls: [],
          usage: { inputTokens: 1_000_000, outputTokens: 0, ...(cost !== undefined && { cost }) },
          stop: 'end',
        },
      },
      { type: 'turn.ended', turn, end: 'completed' },
    ];
    await log.append(priced, [...replied(1, 0.25), ...replied(2), ...replied(3)], { expected });
    const page = await web.open({ session: priced });
    const bar = page.getByRole('region', { name: 'Session status' });
    await bar.getByRole('button', { name: /2 turns have no price.*≥ \$0\.25/ }).click();
    await page.getByText('total of 1 priced turn; 2 turns have no price').waitFor();
    const form = page.getByRole('form', { name: 'Price of custom/large' });
    await form.getByText('2 turns').waitFor();
    await form.getByLabel('Input, $ per 1M tokens').fill('1,5');
    await form.getByLabel('Output, $ per 1M tokens').fill('6');
    expect(await barriers(page)).toEqual([]);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Open Priced.*\$3\.25/ }).waitFor();
    const turns = page.getByRole('table', { name: 'By turn' }).getByRole('row', { name: /Go Priced/ });
    await expect.poll(() => sums(turns)).toEqual(['$1.50', '$1.50', '$0.25']);
    await bar.getByRole('button', { name: 'Cost of this session: $3.25' }).waitFor();
    await goToPlace(page, 'Conversation');
    const ends = page.getByRole('log').getByText(/^Done ·/);
    await expect.poll(() => sums(ends)).toEqual(['$0.25', '$1.50', '$1.50']);
    await page.close();
  });

  test('usage tells no waiting times while nobody was asked', async () => {
    await using calm = await pageBench({ files: { 'a.txt': 'a\n' }, mode: 'balanced' });
    const quiet = await calm.session('Quiet');
    const args = { path: 'a.txt' };
    await json(calm.gateway, `/sessions/${quiet}/calls`, 'POST', { tool: 'read_file', args });
    const page = await calm.open({ session: quiet });
    await goToPlace(page, 'Usage');
    await page.getByRole('table', { name: 'By session' }).waitFor();
    expect(await page.getByText('Waiting for approval').count()).toBe(0);
    await page.close();
  });

  test('usage shows every column of its table at every width', async () => {
    for (const width of [1440, 1024, 390]) {
      const page = await web.open({ session, viewport: { width, height: 844 } });
      await goToPlace(page, 'Usage');
      const table = page.getByRole('table', { name: 'By session' });
      await table.getByRole('cell').first().waitFor();
      const cells = await table.getByRole('row').last().getByRole('cell').all();
      expect(cells).toHaveLength(9);
      const area = await page.getByRole('main').boundingBox();
      for (const cell of cells) {
        const box = await cell.boundingBox();
        expect(box?.x, `the left edge at ${width}`).toBeGreaterThanOrEqual(area?.x ?? 0);
        const right = (box?.x ?? 0) + (box?.width ?? Number.NaN);
        expect(right, `the right edge at ${width}`).toBeLessThanOrEqual((area?.x ?? 0) + (area?.width ?? 0));
      }
      await page.close();
    }
  });

  test('usage has room for long words in its table', async () => {
    const page = await web.open({ session, locale: 'ru-RU', viewport: { width: 1440, height: 844 } });
    await page.getByRole('log').waitFor();
    await page.evaluate('document.activeElement?.blur()');
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    const last = page.getByRole('columnheader', { name: 'Ожидание', exact: true });
    const [box, area] = [await last.boundingBox(), await page.getByRole('main').boundingBox()];
    expect((box?.x ?? 0) + (box?.width ?? Number.NaN)).toBeLessThanOrEqual(
      (area?.x ?? 0) + (area?.width ?? 0),
    );
    await page.close();
  });

  // Last: the record is broken afterwards.
  test('proves the record, and names the entry that somebody changed', async () => {
    const page = await openAudit();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText(/^The record is intact: \d+ entries, none changed\.$/).waitFor();
    const db = new DatabaseSync(join(web.gateway.home, 'sessions.db'));
    db.prepare(`UPDATE events SET json = replace(json, 'a.txt', 'z.txt') WHERE session = ? AND seq = 3`).run(
      session,
    );
    db.close();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText(/^The record is broken at entry 3: /).waitFor();
    await page.close();
  });
});

async function sums(found: Locator): Promise<(string | undefined)[]> {
  return (await found.allTextContents()).map((line) => /\$[\d.]+/.exec(line)?.[0]);
}

async function call(tool: string, args: object): Promise<void> {
  await json(web.gateway, `/sessions/${session}/calls`, 'POST', { tool, args, approve: true });
}

async function openAudit(options: Parameters<PageBench['open']>[0] = {}): Promise<Page> {
  const page = await web.open({ session, ...options });
  const isPhone = options.viewport !== undefined;
  if (isPhone) await goToPlace(page, 'Audit');
  else await page.getByRole('tab', { name: 'Audit' }).click();
  await page.locator('[data-audit-call]').first().waitFor();
  return page;
}

function focused(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.getAttribute("aria-label") ?? ""');
}
