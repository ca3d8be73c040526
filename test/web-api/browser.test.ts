// The door with a real browser: signing in by the form, and pages of others that try to use somebody's cookie.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

/** A different program on this machine; its pages are the same site for a browser. */
async function otherPage(html: string): Promise<AsyncDisposable & { port: number }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await close();
    },
  };
}

function smallWeb(): string {
  const web = join(scratchFolder().folder, 'web');
  mkdirSync(web, { recursive: true });
  writeFileSync(join(web, 'index.html'), '<!doctype html><title>App</title><h1>App</h1>');
  return web;
}

describe.skipIf(noBrowser !== undefined)('with a real browser', () => {
  test('the form signs in, the page stays open after a reload and closes with the sign-out', async () => {
    await using bench = await gatewayBench({ web: smallWeb() });
    await using opened = await openBrowser();
    const page = await opened.page();
    await page.goto(bench.running.url);
    await page.fill('#token', 'wrong-token');
    await page.click('button');
    await page.getByRole('alert').filter({ hasText: 'token' }).waitFor();
    await page.fill('#token', 'secret-token');
    await page.click('button');
    await page.getByRole('heading', { name: 'App' }).waitFor();
    await page.reload();
    expect(await page.textContent('h1')).toBe('App');
    await page.evaluate(() => {
      const { secret = '' } = JSON.parse(localStorage.getItem('codelab.page') ?? '{}') as { secret?: string };
      return fetch('/logout', { method: 'POST', headers: { 'x-codelab-page': secret } });
    });
    await page.reload();
    expect(await page.textContent('h1')).toBe('Sign in');
  });

  test('a page of another port gets nothing by the cookie, and a link from elsewhere still opens the app', async () => {
    await using bench = await gatewayBench({ web: smallWeb() });
    const { url } = bench.running;
    await using other = await otherPage(`<a href="${url}/">open</a>`);
    await using opened = await openBrowser();
    const page = await opened.page();
    await page.goto(`${url}/?token=secret-token`);
    await page.getByRole('heading', { name: 'App' }).waitFor();
    expect(page.url()).toBe(`${url}/`);
    // The same site by another port, and another site by another name.
    for (const name of ['127.0.0.1', 'localhost']) {
      await page.goto(`http://${name}:${other.port}/`);
      const tried = await page.evaluate(async (at) => {
        const post = (options: RequestInit): Promise<string> =>
          fetch(`${at}/api/v1/sessions`, {
            method: 'POST',
            body: '{}',
            credentials: 'include',
            ...options,
          }).then(
            ({ type }) => type,
            () => 'refused',
          );
        const socket = new Promise<string>((resolve) => {
          const line = new WebSocket(`${at.replace('http', 'ws')}/ws/stolen`);
          line.onopen = () => resolve('open');
          line.onerror = () => resolve('refused');
        });
        const json = { 'content-type': 'application/json' };
        return [await post({ mode: 'no-cors' }), await post({ headers: json }), await socket];
      }, url);
      expect(tried).toEqual(['opaque', 'refused', 'refused']);
      await page.click('a');
      await page.getByRole('heading', { name: 'App' }).waitFor();
    }
    const { total } = (await (await bench.request('/api/v1/sessions')).json()) as { total: number };
    expect(total).toBe(0);
    expect(bench.faults).toEqual([]);
  });
});
