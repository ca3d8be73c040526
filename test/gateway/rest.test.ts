// Sessions over REST and as an event stream, and links that answer one question.
import { toolSetVersion } from '@codelab/runtime';
import { expect, test } from 'vitest';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

type Json = Record<string, unknown>;

async function json(
  bench: GatewayBench,
  path: string,
  method = 'GET',
  body?: unknown,
): Promise<[number, Json]> {
  const bodyField = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await bench.request(path, { method, ...bodyField });
  const text = await answer.text();
  return [answer.status, text === '' ? {} : (JSON.parse(text) as Json)];
}

test('a session is made, named, looked at and deleted', async () => {
  await using bench = await gatewayBench();
  const [status, session] = await json(bench, '/api/v1/sessions', 'POST', { title: 'First' });
  expect([status, session]).toMatchObject([
    201,
    { title: 'First', status: 'idle', agent_type: 'build', turns: 0 },
  ]);
  const path = `/api/v1/sessions/${String(session.id)}`;
  expect(await json(bench, path, 'PATCH', { title: 'Second' })).toMatchObject([200, { title: 'Second' }]);
  expect(await json(bench, path)).toMatchObject([200, { title: 'Second', pending_approvals: 0 }]);
  expect(await json(bench, '/api/v1/sessions')).toMatchObject([
    200,
    { total: 1, sessions: [{ id: session.id }] },
  ]);
  const client = await bench.connect(String(session.id));
  expect((await json(bench, path, 'DELETE'))[0]).toBe(204);
  expect((await client.closed).code).toBe(1000);
  expect(await json(bench, path)).toMatchObject([404, { error: { code: 'SESSION_NOT_FOUND' } }]);
  await expect(bench.connect(String(session.id))).rejects.toThrow('refused: 404');
  expect(bench.faults).toEqual([]);
});

test('the beginning of a generated id stands for the session; several are named, and nobody else’s are found', async () => {
  await using bench = await gatewayBench();
  const similarIds = ['1', '2'].map((end) => `feed5555${end.repeat(24)}`);
  const [first = ''] = similarIds;
  for (const id of [...similarIds, 'feeder']) await bench.connect(id);
  const find = (id: string): Promise<[number, Json]> => json(bench, `/api/v1/sessions/${id}`);
  expect(await find(first.slice(0, 9))).toMatchObject([200, { id: first }]);
  expect(await json(bench, `/api/v1/sessions/${first.slice(0, 9)}/history`)).toMatchObject([200, {}]);
  const [status, { error }] = await find('feed5555');
  expect([status, error]).toMatchObject([
    404,
    { code: 'SESSION_NOT_FOUND', details: { candidates: similarIds.toReversed() } },
  ]);
  for (const id of ['fee', 'feede', 'beef5555']) expect((await find(id))[0]).toBe(404);
  expect((await json(bench, `/api/v1/sessions/${first.slice(0, 9)}`, 'DELETE'))[0]).toBe(404);
  await bench.connect(first.slice(0, 9));
  expect(await find(first.slice(0, 9))).toMatchObject([200, { id: first.slice(0, 9) }]);
});

test('what was said, and what waits, can be read', async () => {
  const script = scriptedModel([
    { text: 'I write.', calls: [['write_file', { path: 'a.txt', content: 'x' }]] },
    { text: 'Done.' },
  ]);
  await using bench = await gatewayBench({ script });
  const client = await bench.connect('s1');
  client.send({ type: 'user_message', content: 'Write it.' });
  const { approval_id } = await client.next('tool_call');
  const [, pendingList] = await json(bench, '/api/v1/sessions/s1/pending-approvals');
  expect(pendingList.pending_approvals).toMatchObject([{ id: approval_id, tool: 'write_file' }]);
  client.send({ type: 'hitl_decision', call_id: 'call_0_0', decision: 'approve' });
  await client.next('done');
  const [, { messages }] = await json(bench, '/api/v1/sessions/s1/history');
  expect(messages).toMatchObject([
    { role: 'user', content: 'Write it.' },
    {
      role: 'assistant',
      content: 'I write.',
      tool_calls: [{ call_id: 'call_0_0', tool_name: 'write_file' }],
    },
    { role: 'tool', call_id: 'call_0_0', status: 'completed', result: { bytes_written: 1 } },
    { role: 'assistant', content: 'Done.' },
  ]);
  expect(await json(bench, '/api/v1/agents/s1/current')).toMatchObject([
    200,
    { agent_type: 'build', status: 'idle' },
  ]);
});

test('agents and tools are listed', async () => {
  await using bench = await gatewayBench();
  const [, { agents }] = await json(bench, '/api/v1/agents');
  expect((agents as Json[]).map(({ type }) => type)).toEqual(
    expect.arrayContaining(['ask', 'build', 'plan']),
  );
  const names = async (query: string) =>
    ((await json(bench, `/api/v1/tools${query}`))[1].tools as Json[]).map(({ name }) => name);
  expect(await names('')).toEqual(expect.arrayContaining(['read_file', 'git.diff', 'run_command']));
  expect(await names('?profile=ask')).not.toContain('write_file');
  expect(await names('?dialect=coder')).toContain('bash');
  const listing = (await json(bench, '/api/v1/tools'))[1];
  expect(listing.version).toBe(toolSetVersion);
  const all = listing.tools as Json[];
  const narrowed = all.filter(({ takes_hunks }) => takes_hunks === true).map(({ name }) => name);
  expect(narrowed).toEqual(expect.arrayContaining(['write_file', 'apply_patch']));
  expect(narrowed).not.toContain('read_file');
});

