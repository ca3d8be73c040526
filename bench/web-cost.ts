// The web IDE in a real Chromium: size of the first load, time until one can type, the duration of a long session, typing while a model
// streams, scrolling a large review, and the heap of a page that stays open.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Running, startGateway } from '@codelab/server/gateway';
import type { Browser, Page } from 'playwright-core';
import type { Row } from './row.ts';
import { scratch } from './scratch.ts';
import { fillSession } from './web/fill-session.ts';
import { firstLoad } from './web/first-load.ts';
import { heapGrowth } from './web/heap-growth.ts';
import { composer, hasBrowser, launchBrowser, openPage, until } from './web/open-page.ts';
import { reviewFrames } from './web/review-frames.ts';
import { streamingModel } from './web/streaming-model.ts';

const dist = join(import.meta.dirname, '..', 'apps', 'web', 'dist');
const loads = 7;
const keys = 60;
const rounds = 8;

export async function webCost(): Promise<Row[]> {
  if (!hasBrowser || !existsSync(join(dist, 'index.html'))) return [];
  using place = scratch();
  await using gateway = await startGateway({
    port: 0,
    web: dist,
    compose: { workspace: place.root, home: place.home, env: {}, mode: 'trusted' },
    openModel: async () => streamingModel(),
  });
  const browser = await launchBrowser();
  try {
    return [
      ...(await firstLoads(browser, gateway, place.root)),
      await longSession(browser, gateway, place.root),
      ...(await typing(browser, gateway)),
      await reviewRow(browser, gateway, place.root),
      await heapRow(browser, gateway, { workspace: place.root, stepsOfTurn: 1000 }),
      await heapRow(browser, gateway, { workspace: place.root, stepsOfTurn: 1 }),
    ];
  } finally {
    await browser.close();
  }
}

async function firstLoads(browser: Browser, gateway: Running, workspace: string): Promise<Row[]> {
  const { log } = gateway.gateway.host;
  const last = await fillSession({ log, session: 'short', workspace, entries: 300 });
  const opened = { hash: '#/short', text: `answer to ${last}` };
  const loaded = await firstLoad(browser, gateway, opened);
  const all = goalRow('web: all files of the first load, compressed', loaded.bytes / 1000, 180, 'kB');
  const usable = goalRow(
    'web: from the address to a field one can write in',
    part(loaded.usableMs, 0.5),
    1000,
    'ms',
  );
  return [
    goalRow('web: files before the frame is shown, compressed', loaded.frameBytes / 1000, 180, 'kB'),
    { ...all, ours: `${all.ours}, ${(loaded.laterBytes / 1000).toFixed(1)} kB of them after the field` },
    { ...usable, ours: `${usable.ours}, ${Math.round(part(loaded.workMs, 0.5))} ms of work` },
    goalRow('web: requests one after the other until the conversation is shown', loaded.depth, 2, ''),
    ...(await firstLoadsIn('ru', browser, gateway, opened)),
    ...(await firstLoadsIn('zh', browser, gateway, opened)),
  ];
}

async function firstLoadsIn(
  locale: string,
  browser: Browser,
  gateway: Running,
  opened: { hash: string; text: string },
): Promise<Row[]> {
  const { bytes, depth } = await firstLoad(browser, gateway, { ...opened, locale });
  return [
    goalRow(`web: all files of the first load in ${locale}, compressed`, bytes / 1000, 180, 'kB'),
    goalRow(`web: requests one after the other in ${locale}`, depth, 2, ''),
  ];
}

async function reviewRow(browser: Browser, gateway: Running, root: string): Promise<Row> {
  const { frames, over, medianMs, longestMs, lines } = await reviewFrames(browser, gateway, root);
  return {
    name: `web: scrolling a review of ${lines} lines, frames with over 50 ms of work`,
    ours: `${over} of ${frames}; median ${medianMs.toFixed(1)}, longest ${longestMs.toFixed(0)} ms`,
    baseline: 'at most 2 %',
    ratio: over / frames / 0.02,
    goal: 1,
  };
}

async function heapRow(
  browser: Browser,
  gateway: Running,
  { workspace, stepsOfTurn }: { workspace: string; stepsOfTurn: number },
): Promise<Row> {
  const session = `growing-${stepsOfTurn}`;
  const { startBytes, bytesPerStep, steps } = await heapGrowth(browser, gateway, {
    session,
    workspace,
    stepsOfTurn,
  });
  const turns = steps / stepsOfTurn;
  return {
    name: `web: heap after ${steps} more steps in ${turns === 1 ? 'one turn' : `${turns} turns`}, after a collection`,
    ours: `${Math.round(bytesPerStep)} bytes a step`,
    baseline: `at most 150; ${(startBytes / 2 ** 20).toFixed(1)} MB before`,
    ratio: bytesPerStep / 150,
    goal: 1,
  };
}

async function longSession(browser: Browser, gateway: Running, workspace: string): Promise<Row> {
  const { log } = gateway.gateway.host;
  const last = await fillSession({ log, session: 'long', workspace, entries: 10_000 });
  await log.append('other', [{ type: 'session.opened', workspace, title: 'Other' }], { expected: 0 });
  const times: number[] = [];
  for (let round = 0; round < loads; round++) {
    const page = await openPage(browser, gateway, { hash: '#/other' });
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

/** From the key press to the frame that shows it, with and without a streaming model. */
async function typing(browser: Browser, gateway: Running): Promise<Row[]> {
  const page = await openPage(browser, gateway);
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
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
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

function part(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? Number.NaN;
}

function goalRow(name: string, ours: number, goal: number, unit: string): Row {
  const spelled = (value: number): string => `${Math.round(value)} ${unit}`;
  return { name, ours: spelled(ours), baseline: `at most ${spelled(goal)}`, ratio: ours / goal, goal: 1 };
}
