// Access to /mcp, and the ownership of its sessions.
import { request as plainRequest } from 'node:http';
import { expect, test } from 'vitest';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { accept, greet, hello, post } from '../support/mcp-raw.ts';
import { user, write } from '../support/mcp-server-bench.ts';
import { mcpUser } from '../support/mcp-user.ts';
import { signedTokens } from '../support/signed-tokens.ts';

type Json = Record<string, unknown>;

/** The status of a request with exactly these headers. */
function statusOf(bench: GatewayBench, headers: Record<string, string>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const options = { method: 'POST', headers, setHost: false, agent: false };
  const outgoing = plainRequest(`${bench.running.url}/mcp`, options, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  outgoing.on('error', reject);
  outgoing.end(JSON.stringify(hello));
  return promise;
}

/** The one message of an answer, as JSON or on a stream. */
function messageOf(answer: string): Json {
  return JSON.parse(/^data: (\{.*\})$/m.exec(answer)?.[1] ?? answer) as Json;
}

test('tokens, origins, rebound names and what is no JSON are refused before the protocol hears of them', async () => {
  await using bench = await gatewayBench();
  const { host } = new URL(bench.running.url);
  const headers = { accept, 'content-type': 'application/json', authorization: 'Bearer secret-token', host };
  expect(await statusOf(bench, headers)).toBe(200);
  expect(await statusOf(bench, { ...headers, authorization: 'Bearer wrong-token' })).toBe(401);
  expect(await statusOf(bench, { ...headers, authorization: '' })).toBe(401);
  expect(await statusOf(bench, { ...headers, origin: 'https://evil.test' })).toBe(403);
  expect(await statusOf(bench, { ...headers, origin: 'null' })).toBe(403);
  expect(await statusOf(bench, { ...headers, host: 'evil.test' })).toBe(403);
  expect(
    await statusOf(bench, { ...headers, host: `localhost.evil.test:${new URL(bench.running.url).port}` }),
  ).toBe(403);
  expect(await statusOf(bench, { ...headers, 'content-type': 'text/plain' })).toBe(415);
  expect((await bench.request('/mcp?token=secret-token', { token: '' })).status).toBe(401);
  expect((await post(bench, '{"jsonrpc":')).status).toBe(400);
  expect((await post(bench, `${'['.repeat(70)}${']'.repeat(70)}`)).status).toBe(400);
  expect((await post(bench, `"${'x'.repeat(10 * 1024 * 1024)}"`)).status).toBe(413);
  expect(bench.faults).toEqual([]);
});

test('a session id is secret, belongs to one person, and is worth nothing after its end', async () => {
  using tokens = signedTokens();
  const { jwt, sign } = tokens;
  await using bench = await gatewayBench({ jwt });
  const [ann, bob] = [sign('ann', 600), sign('bob', 600)];
  const id = await greet(bench, ann);
  expect(id).toMatch(/^[\w-]{32}$/);
  expect(await greet(bench, ann)).not.toBe(id);
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  const sessionHeaders = { 'mcp-session-id': id };
  const status = async (headers: Record<string, string>, token: string) =>
    (await post(bench, list, headers, token)).status;
  expect(await status(sessionHeaders, ann)).toBe(200);
  expect(await status(sessionHeaders, bob)).toBe(404);
  expect(await status({ 'mcp-session-id': 'no-such-session' }, ann)).toBe(404);
  expect(await status({}, ann)).toBe(400);
  for (const method of ['GET', 'DELETE'])
    expect(
      (await bench.request('/mcp', { method, token: bob, headers: { accept, ...sessionHeaders } })).status,
    ).toBe(404);
  expect(
    (await bench.request('/mcp', { method: 'DELETE', token: ann, headers: sessionHeaders })).status,
  ).toBe(200);
  expect(await status(sessionHeaders, ann)).toBe(404);
});

test('nobody works in another’s CodeLab session by naming it', async () => {
  using tokens = signedTokens();
  const { jwt, sign } = tokens;
  await using bench = await gatewayBench({ jwt, files: { 'a.txt': 'a' } });
  const url = `${bench.running.url}/mcp?session=of-ann`;
  for (const flavour of ['v2', 'v2 of 2026'] as const) {
    await using ann = await mcpUser({ url, token: sign('ann', 600) }, { flavour });
    expect((await ann.call('read_file', { path: 'a.txt' })).isError).toBeUndefined();
    await using bob = await mcpUser({ url, token: sign('bob', 600) }, { flavour });
    expect(await bob.call('read_file', { path: 'a.txt' })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'PERMISSION_DENIED' } },
    });
    for (const read of [() => bob.resources(), () => bob.prompts(), () => bob.read('codelab://files/a.txt')])
      await expect(read()).rejects.toMatchObject({ message: expect.stringContaining('PERMISSION_DENIED') });
    await bob.subscribe('codelab://sessions/of-ann/log');
  }
  expect(bench.faults).toEqual([]);
});

