// A web session: its two halves, proofs of its changes, and its end.
import { once } from 'node:events';
import { startGateway } from '@codelab/server/gateway';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { signIn } from '../support/signed-in-page.ts';
import { ask, json, smallWeb } from '../support/small-web.ts';

const token = 'secret-token';

test('either half of a session alone opens nothing, and no half is a token', async () => {
  await using bench = await smallWeb();
  const page = await signIn(bench);
  const other = await signIn(bench);
  const { cookie, secret, key } = page;
  const id = cookie.split('=')[1] ?? '';
  const status = async (headers: object, path = '/api/v1/sessions') =>
    (await ask(bench, path, { headers })).status;
  expect(await status({ cookie, 'x-codelab-page': secret })).toBe(200);
  expect(await status({ cookie })).toBe(401);
  expect(await status({ 'x-codelab-page': secret })).toBe(401);
  expect(await status({ cookie: other.cookie, 'x-codelab-page': secret })).toBe(401);
  expect(await status({ cookie, 'x-codelab-page': key })).toBe(401);
  for (const half of [id, secret, key]) {
    expect(await status({ authorization: `Bearer ${half}` })).toBe(401);
    expect(await status({ 'x-api-key': half })).toBe(401);
    expect(await status({}, `/api/v1/sessions/s1/events?token=${half}`)).toBe(401);
  }
});

test('a session counts for our own page only', async () => {
  await using bench = await smallWeb();
  const { url } = bench.running;
  const page = await signIn(bench);
  const ownHeaders = { cookie: page.cookie, 'x-codelab-page': page.secret };
  const get = async (headers: object) =>
    (await ask(bench, '/api/v1/sessions', { headers: { ...ownHeaders, ...headers } })).status;
  const post = async (headers: object) =>
    (
      await ask(bench, '/api/v1/sessions', {
        method: 'POST',
        headers: { ...json, ...(await page.proving('POST', '/api/v1/sessions', '{}')), ...headers },
        body: '{}',
      })
    ).status;
  expect(await get({})).toBe(200);
  expect(await get({ 'sec-fetch-site': 'same-origin' })).toBe(200);
  expect(await get({ 'sec-fetch-site': 'none' })).toBe(200);
  // A different port of this host is the same site for a browser, and is refused.
  expect(await get({ 'sec-fetch-site': 'same-site' })).toBe(401);
  expect(await get({ 'sec-fetch-site': 'cross-site' })).toBe(401);
  expect(await post({ origin: url })).toBe(201);
  expect(await post({ origin: url, 'sec-fetch-site': 'same-origin' })).toBe(201);
  expect(await post({ origin: [] })).toBe(401);
  expect(await post({ origin: url, 'sec-fetch-site': 'same-site' })).toBe(401);
  for (const origin of ['https://evil.test', 'null', 'http://127.0.0.1:1', 'http://localhost:3000'])
    expect(await post({ origin })).toBe(403);
  expect(await post({ host: 'evil.test', origin: 'http://evil.test' })).toBe(403);
  expect(await get({ host: 'evil.test' })).toBe(403);
  // A form of another page can send no JSON.
  expect(await post({ origin: url, 'content-type': 'text/plain' })).toBe(415);
});

test('what a page changes needs a proof that holds for this one request, once', async () => {
  await using bench = await smallWeb();
  const page = await signIn(bench);
  const path = '/api/v1/sessions';
  const body = '{"title":"one"}';
  const send = async (headers: object, sentBody = body, to = path) => {
    const answer = await ask(bench, to, { method: 'POST', headers: { ...json, ...headers }, body: sentBody });
    const output = JSON.parse(answer.body) as { error?: { details?: { reason?: string } } };
    return output.error?.details?.reason ?? answer.status;
  };
  const { 'x-codelab-proof': proof, ...rest } = await page.proving('POST', path, body);
  expect(await send(rest)).toBe('PROOF_STALE');
  expect(await send({ ...rest, 'x-codelab-proof': proof }, '{"title":"two"}')).toBe('PROOF_INVALID');
  expect(await send({ ...rest, 'x-codelab-proof': proof }, body, `${path}?x=1`)).toBe('PROOF_INVALID');
  expect(await send({ ...rest, 'x-codelab-proof': proof })).toBe(201);
  expect(await send({ ...rest, 'x-codelab-proof': proof })).toBe('PROOF_REPLAYED');
  // A program with the token proves nothing of the kind.
  expect((await bench.request(path, { method: 'POST', body })).status).toBe(201);
});