test.each([
  ['GET', '/api/v1/sessions/none', undefined, 404],
  ['GET', '/api/v1/sessions/..%2f..%2fetc', undefined, 400],
  ['PATCH', '/api/v1/sessions/none', { title: 'x' }, 404],
  ['PATCH', '/api/v1/sessions/none', { title: 'x'.repeat(201) }, 400],
  ['POST', '/api/v1/sessions', { titel: 'x' }, 400],
  ['POST', '/api/v1/sessions', { agent_type: 'king' }, 400],
  ['GET', '/api/v1/sessions?limit=1e9', undefined, 400],
  ['GET', '/api/v1/tools?profile=king', undefined, 400],
  ['GET', '/api/v1/tools?dialect=__proto__', undefined, 400],
  ['GET', '/nowhere', undefined, 404],
])('%s %s with %j is refused', async (method, path, body, status) => {
  await using bench = await gatewayBench();
  const [answerStatus, answer] = await json(bench, path, method, body);
  expect([answerStatus, answer]).toMatchObject([
    status,
    { error: { code: expect.any(String), message: expect.any(String) } },
  ]);
  expect(bench.faults).toEqual([]);
});

test('a body is read as carefully as a message', async () => {
  await using bench = await gatewayBench();
  const post = async (body: string, type = 'application/json') =>
    (await bench.request('/api/v1/sessions', { method: 'POST', body, headers: { 'content-type': type } }))
      .status;
  expect(await post('{')).toBe(400);
  expect(await post('['.repeat(1_000_000))).toBe(400);
  expect(await post('{"__proto__":{}}')).toBe(400);
  expect(await post('{}', 'text/plain')).toBe(415);
  expect(await post(`"${'x'.repeat(11 * 1024 * 1024)}"`)).toBe(413);
  expect(await post('{}')).toBe(201);
});

/** Events of the stream until one fits. */
async function readUntil(answer: Response, matches: (text: string) => boolean): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (matches(text)) return text;
  }
  return text;
}

test('the log is streamed as it grows, and goes on after the last id', async () => {
  await using bench = await gatewayBench({ script: scriptedModel([{ text: 'a\r\n\nevent: evil' }]) });
  const client = await bench.connect('s1');
  const path = '/api/v1/sessions/s1/events';
  const live = await bench.request(`${path}?token=secret-token`, { token: '' });
  expect([live.status, live.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  client.send({ type: 'user_message', content: 'Hi' });
  const text = await readUntil(live, (all) => all.includes('event: turn.ended'));
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  expect(ids).toEqual([1, 2, 3, 4]);
  const names = [...text.matchAll(/^event: (\S+)$/gm)].map(([, name]) => name);
  expect(names.filter((name) => name !== 'signal')).toEqual([
    'session.opened',
    'turn.started',
    'model.replied',
    'turn.ended',
  ]);
  expect(names).toContain('signal');
  expect(text).not.toMatch(/^event: evil/m);
  const rest = await bench.request(`${path}?since=1`, { headers: { 'last-event-id': '2' } });
  const after = await readUntil(rest, (all) => all.includes('event: turn.ended'));
  expect([...after.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(['3', '4']);
  for (const id of ['-1', 'x', '1e99', '99999999999999999999'])
    expect((await bench.request(path, { headers: { 'last-event-id': id } })).status).toBe(400);
});

test('a link answers its question once, without a token, and only when it is used on purpose', async () => {
  await using bench = await gatewayBench();
  const client = await bench.connect('s1');
  const args = { path: 'a.txt', content: '<script>alert(1)</script>\u202e' };
  client.send({ type: 'tool_call', tool_name: 'write_file', call_id: 'c1', args });
  const { approval_id } = await client.next('tool_call');
  const path = `/api/v1/sessions/s1/approvals/${String(approval_id)}/link`;
  expect((await bench.request(path, { method: 'POST', token: 'wrong' })).status).toBe(401);
  const [status, link] = await json(bench, path, 'POST');
  expect(status).toBe(201);
  const url = String(link.url);
  const page = await fetch(url);
  const text = await page.text();
  expect([page.status, page.headers.get('content-security-policy')]).toEqual([
    200,
    expect.stringContaining("default-src 'none'"),
  ]);
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text).toContain('⟨U+202E⟩');
  expect(text).not.toContain('<script>');
  const post = async (decision: string, headers: Record<string, string> = {}) =>
    (await fetch(url, { method: 'POST', body: new URLSearchParams({ decision }), headers })).status;
  expect(await post('launch')).toBe(400);
  expect(await post('approve', { origin: 'https://evil.test' })).toBe(403);
  expect(await post('approve')).toBe(200);
  expect(await client.next('tool_result')).toMatchObject({ result: { success: true } });
  expect([await post('approve'), (await fetch(url)).status]).toEqual([404, 404]);
  expect((await json(bench, path, 'POST'))[0]).toBe(404);
  const events = await bench.running.gateway.host.log.read('s1');
  const decided = events.find(({ body }) => body.type === 'approval.decided');
  expect(decided?.body).toMatchObject({ by: { via: 'link' } });
});
