// The way into the web IDE: signing in, the cookie and what it counts for, the page and its files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type GatewayBench, gatewayBench } from './support/gateway-bench.ts';
import { scratchFolder } from './support/scratch-folder.ts';

const token = 'secret-token';

/** A gateway with a small web IDE. */
async function webBench(): Promise<GatewayBench & { web: string }> {
  const { folder } = scratchFolder();
  const web = join(folder, 'web');
  mkdirSync(join(web, 'assets'), { recursive: true });
  writeFileSync(join(web, 'index.html'), '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__">App');
  writeFileSync(join(web, 'assets', 'app-1a2b.js'), 'console.log("app");\n'.repeat(100));
  writeFileSync(
    join(web, 'assets', 'app-1a2b.js.br'),
    brotliCompressSync('console.log("app");\n'.repeat(100)),
  );
  writeFileSync(join(folder, 'secret.txt'), 'not for you');
  return Object.assign(await gatewayBench({ web }), { web });
}

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

/** Exactly these headers, as a browser or a forger would send them. */
function ask(
  { running }: GatewayBench,
  path: string,
  { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: object; body?: string } = {},
): Promise<Answer> {
  const { host, port } = new URL(running.url);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { host, ...headers },
        setHost: false,
        agent: false,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const json = { 'content-type': 'application/json' };

async function cookieOf(bench: GatewayBench): Promise<string> {
  const { headers } = await ask(bench, `/?token=${token}`);
  return String(headers['set-cookie']?.[0]).split(';')[0] ?? '';
}

test('opening the address with the token sets a cookie that opens the page, and the token leaves the address', async () => {
  await using bench = await webBench();
  const { port } = new URL(bench.running.url);
  const first = await ask(bench, `/?token=${token}&session=s1`);
  expect([first.status, first.headers.location]).toEqual([302, '/?session=s1']);
  const [cookie = ''] = first.headers['set-cookie'] ?? [];
  expect(cookie).toBe(
    `codelab_token_${port}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${30 * 24 * 3600}`,
  );
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

test('without a cookie there is a page to sign in, without any script', async () => {
  await using bench = await webBench();
  const page = await ask(bench, '/');
  expect([page.status, page.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
  expect(page.body).toContain('<form method="post" action="/login">');
  expect(page.body).not.toMatch(/<script|style=|onload/);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  const wrong = await ask(bench, '/?token=%3Cscript%3E');
  expect([wrong.status, wrong.headers['set-cookie']]).toEqual([401, undefined]);
  expect(wrong.body).not.toContain('<script');
});

test('the form signs in and sends on, a program gets JSON, and signing out drops the cookie', async () => {
  await using bench = await webBench();
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: bench.running.url };
  const done = await ask(bench, '/login', { method: 'POST', headers: form, body: `token=${token}` });
  expect([done.status, done.headers.location]).toEqual([303, '/']);
  expect(done.headers['set-cookie']?.[0]).toContain('HttpOnly');
  const wrong = await ask(bench, '/login', { method: 'POST', headers: form, body: 'token=no' });
  expect([wrong.status, wrong.headers['set-cookie']]).toEqual([401, undefined]);
  expect(wrong.body).toContain('role="alert"');
  const byJson = await ask(bench, '/login', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ token }),
  });
  expect([byJson.status, JSON.parse(byJson.body)]).toEqual([200, { user: expect.any(String) }]);
  const out = await ask(bench, '/logout', { method: 'POST', headers: { origin: bench.running.url } });
  expect([out.status, out.headers['set-cookie']?.[0]]).toEqual([204, expect.stringContaining('Max-Age=0')]);
});

test('the cookie counts for our own page only', async () => {
  await using bench = await webBench();
  const { url } = bench.running;
  const cookie = await cookieOf(bench);
  const get = async (headers: object) =>
    (await ask(bench, '/api/v1/sessions', { headers: { cookie, ...headers } })).status;
  const post = async (headers: object) =>
    (
      await ask(bench, '/api/v1/sessions', {
        method: 'POST',
        headers: { cookie, ...json, ...headers },
        body: '{}',
      })
    ).status;
  expect(await get({})).toBe(200);
  expect(await get({ 'sec-fetch-site': 'same-origin' })).toBe(200);
  expect(await get({ 'sec-fetch-site': 'none' })).toBe(200);
  // Another port of this host is the same site for a browser, and gets no say.
  expect(await get({ 'sec-fetch-site': 'same-site' })).toBe(401);
  expect(await get({ 'sec-fetch-site': 'cross-site' })).toBe(401);
  expect(await post({ origin: url })).toBe(201);
  expect(await post({ origin: url, 'sec-fetch-site': 'same-origin' })).toBe(201);
  expect(await post({})).toBe(401);
  expect(await post({ origin: url, 'sec-fetch-site': 'same-site' })).toBe(401);
  for (const origin of ['https://evil.test', 'null', 'http://127.0.0.1:1', 'http://localhost:3000'])
    expect(await post({ origin })).toBe(403);
  expect(await post({ host: 'evil.test', origin: 'http://evil.test' })).toBe(403);
  expect(await get({ host: 'evil.test' })).toBe(403);
  // A form of another page can send no JSON.
  expect(await post({ origin: url, 'content-type': 'text/plain' })).toBe(415);
});

test('a page that may use the gateway with a token of its own gets nothing by the cookie', async () => {
  const folder = scratchFolder();
  await using bench = await gatewayBench({ web: folder.folder, origins: ['http://localhost:3000'] });
  const cookie = await cookieOf(bench);
  const headers = { cookie, ...json, origin: 'http://localhost:3000' };
  expect((await ask(bench, '/api/v1/sessions', { method: 'POST', headers, body: '{}' })).status).toBe(401);
  const own = { ...json, origin: 'http://localhost:3000', authorization: `Bearer ${token}` };
  expect((await ask(bench, '/api/v1/sessions', { method: 'POST', headers: own, body: '{}' })).status).toBe(
    201,
  );
});

test('a socket opens with the cookie from our own page only', async () => {
  await using bench = await webBench();
  const cookie = await cookieOf(bench);
  const open = (headers: Record<string, string>) =>
    bench.connect('s1', { headers: { authorization: '', cookie, ...headers } }).then(
      () => 'open',
      (error: Error) => error.message,
    );
  expect(await open({ origin: bench.running.url })).toBe('open');
  expect(await open({})).toBe('refused: 401');
  expect(await open({ origin: 'http://localhost:3000' })).toBe('refused: 403');
  expect(await open({ origin: bench.running.url, cookie: 'codelab_token=wrong' })).toBe('refused: 401');
});

test('who tries many tokens at the sign-in waits, even with the right one', async () => {
  await using bench = await webBench();
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
  expect((await ask(bench, `/?token=${token}`)).headers['set-cookie']).toBeUndefined();
  expect((await bench.request('/api/v1/sessions')).status).toBe(200);
});

test('files of the web IDE are sent for good, compressed, and nothing beside them', async () => {
  await using bench = await webBench();
  const plain = await ask(bench, '/assets/app-1a2b.js');
  expect([plain.status, plain.headers['cache-control']]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ]);
  expect(plain.headers).toMatchObject({
    'content-type': expect.stringContaining('javascript'),
    'x-content-type-options': 'nosniff',
  });
  const small = await ask(bench, '/assets/app-1a2b.js', { headers: { 'accept-encoding': 'br' } });
  expect([small.status, small.headers['content-encoding']]).toEqual([200, 'br']);
  for (const path of [
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
    '/assets//../../secret.txt',
    '/assets/..\\..\\secret.txt',
    '/assets/none.js',
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
  await using bench = await webBench();
  const { status, body } = await ask(bench, '/', { headers: { 'sec-fetch-site': 'cross-site' } });
  expect([status, body]).toEqual([200, expect.stringContaining('http-equiv="refresh" content="0"')]);
});

test('a web IDE that is not built says how to build it; a gateway without one has no page', async () => {
  const { folder } = scratchFolder();
  await using bare = await gatewayBench({ web: join(folder, 'nowhere') });
  const page = await ask(bare, '/', { headers: { cookie: await cookieOf(bare) } });
  expect([page.status, page.body]).toEqual([503, expect.stringContaining('npm run build')]);
  expect((await ask(bare, '/assets/x.js')).status).toBe(404);
  await using without = await gatewayBench();
  expect((await without.request('/')).status).toBe(404);
  expect((await without.request('/login', { method: 'POST', body: '{}' })).status).toBe(404);
});
