// A real Chromium for tests that look at pages; where the machine has none, `noBrowser` says so and the suite skips.
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

export type OpenBrowser = AsyncDisposable & {
  browser: Browser;
  /** A page in a context of its own: no cookies, storage or cache shared with another. */
  page(options?: PageOptions): Promise<Page>;
};

type PageOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

const executablePath = process.env.CODELAB_TEST_CHROMIUM ?? '/usr/bin/chromium';

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
  : `no Chromium at ${executablePath}: apt-get install chromium, or name one in CODELAB_TEST_CHROMIUM`;

export async function openBrowser(): Promise<OpenBrowser> {
  if (noBrowser !== undefined) throw new Error(noBrowser);
  const browser = await chromium.launch({ executablePath, args: flags });
  return {
    browser,
    async page(options = {}) {
      const context = await browser.newContext(options);
      return context.newPage();
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
