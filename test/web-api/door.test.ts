// The way into the web IDE: signing in, the page and its files.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { codelabProgram } from '../support/codelab-program.ts';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { signIn } from '../support/signed-in-page.ts';
import { ask, json, smallWeb } from '../support/small-web.ts';

const token = 'secret-token';

test('the sign-in sets a cookie that is no token, and hands the page its secrets once', async () => {
  await using bench = await smallWeb();
  const { port } = new URL(bench.running.url);
  const body = JSON.stringify({ token });
  const first = await ask(bench, '/login', { method: 'POST', headers: json, body });
  expect(first.status).toBe(200);
  const answer = JSON.parse(first.body) as Record<string, string>;
  expect(answer).toEqual({ user: expect.any(String), secret: expect.any(String), key: expect.any(String) });
  const [cookie = ''] = first.headers['set-cookie'] ?? [];
  expect(cookie).toMatch(
    new RegExp(`^codelab_session_${port}=[\\w-]{32}; Path=/; HttpOnly; SameSite=Strict; Max-Age=\\d+$`),
  );
  const id = /=([\w-]+);/.exec(cookie)?.[1] ?? '';
  expect(new Set([id, answer.secret, answer.key, token]).size).toBe(4);
  const page = await ask(bench, '/', { headers: { cookie: cookie.split(';')[0] } });
  expect(page.status).toBe(200);
  const nonce = /content="([\w-]{20,})">App/.exec(page.body)?.[1];
  expect(page.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining(`style-src 'self' 'nonce-${nonce}'`),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
  });
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|\*|script-src[^;]*nonce/);
});

test('the frame that draws diagrams has no origin, reaches nothing, and only the page may show it', async () => {
  await using bench = await smallWeb();
  const { status, headers, body } = await ask(bench, '/diagram');
  expect([status, headers['x-frame-options'], headers['set-cookie']]).toEqual([200, 'SAMEORIGIN', undefined]);
  const policy = String(headers['content-security-policy']).split('; ');
  expect(policy.map((rule) => rule.replace(/sha256-[\w+/=]{44}/, 'sha256-…'))).toEqual([
    "default-src 'none'",
    "script-src 'sha256-…' blob:",
    "style-src 'unsafe-inline'",
    'sandbox allow-scripts',
    "frame-ancestors 'self'",
    "form-action 'none'",
    "base-uri 'none'",
  ]);
  expect(body.match(/<script/g)).toHaveLength(1);
});

