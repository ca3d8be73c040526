// A signed-in page of the web IDE in a real Chromium, and how one waits in it.
import { existsSync } from 'node:fs';
import type { Running } from '@codelab/server/gateway';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';

const installed = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath =
  process.env.CODELAB_TEST_CHROMIUM ?? installed.find((path) => existsSync(path)) ?? '/usr/bin/chromium';
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
];

export const hasBrowser = existsSync(executablePath);
/** In every language of the page. */
export const composer =
  'textarea:is([aria-label="Message to the agent"], [aria-label="Сообщение агенту"], [aria-label="给智能体的消息"])';

export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath, args: flags });
}

/** `prepare` is run on the signed-in page before the address is opened. */
export async function openPage(
  browser: Browser,
  { url, signInLink }: Running,
  {
    hash = '',
    locale = 'en-US',
    prepare,
  }: { hash?: string; locale?: string; prepare?: (devtools: CDPSession, page: Page) => Promise<void> } = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale });
  const page = await context.newPage();
  // Signed in before, as one is from the second time on: the page itself is measured.
  await page.goto(String(signInLink()).replace(/^http:\/\/[^/]+/, url));
  await page.waitForURL(`${url}/`);
  await page.addInitScript(noteUsable);
  if (prepare !== undefined) await prepare(await context.newCDPSession(page), page);
  // From another page: another hash of the same address would load nothing.
  await page.goto('about:blank');
  await page.goto(`${url}/${hash}`);
  await until(page, 'window.usableAt !== undefined');
  return page;
}

/** In the page: records when the field is usable and the browser is free to handle a key. */
const noteUsable = `(() => {
  const look = () => {
    const field = document.querySelector('${composer}');
    if (field === null || field.disabled) requestAnimationFrame(look);
    else setTimeout(() => { window.usableAt = performance.now(); });
  };
  look();
})()`;

/** Waits in the page itself; the policy of the page forbids what Playwright would evaluate there. */
export async function until(page: Page, condition: string): Promise<void> {
  await page.evaluate(
    `new Promise((resolve) => { const look = () => (${condition}) ? resolve() : requestAnimationFrame(look); look(); })`,
  );
}
