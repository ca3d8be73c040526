// The lines of MCP clients: cut and taken up again, ended, unused; and that nothing stays behind of those that are gone.
import { expect, test } from 'vitest';
import { createMcpEndpoint } from '../../apps/server/src/mcp/server/create-endpoint.ts';
import { openGateway } from '../../apps/server/src/sessions/open-gateway.ts';
import { gatewayBench } from '../support/gateway-bench.ts';
import { accept, greet, hello, post } from '../support/mcp-raw.ts';
import { decide, nextPending, pending, user, write } from '../support/mcp-server-bench.ts';
import { workbench } from '../support/workbench.ts';

test('the end of an MCP session takes back what its client still waited for', async () => {
  await using bench = await gatewayBench();
  const sessionHeaders = { accept, 'mcp-session-id': await greet(bench) };
  const params = { name: 'write_file', arguments: write, _meta: { progressToken: 1 } };
  const call = await post(bench, { jsonrpc: '2.0', id: 5, method: 'tools/call', params }, sessionHeaders);
  await nextPending(bench);
  expect((await bench.request('/mcp', { method: 'DELETE', headers: sessionHeaders })).status).toBe(200);
  await call.text();
  await expect.poll(() => pending(bench), { timeout: 10_000 }).toEqual([]);
});

test('a stopped gateway leaves a question waiting', async () => {
  await using bench = await gatewayBench();
  await using client = await user(bench, 'v2');
  // The connection ends without an answer, and the call continues to wait.
  client.call('write_file', write, { onprogress: () => undefined }).catch(() => undefined);
  const before = await nextPending(bench);
  await bench.restart();
  expect((await pending(bench)).map(({ approval }) => approval.id)).toEqual([before.approval.id]);
  expect((await decide(bench, before, { kind: 'reject' })).status).toBe(200);
});

test('a client of 2025 whose line was cut comes back for what it missed', async () => {
  await using bench = await gatewayBench();
  const headers = { accept, 'mcp-session-id': await greet(bench), 'mcp-protocol-version': '2025-11-25' };
  const cut = new AbortController();
  const params = { name: 'write_file', arguments: write, _meta: { progressToken: 1 } };
  const first = await bench.request('/mcp', {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params }),
    headers,
    signal: cut.signal,
  });
  const primer = await first.body?.pipeThrough(new TextDecoderStream()).getReader().read();
  const id = /^id: (\S+)$/m.exec(primer?.value ?? '')?.[1] ?? '';
  const approval = await nextPending(bench);
  cut.abort();
  await decide(bench, approval, { kind: 'approve' });
  const second = await bench.request('/mcp', { headers: { ...headers, 'last-event-id': id } });
  const missed = await second.text();
  expect(missed).toContain('"id":5');
  expect(missed).toContain('"success":true');
  const unknown = await bench.request('/mcp', { headers: { ...headers, 'last-event-id': 'never-sent' } });
  expect(unknown.status).toBe(400);
});

test('an id that is used twice at once is refused, and the first call goes on', async () => {
  await using bench = await gatewayBench();
  const headers = { accept, 'mcp-session-id': await greet(bench) };
  const params = { name: 'write_file', arguments: write, _meta: { progressToken: 1 } };
  const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params };
  const list = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
  const first = await post(bench, call, headers);
  const approval = await nextPending(bench);
  for (const body of [
    call,
    list,
    [list, list],
    [
      { ...list, id: 8 },
      { ...list, id: 8 },
    ],
  ]) {
    const second = await post(bench, body, headers);
    expect(second.status).toBe(400);
    expect(await second.json()).toMatchObject({ error: { code: -32600 } });
  }
  expect(await pending(bench)).toHaveLength(1);
  await decide(bench, approval, { kind: 'approve' });
  expect(await first.text()).toContain('"success":true');
  // The id can be used again after an answer and after a refusal.
  expect(await (await post(bench, list, headers)).text()).toContain('"tools"');
  expect((await post(bench, list, { ...headers, accept: 'text/plain' })).status).toBe(406);
  expect(await (await post(bench, list, headers)).text()).toContain('"tools"');
});

