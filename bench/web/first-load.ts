// The first load of the page: how much comes over the line, when one can write, and how many requests wait for another one.
import type { Running } from '@codelab/server/gateway';
import type { Browser, CDPSession, Route } from 'playwright-core';
import { openPage, until } from './open-page.ts';

const loads = 7;
/** Long enough for a busy machine to send every request that it can send at this point. */
const quietMs = 2500;
/** What the page requests by itself so long after the field is usable belongs to the first load, also if it is fetched in idle time. */
const laterMs = 3000;

export type FirstLoad = {
  /** Bytes of the document and its files over the connection: until the frame can be shown, and all of the first load. */
  frameBytes: number;
  bytes: number;
  /** The part of `bytes` that was requested after the field was usable. */
  laterBytes: number;
  /** From the address to a usable field: wall-clock time, and processor time of the page's main thread. */
  usableMs: number[];
  workMs: number[];
  /** The number of sequential requests before the field and the conversation appear: the document is 0, its direct files 1. */
  depth: number;
};

/** `text`: at the end of the conversation. */
type Opened = { hash: string; text: string; locale?: string };

export async function firstLoad(browser: Browser, gateway: Running, opened: Opened): Promise<FirstLoad> {
  const { hash, locale = 'en-US' } = opened;
  const usableMs: number[] = [];
  const workMs: number[] = [];
  let sizes = { frameBytes: 0, bytes: 0, laterBytes: 0 };
  for (let round = 0; round < loads; round++) {
    const sessions: CDPSession[] = [];
    const page = await openPage(browser, gateway, {
      hash,
      locale,
      prepare: async (devtools) => {
        await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
        await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
        sessions.push(devtools);
      },
    });
    usableMs.push(Number(await page.evaluate('window.usableAt')));
    const { metrics } = (await sessions[0]?.send('Performance.getMetrics')) ?? { metrics: [] };
    workMs.push((metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000);
    await until(page, `performance.now() > window.usableAt + ${laterMs}`);
    await page.waitForLoadState('networkidle');
    sizes = (await page.evaluate(sizesOfFiles)) as typeof sizes;
    await page.context().close();
  }
  return { ...sizes, usableMs, workMs, depth: await waterfall(browser, gateway, opened) };
}

/** In the page. The frame needs the entry's imports and its styles; API responses depend on the session. */
const sizesOfFiles = `(async () => {
  const files = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(({ name }) => !new URL(name).pathname.startsWith('/api/'));
  const sum = (some) => some.reduce((all, one) => all + one.encodedBodySize, 0);
  const needed = new Set();
  const visit = async (address) => {
    if (needed.has(address)) return;
    needed.add(address);
    const script = await (await fetch(address)).text();
    for (const [, name] of script.matchAll(/\\b(?:import|from)\\s*["']\\.\\/([\\w.-]+\\.js)["']/g)) await visit(new URL(name, address).href);
  };
  for (const { src } of document.querySelectorAll('script[src]')) await visit(src);
  return {
    bytes: sum(files),
    laterBytes: sum(files.filter(({ startTime }) => startTime > window.usableAt)),
    frameBytes: sum(files.filter(({ name }) => needed.has(name) || !name.endsWith('.js'))),
  };
})()`;

/**
 * Requests are held and released in rounds, each when no other one has arrived for a while: a request that depends on an answer comes a
 * round later.
 */
async function waterfall(
  browser: Browser,
  gateway: Running,
  { hash, text, locale = 'en-US' }: Opened,
): Promise<number> {
  const heldRoutes: Route[] = [];
  let latest = performance.now();
  let rounds = 0;
  const letGo = setInterval(() => {
    if (heldRoutes.length === 0 || performance.now() - latest < quietMs) return;
    rounds++;
    for (const route of heldRoutes.splice(0)) void route.continue();
  }, 50);
  try {
    const page = await openPage(browser, gateway, {
      hash,
      locale,
      prepare: async (_devtools, before) => {
        await before.route('**', (route) => {
          heldRoutes.push(route);
          latest = performance.now();
        });
      },
    });
    await until(page, `document.querySelector('[role=log]')?.textContent.includes('${text}')`);
    // The first round is the document.
    const depth = rounds - 1;
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().close();
    return depth;
  } finally {
    clearInterval(letGo);
  }
}