test('a stream of 2026 that listens ends with the token it was opened with', async () => {
  using tokens = signedTokens();
  const { jwt, sign } = tokens;
  await using bench = await gatewayBench({ jwt });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const method = 'subscriptions/listen';
  const params = { _meta, notifications: { resourcesListChanged: true } };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
  const stream = await post(bench, { jsonrpc: '2.0', id: 1, method, params }, headers, sign('ann', 2));
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain('acknowledged');
  // The stream is cut: the next read fails or finds the end.
  expect(await reader?.read().catch(() => ({ done: true }))).toMatchObject({ done: true });
});

test('a request state of 2026 is good for its own call of its own person only', async () => {
  using tokens = signedTokens();
  const { jwt, sign } = tokens;
  await using bench = await gatewayBench({ jwt });
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'write_file',
  };
  const call = async (token: string, extra: Json, args: Json = write): Promise<Json> => {
    const params = { name: 'write_file', arguments: args, _meta: meta, ...extra };
    const response = await post(
      bench,
      { jsonrpc: '2.0', id: 7, method: 'tools/call', params },
      headers,
      token,
    );
    return messageOf(await response.text());
  };
  const [ann, bob] = [sign('ann', 600), sign('bob', 600)];
  const inputRequired = (await call(ann, {})) as { result: { requestState: string; resultType: string } };
  expect(inputRequired.result.resultType).toBe('input_required');
  const { requestState } = inputRequired.result;
  const approve = { inputResponses: { approval: { action: 'accept', content: { decision: 'approve' } } } };
  const refused = { error: { code: -32602 } };
  expect(await call(bob, { ...approve, requestState })).toMatchObject(refused);
  expect(await call(ann, { ...approve, requestState }, { ...write, content: 'other' })).toMatchObject(
    refused,
  );
  expect(await call(ann, { ...approve, requestState: `${requestState}x` })).toMatchObject(refused);
  expect(await call(ann, { requestState })).toMatchObject({ result: { resultType: 'input_required' } });
  expect(await call(ann, { ...approve, requestState })).toMatchObject({
    result: { structuredContent: { success: true } },
  });
  // The same answer again: the call does not run twice.
  expect(await call(ann, { ...approve, requestState })).toMatchObject({
    result: { structuredContent: { success: true } },
  });
});

test('a session whose files are with another client is not worked in from here', async () => {
  await using bench = await gatewayBench();
  const operator = { subject: 'tester', via: 'test', isOperator: true as const };
  await bench.running.gateway.session('elsewhere', operator, { client: 'agent' });
  await using client = await user(bench, 'v2', undefined, '?session=elsewhere');
  expect(await client.call('list_files')).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'INVALID_ARGUMENTS', details: { field: 'session' } } },
  });
});

test('messages that make no sense are refused, and the gateway stays well', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'a' } });
  const id = await greet(bench);
  const oddIds = [
    null,
    1,
    'x',
    true,
    [],
    [[]],
    {},
    { path: 1 },
    { path: { path: 'a.txt' } },
    { path: ['a.txt'] },
  ];
  const calls = oddIds.flatMap((value) => [
    { name: 'read_file', arguments: value },
    { name: value, arguments: { path: 'a.txt' } },
    { name: 'read_file', arguments: { path: 'a.txt' }, _meta: value },
    { name: 'read_file', arguments: { path: 'a.txt' }, requestState: value, inputResponses: value },
  ]);
  const bodies = [
    ...oddIds,
    ...calls.map((params, i) => ({ jsonrpc: '2.0', id: 100 + i, method: 'tools/call', params })),
    ...oddIds.map((method, i) => ({ jsonrpc: '2.0', id: 200 + i, method })),
    ...oddIds.map((id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })),
    ...oddIds.map((result) => ({ jsonrpc: '2.0', id: 9, result })),
    '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"read_file","arguments":{"__proto__":{"path":"a.txt"}}}}',
  ];
  const headers = [{ 'mcp-session-id': id }, { 'mcp-protocol-version': '2026-07-28' }, {}];
  for (const more of headers) {
    const answers = await Promise.all(bodies.map((body) => post(bench, body, more)));
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    await Promise.all(answers.map((answer) => answer.text()));
  }
  const well = {
    jsonrpc: '2.0',
    id: 9,
    method: 'tools/call',
    params: { name: 'read_file', arguments: { path: 'a.txt' } },
  };
  expect(await (await post(bench, well, { 'mcp-session-id': id })).text()).toContain('"encoding":"utf-8"');
  expect(bench.faults).toEqual([]);
});

test('a gateway without files says where to go instead', async () => {
  await using bench = await gatewayBench({ isFileless: true });
  const response = await post(bench, hello);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('codelab mcp');
});