test('the end of an MCP session takes back what its client was to come back for', async () => {
  await using bench = await gatewayBench();
  const sessionHeaders = { accept, 'mcp-session-id': await greet(bench) };
  const params = { name: 'write_file', arguments: write };
  const call = await post(bench, { jsonrpc: '2.0', id: 5, method: 'tools/call', params }, sessionHeaders);
  expect(await call.text()).toContain('APPROVAL_PENDING');
  await nextPending(bench);
  expect((await bench.request('/mcp', { method: 'DELETE', headers: sessionHeaders })).status).toBe(200);
  await expect.poll(() => pending(bench), { timeout: 10_000 }).toEqual([]);
});

test('a client hears log messages of the level that it set', async () => {
  await using bench = await gatewayBench();
  const headers = { accept, 'mcp-session-id': await greet(bench) };
  const call = async (content: string): Promise<string> => {
    const params = { name: 'write_file', arguments: { ...write, content } };
    return await (await post(bench, { jsonrpc: '2.0', id: 5, method: 'tools/call', params }, headers)).text();
  };
  const setLevel = async (level: string): Promise<string> => {
    const message = { jsonrpc: '2.0', id: 6, method: 'logging/setLevel', params: { level } };
    return await (await post(bench, message, headers)).text();
  };
  expect(await call('1')).toContain('notifications/message');
  expect(await setLevel('error')).toContain('"result":{}');
  expect(await call('2')).not.toContain('notifications/message');
  await setLevel('warning');
  expect(await call('3')).toContain('notifications/message');
  expect(await setLevel('loud')).toContain('"error"');
});

test('a client that hears progress is answered before it would give up', async () => {
  await using bench = await workbench();
  await using gateway = openGateway({ host: bench.host, agents: bench.agents, env: {} });
  const endpoint = createMcpEndpoint({ gateway, version: '1', onFault: () => undefined, patienceMs: 50 });
  const peer = { subject: 'tester', via: 'mcp', isOperator: true as const };
  const visit = { peer, profile: undefined, session: undefined };
  const ways = { tellWay: async () => 'Decide there.', placeToDecide: () => 'there' };
  const send = (body: unknown, id?: string): Promise<Response> => {
    const headers = { accept, 'content-type': 'application/json', ...(id && { 'mcp-session-id': id }) };
    const request = new Request('http://localhost/mcp', { method: 'POST', headers });
    return endpoint.fetch(request, { ...visit, ...ways, body });
  };
  const greeted = await send(hello);
  await greeted.text();
  const params = { name: 'write_file', arguments: write, _meta: { progressToken: 1 } };
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params };
  const answer = await (await send(call, greeted.headers.get('mcp-session-id') ?? '')).text();
  expect(answer).toMatch(/notifications\/progress.*Decide there.*APPROVAL_PENDING/s);
  await endpoint.close();
});

test('nothing stays of streams that are cut and of sessions that nobody uses', async () => {
  await using bench = await workbench();
  await using gateway = openGateway({ host: bench.host, agents: bench.agents, env: {} });
  const faults: unknown[] = [];
  const limits = { idleMs: 200, mostForOne: 5 };
  const endpoint = createMcpEndpoint({
    gateway,
    version: '1',
    onFault: (error) => faults.push(error),
    ...limits,
  });
  const peer = { subject: 'tester', via: 'mcp', isOperator: true as const };
  const visit = {
    peer,
    profile: undefined,
    session: undefined,
    tellWay: async () => '',
    placeToDecide: () => '',
  };
  const send = (method: string, body: unknown, signal: AbortSignal, id?: string): Promise<Response> => {
    const headers = { accept, 'content-type': 'application/json', ...(id && { 'mcp-session-id': id }) };
    return endpoint.fetch(new Request('http://localhost/mcp', { method, headers, signal }), {
      ...visit,
      body,
    });
  };
  const open = async (): Promise<string> => {
    const finished = new AbortController();
    const response = await send('POST', hello, finished.signal);
    await response.text();
    finished.abort();
    return response.headers.get('mcp-session-id') ?? '';
  };
  const id = await open();
  for (let i = 0; i < 50; i++) {
    const cut = new AbortController();
    const stream = await send('GET', undefined, cut.signal, id);
    // The limit is one open session: each success proves that the previous one was closed.
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
    cut.abort();
  }
  for (let i = 0; i < 20; i++) await open();
  expect(endpoint.count).toBe(5);
  await expect.poll(() => endpoint.count, { timeout: 5000 }).toBe(0);
  await endpoint.close();
  expect(faults).toEqual([]);
});
