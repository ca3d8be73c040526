// A line of 300 ms that is cut at random, to a gateway that is killed at random: not one character typed or streamed is missing afterwards.
// `CODELAB_CUT_ROUNDS=50` makes it long.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { notBuilt } from '../support/page-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { slowLine } from '../support/slow-line.ts';
import { type SpawnedGateway, spawnGateway } from '../support/spawn-gateway.ts';

const rounds = Number(process.env.CODELAB_CUT_ROUNDS ?? 3);
const web = process.env.CODELAB_TEST_WEB ?? join(import.meta.dirname, '../..', 'apps', 'web', 'dist');

test.skipIf((noBrowser ?? notBuilt) !== undefined)(
  'over a line that is cut, to a gateway that is killed, nothing typed or streamed is missing',
  async () => {
    using scratch = scratchFolder({});
    const { root, home } = scratch;
    let gateway = await spawnGateway({ root, home, web, wordMs: 100 });
    const port = Number(new URL(gateway.url).port);
    await using stack = new AsyncDisposableStack();
    stack.defer(() => gateway.kill());
    const line = stack.use(await slowLine(port, { delayMs: 300 }));
    const browser = stack.use(await openBrowser());
    const page = await browser.page({ locale: 'en-US', viewport: { width: 1200, height: 800 } });
    page.setDefaultTimeout(30_000);
    await page.goto((await gateway.signInLink()).replace(/^http:\/\/[^/]+/, line.url));
    await page.waitForURL(`${line.url}/`);
    const session = await newSession(gateway);
    await page.goto(`${line.url}/#/${session}`);
    const field = page.getByRole('textbox', { name: 'Message to the agent' });
    await field.focus();
    const random = seeded(18);
    const sentTexts: string[] = [];
    let kills = 0;
    let partials = 0;
    // One message after the other, without waiting for anything.
    for (let burst = 0; burst < rounds * 2; burst++) {
      if (random() < 0.3) line.cut(random() * 400);
      await page.keyboard.type(`quick ${burst} ß${'x'.repeat(burst % 5)}`);
      if (random() < 0.3) line.cut(random() * 200);
      await page.keyboard.press('Enter');
      sentTexts.push(`quick ${burst} ß${'x'.repeat(burst % 5)}`);
    }
    await expect
      .poll(() => userTexts(gateway, session), { timeout: 60_000, interval: 250 })
      .toEqual(sentTexts);
    await expect.poll(() => isIdle(gateway, session), { timeout: 40_000, interval: 100 }).toBe(true);
    for (let round = 0; round < rounds; round++) {
      const message = `no ${round} ünï ${'words of it '.repeat(4 + (round % 3))}end${round}`;
      if (random() < 0.4) line.cut(random() * 400);
      await page.keyboard.type(message);
      if (random() < 0.3) line.cut(random() * 200);
      await page.keyboard.press('Enter');
      sentTexts.push(message);
      await page.getByRole('log').getByText(`answers: no ${round} `).last().waitFor();
      const isKilled = round % 5 === 2 || random() < 0.15;
      if (isKilled) {
        kills++;
        const shownReply = await shownNow(page, `answers: no ${round} `);
        await gateway.kill();
        await page.keyboard.type('typed meanwhile');
        gateway = await spawnGateway({ root, home, web, port, wordMs: 100 });
        await expect.poll(() => replies(gateway, session), { timeout: 30_000 }).toContainEqual(shownReply);
        partials += (await bodies(gateway, session)).filter(isPartial).length;
        expect(await field.inputValue()).toBe('typed meanwhile');
        await field.press('Control+a');
      } else if (random() < 0.5) line.cut(random() * 300);
      await expect.poll(() => isIdle(gateway, session), { timeout: 40_000, interval: 100 }).toBe(true);
      expect(await userTexts(gateway, session)).toEqual(sentTexts);
      const latest = (await replies(gateway, session)).at(-1);
      const article = page.getByRole('log').getByRole('article', { name: 'Agent' }).last();
      await expect.poll(() => wordsOf(article.textContent()), { timeout: 30_000 }).toBe(latest?.trim());
    }
    await expect.poll(() => page.getByText('Sending…').count(), { timeout: 20_000 }).toBe(0);
    expect([kills > 0, partials > 0, line.broken > rounds / 2]).toEqual([true, true, true]);
    process.stdout.write(`${rounds} rounds: ${kills} kills, ${line.broken} connections cut\n`);
  },
  60_000 + rounds * 15_000,
);

/** Fits a text that begins with all that is on the screen of an answer now. */
async function shownNow(page: Page, part: string): Promise<unknown> {
  const lines = (await page.getByRole('log').innerText()).split('\n');
  const shownLine = lines.findLast((text) => text.includes(part))?.trim() ?? '';
  return expect.stringMatching(new RegExp(`^${shownLine.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
}

async function wordsOf(text: Promise<string | null>): Promise<string | undefined> {
  return (await text)?.replace('Stopped here', '').trim();
}

type Body = Record<string, unknown> & { type: string };

async function ask(gateway: SpawnedGateway, path: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { authorization: 'Bearer a-long-token', 'content-type': 'application/json' };
  return await (await fetch(`${gateway.url}/api/v1${path}`, { ...init, headers })).json();
}

async function newSession(gateway: SpawnedGateway): Promise<string> {
  return ((await ask(gateway, '/sessions', { method: 'POST', body: '{}' })) as { id: string }).id;
}

async function bodies(gateway: SpawnedGateway, session: string): Promise<Body[]> {
  const { events } = (await ask(gateway, `/sessions/${session}/log`)) as { events: { body: Body }[] };
  return events.map(({ body }) => body);
}

async function userTexts(gateway: SpawnedGateway, session: string): Promise<unknown[]> {
  const all = await bodies(gateway, session);
  return all.filter(({ type }) => type === 'turn.started' || type === 'turn.steered').map(({ text }) => text);
}

async function replies(gateway: SpawnedGateway, session: string): Promise<string[]> {
  const all = await bodies(gateway, session);
  return all.flatMap(({ type, reply }) =>
    type === 'model.replied' ? [(reply as { text: string }).text] : [],
  );
}

function isPartial({ reply }: Body): boolean {
  return (reply as { stop?: string } | undefined)?.stop === 'interrupted';
}

async function isIdle(gateway: SpawnedGateway, session: string): Promise<boolean> {
  return (
    (await bodies(gateway, session)).findLast(({ type }) => type.startsWith('turn.'))?.type === 'turn.ended'
  );
}

/** The same numbers at every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
