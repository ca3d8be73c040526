// Odd ids, links that come too late or with a wrong answer, and methods nobody asked for, at a real gateway.
import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';

type Json = Record<string, unknown>;

const oddIds = [
  '..',
  '.',
  '%2e%2e',
  '..%2f..%2fetc%2fpasswd',
  'a%2fb',
  'a%5cb',
  'a%00b',
  'a%0d%0aX-Evil:1',
  '%C3%A9',
  '%F0%9F%98%80',
  '%E2%80%AEabc',
  'a%20b',
  '%ff',
  '%zz',
  'x'.repeat(129),
  'x'.repeat(300),
  'x'.repeat(301),
  'x'.repeat(4000),
  '*',
  "'%20OR%201=1--",
];

/** By hand: `fetch` would put the address in order first. */
function statusOf(bench: GatewayBench, path: string, headers: Json = {}, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port, token } = bench.running;
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      path,
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve(101);
    });
    request.on('error', reject);
    request.end();
  });
}

test('no odd id makes a session, leaves the log or brings anything down', async () => {
  await using bench = await gatewayBench();
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  };
  const places = (id: string): [string, Json, string][] => [
    [`/api/v1/sessions/${id}`, {}, 'GET'],
    [`/api/v1/sessions/${id}`, {}, 'DELETE'],
    [`/api/v1/sessions/${id}/events`, {}, 'GET'],
    [`/api/v1/sessions/${id}/log`, {}, 'GET'],
    [`/api/v1/sessions/${id}/audit/verify`, {}, 'GET'],
    [`/api/v1/sessions/${id}/approvals/${id}/link`, {}, 'POST'],
    [`/my/projects/${id}/chat/${id}/events/`, {}, 'GET'],
    [`/my/projects/p/tools/${id}`, {}, 'GET'],
    [`/approve/${id}`, {}, 'GET'],
    [`/ws/${id}`, upgrade, 'GET'],
    [`/api/v1/ws/${id}?dialect=neutral`, upgrade, 'GET'],
  ];
  for (const id of oddIds)
    for (const [path, headers, method] of places(id)) {
      const status = await statusOf(bench, path, headers, method);
      expect([400, 404, 414, 415], `${method} ${path.slice(0, 80)} ${status}`).toContain(status);
    }
  expect(await bench.running.gateway.host.log.sessions()).toEqual([]);
  expect(bench.faults).toEqual([]);
});

/** A call that waits, and a link to answer it. */
async function askForDecision(bench: GatewayBench, session: string, callId: string) {
  const client = await bench.connect(session);
  const args = { path: `${callId}.txt`, content: 'x' };
  client.send({ type: 'tool_call', tool_name: 'write_file', call_id: callId, args });
  const { approval_id } = await client.next('tool_call');
  const linkReply = await bench.request(`/api/v1/sessions/${session}/approvals/${approval_id}/link`, {
    method: 'POST',
  });
  const { url } = (await linkReply.json()) as { url: string };
  const answer = (body: Json): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { client, url, answer };
}

test('an answer that is none does not use a link up; one that counts does, and two at once are one', async () => {
  await using bench = await gatewayBench();
  const { client, url, answer } = await askForDecision(bench, 's1', 'c1');
  expect((await answer({ action: 'whatever' })).status).toBe(400);
  expect((await answer({ decision: 'perhaps' })).status).toBe(400);
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  const both = await Promise.all([answer({ decision: 'approve' }), answer({ decision: 'reject' })]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  await client.next('tool_result');
  expect((await answer({ decision: 'approve' })).status).toBe(404);
});

test('a link to what was decided, withdrawn or deleted decides nothing', async () => {
  await using bench = await gatewayBench();
  const decided = await askForDecision(bench, 's1', 'c1');
  decided.client.send({ type: 'hitl_decision', call_id: 'c1', decision: 'reject' });
  await decided.client.next('tool_result');
  expect((await fetch(decided.url)).status).toBe(404);
  expect([404, 409]).toContain((await decided.answer({ decision: 'approve' })).status);

  const withdrawn = await askForDecision(bench, 's1', 'c2');
  withdrawn.client.send({ type: 'cancel' });
  await withdrawn.client.next('tool_result', ({ call_id }) => call_id === 'c2');
  expect((await fetch(withdrawn.url)).status).toBe(404);
  expect([404, 409]).toContain((await withdrawn.answer({ decision: 'approve' })).status);

  const deleted = await askForDecision(bench, 's2', 'c3');
  expect((await bench.request('/api/v1/sessions/s2', { method: 'DELETE' })).status).toBe(204);
  expect((await fetch(deleted.url)).status).toBe(404);
  expect((await deleted.answer({ decision: 'approve' })).status).toBe(404);
  expect(bench.faults).toEqual([]);
});

test('a page of an allowed origin can use all of it, with a token; any other page can not even ask', async () => {
  const origin = 'https://editor.example';
  await using bench = await gatewayBench({ origins: [origin] });
  const { url } = bench.running;
  const before = (from: string): Promise<Response> =>
    fetch(`${url}/api/v1/sessions`, {
      method: 'OPTIONS',
      headers: {
        origin: from,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
  const allowed = await before(origin);
  expect(allowed.status).toBe(204);
  expect(Object.fromEntries(allowed.headers)).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': expect.stringContaining('POST'),
    'access-control-allow-headers': expect.stringContaining('authorization'),
  });
  expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
  for (const foreign of ['https://evil.example', 'null', 'https://editor.example.evil.example']) {
    const refused = await before(foreign);
    expect(refused.status).toBe(403);
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
  }
  const read = await bench.request('/api/v1/sessions', { headers: { origin } });
  expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
  // The question beforehand opens nothing: without a token there is no answer but to it.
  expect((await fetch(`${url}/api/v1/sessions`, { headers: { origin } })).status).toBe(401);
  expect((await fetch(`${url}/api/v1/sessions`, { method: 'OPTIONS', headers: { origin } })).status).toBe(
    401,
  );
});