test('without a session there is a page to sign in, and looking at a link uses nothing up', async () => {
  await using bench = await smallWeb();
  const page = await ask(bench, '/');
  expect([page.status, page.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
  expect(page.body).not.toMatch(/style=|onload|<script>/);
  expect(page.headers['content-security-policy']).toContain("script-src 'self'");
  const { pathname, search } = new URL(String(bench.running.signInLink()));
  const code = search.replace('?code=', '');
  for (let i = 0; i < 2; i++) {
    const looked = await ask(bench, pathname + search);
    expect([looked.status, looked.headers['set-cookie']]).toEqual([200, undefined]);
    expect(looked.body).not.toContain(code);
  }
  const use = async () =>
    (await ask(bench, '/login', { method: 'POST', headers: json, body: JSON.stringify({ code }) })).status;
  expect([await use(), await use()]).toEqual([200, 401]);
  const wrong = await ask(bench, '/?token=%3Cscript%3E');
  expect([wrong.headers['set-cookie'], wrong.body.includes('<script>')]).toEqual([undefined, false]);
});

test('`codelab sign-in` makes a link for the page’s own name, which works once', async () => {
  await using bench = await smallWeb();
  const { url, port } = bench.running;
  const run = promisify(execFile);
  const env = { ...process.env, CODELAB_HOME: bench.home };
  const { stdout } = await run(process.execPath, [codelabProgram, 'sign-in', url], { env });
  const link = new URL(stdout.trim());
  expect(link.origin).toBe(new URL(String(bench.running.signInLink())).origin);
  expect(link.host).toMatch(new RegExp(`^ide-\\w+\\.localhost:${port}$`));
  const body = JSON.stringify({ code: link.searchParams.get('code') });
  const headers = { ...json, host: link.host, origin: link.origin };
  const use = async () => (await ask(bench, '/login', { method: 'POST', headers, body })).status;
  expect([await use(), await use()]).toEqual([200, 401]);
});

test('when another program has the port on ::1, the page goes without a name of its own', async (context) => {
  const other = createServer().listen({ port: 0, host: '::1' });
  const failed = await Promise.race([once(other, 'listening').then(() => false), once(other, 'error')]).catch(
    () => true,
  );
  if (failed) return context.skip('no IPv6 here');
  const { port } = other.address() as AddressInfo;
  try {
    const { folder } = scratchFolder();
    await using bench = await gatewayBench({ web: folder, port });
    expect(bench.running.signInLink()).toContain(`http://127.0.0.1:${port}/?code=`);
  } finally {
    other.close();
  }
});

test('who tries many tokens at the sign-in waits, even with the right one', async () => {
  await using bench = await smallWeb();
  const statuses: number[] = [];
  for (let i = 0; i < 15; i++)
    statuses.push(
      (
        await ask(bench, '/login', {
          method: 'POST',
          headers: json,
          body: JSON.stringify({ token: `no${i}` }),
        })
      ).status,
    );
  expect(statuses.slice(0, 10)).toEqual(new Array(10).fill(401));
  expect(statuses.slice(11)).toEqual(new Array(4).fill(429));
  const right = { method: 'POST', headers: json, body: JSON.stringify({ token }) };
  expect((await ask(bench, '/login', right)).status).toBe(429);
  expect((await bench.request('/api/v1/sessions')).status).toBe(200);
});

test('files of the web IDE are sent for good, compressed, and nothing beside them', async () => {
  await using bench = await smallWeb();
  const plainReply = await ask(bench, '/assets/app-1a2b.js');
  expect([plainReply.status, plainReply.headers['cache-control']]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ]);
  expect(plainReply.headers).toMatchObject({
    'content-type': expect.stringContaining('javascript'),
    'x-content-type-options': 'nosniff',
  });
  const small = await ask(bench, '/assets/app-1a2b.js', { headers: { 'accept-encoding': 'br' } });
  expect([small.status, small.headers['content-encoding']]).toEqual([200, 'br']);
  expect([plainReply.headers.vary, small.headers.vary]).toEqual(['accept-encoding', 'accept-encoding']);
  expect([plainReply.headers['content-encoding'], plainReply.body]).toEqual([
    undefined,
    'console.log("app");\n'.repeat(100),
  ]);
  const gzipOnly = { headers: { 'accept-encoding': 'gzip, br;q=0' } };
  expect((await ask(bench, '/assets/app-1a2b.js', gzipOnly)).headers['content-encoding']).toBe('gzip');
  const unpacked = await fetch(`${bench.running.url}/assets/app-1a2b.js`, gzipOnly);
  expect(await unpacked.text()).toBe(plainReply.body);
  for (const path of [
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
    '/assets//../../secret.txt',
    '/assets/..\\..\\secret.txt',
    '/assets/none.js',
    '/assets/gone.js',
    '/assets/unlisted.js',
    '/assets/app-1a2b.js.br',
    '/assets/__proto__',
    '/files.json',
    '/assets/',
    '/assets',
    '/favicon.ico',
  ]) {
    const { status, body } = await ask(bench, path);
    expect([path, status >= 400, body.includes('not for you')]).toEqual([path, true, false]);
  }
  expect(bench.faults).toEqual([]);
});

test('a link from elsewhere makes the page ask once more, by itself', async () => {
  await using bench = await smallWeb();
  const { status, body } = await ask(bench, '/', { headers: { 'sec-fetch-site': 'cross-site' } });
  expect([status, body]).toEqual([200, expect.stringContaining('http-equiv="refresh" content="0"')]);
});

test('a web IDE that is not built says how to build it; a gateway without one has no page', async () => {
  const { folder } = scratchFolder();
  await using benchWithoutPage = await gatewayBench({ web: join(folder, 'nowhere') });
  const page = await ask(benchWithoutPage, '/', {
    headers: { cookie: (await signIn(benchWithoutPage)).cookie },
  });
  expect([page.status, page.body]).toEqual([503, expect.stringContaining('npm run build')]);
  expect((await ask(benchWithoutPage, '/assets/x.js')).status).toBe(404);
  await using without = await gatewayBench();
  expect((await without.request('/')).status).toBe(404);
  expect((await without.request('/login', { method: 'POST', body: '{}' })).status).toBe(404);
});