test('a page that may use the gateway with a token of its own gets nothing by a session', async () => {
  const folder = scratchFolder();
  await using bench = await gatewayBench({ web: folder.folder, origins: ['http://localhost:3000'] });
  const page = await signIn(bench);
  const proven = await page.proving('POST', '/api/v1/sessions', '{}');
  const headers = { ...proven, ...json, origin: 'http://localhost:3000' };
  expect((await ask(bench, '/api/v1/sessions', { method: 'POST', headers, body: '{}' })).status).toBe(401);
  const ownHeaders = { ...json, origin: 'http://localhost:3000', authorization: `Bearer ${token}` };
  expect(
    (await ask(bench, '/api/v1/sessions', { method: 'POST', headers: ownHeaders, body: '{}' })).status,
  ).toBe(201);
});

test('a page’s socket needs both halves and our own origin, and only listens', async () => {
  await using bench = await smallWeb();
  await (await bench.connect('s1')).close();
  const { cookie, secret } = await signIn(bench);
  const origin = bench.running.url;
  const protocols = `codelab, codelab.page.${secret}`;
  const open = (headers: Record<string, string>, query = '?dialect=neutral') => {
    const { 'sec-websocket-protocol': protocols, ...rest } = headers;
    const socket = new WebSocket(
      `${origin.replace('http', 'ws')}/ws/s1${query}`,
      protocols?.split(', ') ?? [],
      {
        headers: rest,
      },
    );
    socket.on('error', () => undefined);
    return new Promise((resolve) => {
      socket.once('open', () => resolve(socket.protocol));
      socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode));
    }).finally(() => socket.terminate());
  };
  const both = { origin, cookie, 'sec-websocket-protocol': protocols };
  expect(await open(both)).toBe('codelab');
  expect(await open(both, '?role=viewer')).toBe('codelab');
  for (const query of ['', '?role=approver', '?role=executor', '?dialect=codelab'])
    expect([query, await open(both, query)]).toEqual([query, 403]);
  expect(await open({ cookie, 'sec-websocket-protocol': protocols })).toBe(401);
  expect(await open({ origin, cookie })).toBe(401);
  expect(await open({ origin, 'sec-websocket-protocol': protocols })).toBe(401);
  expect(await open({ ...both, origin: 'http://localhost:3000' })).toBe(403);
});

test('signing out ends the session on the gateway, with all that it has open', async () => {
  await using bench = await smallWeb();
  const page = await signIn(bench);
  const other = await signIn(bench);
  const { cookie, secret } = page;
  const headers = { cookie, 'x-codelab-page': secret };
  await page.request('POST', '/api/v1/sessions', {});
  const [{ id }] = (
    (await (await bench.request('/api/v1/sessions')).json()) as { sessions: [{ id: string }] }
  ).sessions;
  const stream = await fetch(`${bench.running.url}/api/v1/sessions/${id}/events`, { headers });
  const socket = new WebSocket(
    `${bench.running.url.replace('http', 'ws')}/ws/${id}?dialect=neutral`,
    ['codelab', `codelab.page.${secret}`],
    { headers: { cookie, origin: bench.running.url } },
  );
  await once(socket, 'message');
  const closed = once(socket, 'close');
  // The cookie alone ends nothing.
  await ask(bench, '/logout', { method: 'POST', headers: { origin: bench.running.url, cookie } });
  expect((await ask(bench, '/api/v1/sessions', { headers })).status).toBe(200);
  const out = await ask(bench, '/logout', {
    method: 'POST',
    headers: { origin: bench.running.url, ...headers },
  });
  expect([out.status, out.headers['set-cookie']?.[0]]).toEqual([204, expect.stringContaining('Max-Age=0')]);
  expect((await closed).map(String)).toEqual(['1008', 'SIGNED_OUT']);
  for await (const _chunk of stream.body ?? []) {
    // Until its end.
  }
  expect((await ask(bench, '/api/v1/sessions', { headers })).status).toBe(401);
  expect((await ask(bench, '/', { headers: { cookie } })).status).toBe(401);
  expect((await other.request('POST', '/api/v1/sessions', {})).status).toBe(201);
});

test('a session lasts over a restart at the same address, but not over another token', async () => {
  await using bench = await smallWeb();
  const { port } = bench.running;
  const page = await signIn(bench);
  const compose = { workspace: bench.root, home: bench.home, env: {} };
  const restart = async (token: string) => {
    await bench.running[Symbol.asyncDispose]();
    bench.running = await startGateway({ port, token, web: bench.web, compose });
    const headers = { cookie: page.cookie, 'x-codelab-page': page.secret };
    return (await ask(bench, '/api/v1/sessions', { headers })).status;
  };
  expect([await restart(token), await restart('another-token')]).toEqual([200, 401]);
});
