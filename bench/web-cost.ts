// The web IDE in a real Chromium: what is loaded first, when one can write, how long a long session takes, and typing while a model streams.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Running, startGateway } from '@codelab/server/gateway';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Row } from './row.ts';
import { scratch } from './scratch.ts';
import { fillSession } from './web/fill-session.ts';
import { streamingModel } from './web/streaming-model.ts';

const dist = join(import.meta.dirname, '..', 'apps', 'web', 'dist');
const executablePath = process.env.CODELAB_TEST_CHROMIUM ?? '/usr/bin/chromium';
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
];
const composer = 'textarea[aria-label="Message to the agent"]';
const loads = 7;
const keys = 60;
const rounds = 8;

export async function webCost(): Promise<Row[]> {
  if (!existsSync(executablePath) || !existsSync(join(dist, 'index.html'))) return [];
  using place = scratch();
  await using gateway = await startGateway({
    port: 0,
    web: dist,
    compose: { workspace: place.root, home: place.home, env: {} },
    openModel: async () => streamingModel(),
  });
  const browser = await chromium.launch({ executablePath, args: flags });
  try {
    return [
      ...(await firstLoads(browser, gateway)),
      await longSession(browser, gateway, place.root),
      ...(await typing(browser, gateway)),
    ];
  } finally {
    await browser.close();
  }
}

async function open(browser: Browser, { url, signInLink }: Running, hash = ''): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  const page = await context.newPage();
  // Signed in before, as one is from the second time on: the page itself is measured.
  await page.goto(String(signInLink()).replace(/^http:\/\/[^/]+/, url));
  await page.waitForURL(`${url}/`);
  await page.addInitScript(noteUsable);
  await page.goto(`${url}/${hash}`);
  await until(page, 'window.usableAt !== undefined');
  return page;
}

/** In the page: notes when the field can be written into and the browser is free to hear a key. */
const noteUsable = `(() => {
  const look = () => {
    const field = document.querySelector('${composer}');
    if (field === null || field.disabled) requestAnimationFrame(look);
    else setTimeout(() => { window.usableAt = performance.now(); });
  };
  look();
})()`;

async function firstLoads(browser: Browser, gateway: Running): Promise<Row[]> {
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round < loads; round++) {
    const page = await open(browser, gateway);
    times.push(Number(await page.evaluate('window.usableAt')));
    await page.waitForLoadState('networkidle');
    bytes = Number(
      await page.evaluate(
        "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).reduce((sum, one) => sum + one.encodedBodySize, 0)",
      ),
    );
    await page.context().close();
  }
  return [
    goalRow('web: JavaScript of the first load, compressed', bytes / 1024, 350, 'kB'),
    goalRow('web: from the address to a field one can write in', part(times, 0.5), 1500, 'ms'),
  ];
}

async function longSession(browser: Browser, gateway: Running, workspace: string): Promise<Row> {
  const { log } = gateway.gateway.host;
  const last = await fillSession({ log, session: 'long', workspace, entries: 10_000 });
  await log.append('other', [{ type: 'session.opened', workspace, title: 'Other' }], { expected: 0 });
  const times: number[] = [];
  for (let round = 0; round < loads; round++) {
    const page = await open(browser, gateway, '#/other');
    await page.waitForLoadState('networkidle');
    times.push(
      Number(
        await page.evaluate(`new Promise((resolve) => {
          const started = performance.now();
          location.hash = '#/long';
          const look = () => document.querySelector('[role=log]')?.textContent.includes('answer to ${last}')
            ? setTimeout(() => resolve(performance.now() - started)) : requestAnimationFrame(look);
          look();
        })`),
      ),
    );
    await page.context().close();
  }
  return goalRow('web: a session of 10,000 entries opens', part(times, 0.5), 1000, 'ms');
}

/** From the key to the frame that shows it: with a model that streams beside, and without. */
async function typing(browser: Browser, gateway: Running): Promise<Row[]> {
  const page = await open(browser, gateway);
  await page.evaluate(`(() => {
    window.delays = [];
    const shown = new MessageChannel();
    let at = 0;
    shown.port1.onmessage = () => window.delays.push(performance.now() - at);
    document.querySelector('${composer}').addEventListener('keydown', (event) => {
      if (event.key.length > 1) return;
      at = event.timeStamp;
      requestAnimationFrame(() => shown.port2.postMessage(0));
    }, true);
  })()`);
  const delays: { beside: number[]; alone: number[] } = { beside: [], alone: [] };
  for (let round = 0; round < rounds; round++) {
    delays.alone.push(...(await type(page)));
    await page.keyboard.press('Enter');
    await until(page, 'document.querySelector("[role=log]")?.textContent.includes("refills")');
    delays.beside.push(...(await type(page)));
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Send' }).waitFor();
  }
  return [typingRow('median', 0.5, delays), typingRow('99 of 100', 0.99, delays)];
}

function typingRow(
  name: string,
  share: number,
  { beside, alone }: { beside: number[]; alone: number[] },
): Row {
  const [ours, baseline] = [part(beside, share), part(alone, share)];
  return {
    name: `web: typing while 200 tokens/s stream, key to paint, ${name}`,
    ours: `${ours.toFixed(1)} ms`,
    baseline: `without ${baseline.toFixed(1)} ms`,
    ratio: ours / baseline,
    goal: 1.5,
  };
}

async function type(page: Page): Promise<number[]> {
  await page.locator(composer).fill('');
  await page.evaluate('window.delays.length = 0');
  for (let i = 0; i < keys; i++) {
    await page.keyboard.press('abcdefghij '[i % 11] ?? 'a');
    await until(page, `window.delays.length > ${i}`);
  }
  return (await page.evaluate('window.delays')) as number[];
}

/** Waits in the page itself; the policy of the page forbids what Playwright would evaluate there. */
async function until(page: Page, condition: string): Promise<void> {
  await page.evaluate(
    `new Promise((resolve) => { const look = () => (${condition}) ? resolve() : requestAnimationFrame(look); look(); })`,
  );
}

function part(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? Number.NaN;
}

function goalRow(name: string, ours: number, goal: number, unit: string): Row {
  const spelled = (value: number): string => `${Math.round(value)} ${unit}`;
  return { name, ours: spelled(ours), baseline: `at most ${spelled(goal)}`, ratio: ours / goal, goal: 1 };
}
