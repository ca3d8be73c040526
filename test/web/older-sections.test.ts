// A long conversation is unloaded where nobody looks, and is as it was wherever somebody does: the log has it.
import type { EventBody } from '@codelab/protocol';
import type { Locator, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { slowLine } from '../support/slow-line.ts';

const steps = 600;
const script = scriptedModel(({ messages }) => {
  const last = messages.at(-1);
  return { text: `Answer to: ${last?.role === 'user' ? last.text : ''}` };
});

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('a long conversation', { timeout: 60_000 }, () => {
  let web: PageBench;
  let sessions = 0;
  beforeAll(async () => {
    web = await pageBench({ script });
  });
  afterAll(async () => {
    await web[Symbol.asyncDispose]();
  });

  test('is read again section by section where somebody scrolls, and nothing moves meanwhile', async () => {
    const page = await openLong();
    const reads = logReads(page);
    for (const isKnown of [false, true]) {
      const before = reads.limits.length;
      await page.mouse.wheel(0, -700);
      await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
      for (let step = 0; step < 90; step++) {
        const moved = await scrollUp(page, reads);
        // A row that was never shown has a guessed height until it is.
        if (isKnown) expect(moved.filter((by) => Math.abs(by - 300) > 1)).toEqual([]);
      }
      expect(reads.limits.length).toBeGreaterThan(before + 1);
      await page.getByRole('button', { name: 'Jump to latest' }).click();
      await logOf(page).getByText('Second answer').waitFor();
    }
    await logOf(page).focus();
    await page.keyboard.press('Home');
    await logOf(page).getByText('First question').waitFor();
    const card = page.locator('[data-call="call_2"]');
    await card.getByText('4 passed').waitFor();
    await card.getByRole('button').first().click();
    await card.getByText('changed by 2').waitFor();
    // Sections are read, never all of the log.
    expect(Math.max(...reads.limits)).toBeLessThan(1000);
    expect(web.problems).toEqual([]);
  });

  test('opens where it was left, with what is around', async () => {
    const page = await openLong();
    const saved = savedPlaces(page);
    await scrollTo(page, 'Step 300 says');
    await expect.poll(() => isAt(page, saved.at(-1)), { timeout: 12_000 }).toBe(true);
    const place = saved.at(-1);
    await page.reload();
    await expect.poll(() => isAt(page, place), { timeout: 12_000 }).toBe(true);
    await logOf(page).getByText('Step 300 says').waitFor();
  });

  test('is found in, and exported with what each step changed', async () => {
    const page = await openLong();
    await page.keyboard.press('Control+f');
    await page.getByRole('searchbox', { name: 'Find in the conversation' }).fill('needle of 7 in');
    await page.getByRole('search').getByText('1 of 1').waitFor();
    await page.locator('[data-call="call_7"]').waitFor();
    await page.keyboard.press('Escape');
    const field = page.getByRole('textbox', { name: 'Message to the agent' });
    await field.fill('/export');
    const saved = page.waitForEvent('download');
    await field.press('Enter');
    const chunks: Buffer[] = [];
    for await (const chunk of await (await saved).createReadStream()) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    expect(text.match(/^\+changed by \d+$/gm)).toEqual(
      Array.from({ length: steps }, (_, step) => `+changed by ${step}`),
    );
    expect(text).toContain('> First question');
    expect(web.problems).toEqual([]);
  });

  test('has all of its calls in the audit, in their order', async () => {
    const page = await openLong();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Audit' }).click();
    await page.getByText(`${steps} calls`).waitFor();
  });

  test('is asked for again when the line is cut meanwhile', async () => {
    await using line = await slowLine(web.gateway.running.port, { delayMs: 100 });
    const page = await openLong(line.url);
    await logOf(page).focus();
    const asked = page.waitForRequest((request) => request.url().includes('/log?since='));
    await page.keyboard.press('Home');
    await asked;
    line.cut(1500);
    await logOf(page).getByText('First question').waitFor();
    expect(line.broken).toBeGreaterThan(0);
  });

  test('is continued from its earlier messages', async () => {
    const page = await openLong();
    const field = page.getByRole('textbox', { name: 'Message to the agent' });
    await field.focus();
    for (const text of ['Second question', 'First question']) {
      await page.keyboard.press('ArrowUp');
      expect(await field.inputValue()).toBe(text);
    }
    await field.fill('');
    // The question of this answer is in a section that is not loaded.
    await scrollTo(page, `Step ${steps - 1} says`);
    const answer = logOf(page)
      .getByRole('article')
      .filter({ hasText: `Step ${steps - 1} says` });
    await answer.getByRole('button', { name: 'Retry on a branch' }).focus();
    await page.keyboard.press('Enter');
    await logOf(page).getByText('Answer to: First question').waitFor();
    await logOf(page).getByText('Branch 2 of 2').waitFor();
    await page.getByRole('button', { name: 'Previous branch' }).click();
    await logOf(page).getByText('Branch 1 of 2').waitFor();
    await logOf(page).getByText('Step 0 says').waitFor();
  });

  /** At its end; each time another session, because the place where somebody reads is kept. */
  async function openLong(proxyUrl?: string): Promise<Page> {
    const session = `long-${++sessions}`;
    const { log } = web.gateway.running.gateway.host;
    await log.append(session, longSession(session, web.gateway.root), { expected: 0 });
    const page = await web.open({ session, ...(proxyUrl && { proxyUrl }) });
    await logOf(page).getByText('Second answer').waitFor();
    await logOf(page).hover();
    return page;
  }
});

function logOf(page: Page): Locator {
  return page.getByRole('log');
}

/** How many entries each request for the log asks for, and how many requests are not answered yet. */
function logReads(page: Page): { limits: number[]; pending: number } {
  const reads = { limits: [] as number[], pending: 0 };
  const isRead = (request: Request): boolean => new URL(request.url()).pathname.endsWith('/log');
  page.on('request', (request) => {
    if (!isRead(request)) return;
    reads.pending++;
    reads.limits.push(Number(new URL(request.url()).searchParams.get('limit') ?? Number.POSITIVE_INFINITY));
  });
  page.on('requestfinished', (request) => {
    if (isRead(request)) reads.pending--;
  });
  return reads;
}

type Place = { row: string; below: number };

/** The places that the page tells the gateway, the latest last. */
function savedPlaces(page: Page): Place[] {
  const places: Place[] = [];
  page.on('request', (request) => {
    const body = request.postData() ?? '';
    const found = /"place":\{"at":\d+,"value":(\{[^}]*\})/.exec(body)?.[1];
    if (found !== undefined) places.push(JSON.parse(found) as Place);
  });
  return places;
}

async function isAt(page: Page, { row, below }: Place = { row: '', below: 0 }): Promise<boolean> {
  const rows = await shownRows(page);
  const edge = (await logOf(page).boundingBox())?.y ?? 0;
  return Math.abs((rows.get(row) ?? Number.POSITIVE_INFINITY) - (edge - below)) <= 2;
}

async function scrollTo(page: Page, text: string): Promise<void> {
  const isThere = async (): Promise<boolean> => {
    const isShown = await logOf(page).getByText(text).isVisible();
    if (!isShown) await page.mouse.wheel(0, -600);
    return isShown;
  };
  await expect.poll(isThere, { timeout: 30_000 }).toBe(true);
}

/** Where each row stands; then the list is scrolled by so much, and two frames go by: what a change of the list moves is in its place then. */
async function shownRows(page: Page, scrolledBy = 0): Promise<Map<string, number>> {
  const rows = await page.evaluate(`new Promise((resolve) => {
    const box = document.querySelector('[role=log]');
    const shown = [...(box?.querySelectorAll('[data-row]') ?? [])].map((row) => [row.dataset.row, row.getBoundingClientRect()]);
    const { top = 0, bottom = 0 } = box?.getBoundingClientRect() ?? {};
    box?.scrollBy(0, ${scrolledBy});
    const rows = shown.filter(([, row]) => row.bottom > top && row.top < bottom).map(([key, row]) => [key, row.top]);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(rows)));
  })`);
  return new Map(rows as [string, number][]);
}

/** How far the rows that are shown have moved, once all is read that is to be. */
async function scrollUp(page: Page, reads: { pending: number }): Promise<number[]> {
  const before = await shownRows(page, -300);
  await expect.poll(() => reads.pending).toBe(0);
  return [...(await shownRows(page))].map(([key, top]) => top - (before.get(key) ?? top - 300));
}

function longSession(session: string, workspace: string): EventBody[] {
  const begun = { type: 'turn.started' as const, model: 'm', profile: 'build' };
  const ended = { type: 'turn.ended' as const, end: 'completed' as const };
  const stepOf = (step: number): EventBody[] => [
    said(1, `Step ${step} says ${'something of some length. '.repeat(step % 20)}`),
    ...callOf(step, session),
  ];
  return [
    { type: 'session.opened', workspace, title: 'Long' },
    { ...begun, turn: 1, text: 'First question' },
    ...Array.from({ length: steps }, (_, step) => stepOf(step)).flat(),
    { ...ended, turn: 1 },
    { ...begun, turn: 2, text: 'Second question' },
    said(2, 'Second answer'),
    { ...ended, turn: 2 },
  ];
}

function said(turn: number, text: string): EventBody {
  const usage = { inputTokens: 10, outputTokens: 2 };
  return { type: 'model.replied', turn, reply: { model: 'm', text, calls: [], usage, stop: 'end' } };
}

function callOf(step: number, session: string): EventBody[] {
  const [id, callId, tool] = [`call_${step}`, `call_${step}`, 'run_command'];
  const line = `echo step ${step}`;
  const stdout = `needle of ${step} in a haystack\n${'hay '.repeat(400)}\n# tests 4\n# pass 4\n# fail 0\n`;
  const text = `--- a/${step}.txt\n+++ b/${step}.txt\n@@ -1 +1 @@\n-old\n+changed by ${step}\n`;
  const diff = { text, additions: 1, deletions: 1, hunks: 1, truncated: false };
  const risk = { risk: 'low' as const, riskReason: 'It only prints.' };
  const plan = { summary: `Run ${line}`, ...risk, touches: [], notes: [], diff, basis: [] };
  const allowed = { verdict: 'allow' as const, layer: 'user' as const, reason: 'Allowed.' };
  const verdict = { ...allowed, risk: 'low' as const, rule: 'r', parts: [] };
  const times = { startedAt: 1, durationMs: 3 };
  const data = { exit_code: 0, stdout };
  const outcome = { status: 'completed' as const, callId, tool, ...times, data, effects: [] };
  return [
    {
      type: 'call.received',
      call: { id, session, tool, args: { command: line }, turn: 1, dialect: 'agent' },
    },
    { type: 'call.planned', callId, plan, verdict },
    { type: 'call.finished', callId, turn: 1, outcome },
  ];
}
