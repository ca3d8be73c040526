// A real Chromium for page tests; where the machine has none, `noBrowser` says so and the suite skips. Starting one and filling its cache
// costs more than most tests, so both are reused by later tests of the process.
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

export type OpenBrowser = AsyncDisposable & {
  /** A page that shares no cookies, storage or permissions with another; what came from the same address may be cached. */
  page(options?: PageOptions): Promise<Page>;
};

type PageOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

// The shell is the same engine without the browser's own windows, and pages in it cost half as much processor time.
const installed = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath =
  process.env.CODELAB_TEST_CHROMIUM ?? installed.find((path) => existsSync(path)) ?? '/usr/bin/chromium';

// The tests talk to loopback only: nothing of the browser itself may go anywhere else.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Why no test here can open a browser; undefined when one can. For `describe.skipIf(noBrowser !== undefined)`. */
export const noBrowser: string | undefined = existsSync(executablePath)
  ? undefined
  : `no Chromium at ${executablePath}: apt-get install chromium-headless-shell, or name one in CODELAB_TEST_CHROMIUM`;

/** How long it stays open for the next user. */
const idleMs = 2000;

let running: Promise<Browser> | undefined;
let users = 0;
let leaving: NodeJS.Timeout | undefined;

export async function openBrowser(): Promise<OpenBrowser> {
  if (noBrowser !== undefined) throw new Error(noBrowser);
  users++;
  clearTimeout(leaving);
  running ??= chromium.launch({ executablePath, args: flags });
  const browser = await running;
  const pages: Page[] = [];
  return {
    async page(options) {
      const page = await openPage(browser, options);
      pages.push(page);
      return page;
    },
    async [Symbol.asyncDispose]() {
      for (const page of pages) await page.close();
      users--;
      if (users === 0) leaving = setTimeout(() => void leave(browser), idleMs);
    },
  };
}

async function leave(browser: Browser): Promise<void> {
  running = undefined;
  await browser.close();
}

/** Contexts without a page, by what can't be changed in them. */
const idle = new Map<string, BrowserContext[]>();

async function openPage(
  browser: Browser,
  { viewport, colorScheme = 'light', reducedMotion = 'no-preference', ...fixed }: PageOptions = {},
): Promise<Page> {
  const kind = JSON.stringify(fixed);
  const free = idle.get(kind) ?? [];
  idle.set(kind, free);
  const used = free.pop();
  const context = used && browser.contexts().includes(used) ? used : await browser.newContext(fixed);
  const page = await context.newPage();
  page.once('close', () => context.pages().length === 0 && free.push(context));
  if (context === used) await forget(page);
  await page.emulateMedia({ colorScheme, reducedMotion });
  if (viewport) await page.setViewportSize(viewport);
  return page;
}

/** Removes all state of an earlier page except the cache. */
async function forget(page: Page): Promise<void> {
  const context = page.context();
  await context.clearCookies();
  await context.clearPermissions();
  const devtools = await context.newCDPSession(page);
  const storageTypes = 'local_storage,indexeddb,cache_storage,service_workers';
  await devtools.send('Storage.clearDataForOrigin', { origin: '*', storageTypes });
  await devtools.detach();
}
