// The web IDE as a person has it: a real gateway over a temp workspace, the built page, and a real Chromium that is signed in.
// Whatever the page's console calls an error, and every violation of its policy, is a failure: look at `problems`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type OpenBrowser, openBrowser } from './browser.ts';
import { type GatewayBench, gatewayBench } from './gateway-bench.ts';

type BenchOptions = NonNullable<Parameters<typeof gatewayBench>[0]>;
type PageOptions = NonNullable<Parameters<OpenBrowser['page']>[0]> & {
  /** The session on the screen; without it, the latest. */
  session?: string;
  /** The address of a line that leads to the gateway. */
  proxyUrl?: string;
};

export type PageBench = AsyncDisposable & {
  gateway: GatewayBench;
  /** Console errors, uncaught exceptions and policy violations of all pages. */
  problems: string[];
  /** A signed-in page that shares no cookies or storage with another, with the app on it. */
  open(options?: PageOptions): Promise<Page>;
  /** Makes a session over the API and returns its id. */
  session(title?: string): Promise<string>;
};

const dist = process.env.CODELAB_TEST_WEB ?? join(import.meta.dirname, '..', '..', 'apps', 'web', 'dist');

/** Why the web IDE can't be tested here; undefined when it can. */
export const notBuilt: string | undefined = existsSync(join(dist, 'index.html'))
  ? undefined
  : 'apps/web is not built: npm run build';

export async function pageBench(options: BenchOptions = {}): Promise<PageBench> {
  await using stack = new AsyncDisposableStack();
  // With a named mode, the question for new folders is skipped.
  const gateway = await startWhereItWas({ web: dist, mode: 'strict', ...options });
  stack.defer(() => {
    freePort = gateway.running.port;
  });
  stack.use(gateway);
  const browser = stack.use(await openBrowser());
  const problems: string[] = [];
  const resources = stack.move();
  return {
    gateway,
    problems,
    async open({ session, proxyUrl, ...context } = {}) {
      const page = await browser.page({
        viewport: { width: 1440, height: 900 },
        locale: 'en-US',
        ...context,
      });
      // Shorter than the test's own timeout, so that a failure names the awaited state.
      page.setDefaultTimeout(12_000);
      await watch(page, problems);
      const url = proxyUrl ?? gateway.running.url;
      // By address instead of the page's own name, so that the browser has the app in its cache.
      await page.goto(String(gateway.running.signInLink()).replace(/^http:\/\/[^/]+/, url));
      await page.waitForURL(`${url}/`);
      if (session !== undefined) await page.goto(`${url}/#/${session}`);
      await page.getByRole('main').waitFor();
      return page;
    },
    async session(title) {
      const body = JSON.stringify(title === undefined ? {} : { title });
      const answer = await gateway.request('/api/v1/sessions', { method: 'POST', body });
      return ((await answer.json()) as { id: string }).id;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** The last gateway's port, unless one is running now. */
let freePort = 0;

/** At the previous gateway's address, so that the browser has the app in its cache, as on any day but the first. */
async function startWhereItWas(options: BenchOptions): Promise<GatewayBench> {
  const port = freePort;
  if (port === 0 || options.port !== undefined) return gatewayBench(options);
  freePort = 0;
  // The port may be taken by another program meanwhile.
  return gatewayBench({ ...options, port }).catch(() => gatewayBench(options));
}

async function watch(page: Page, problems: string[]): Promise<void> {
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  await page.exposeFunction('reportViolation', (text: string) => problems.push(`policy: ${text}`));
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) => {
    window.reportViolation(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber);
  });`);
}
