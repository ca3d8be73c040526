import { expect, test } from 'vitest';
import { type HttpBench, httpBench } from '../support/http-bench.ts';

const base = '/my/projects/p1';

async function newChat(http: HttpBench): Promise<string> {
  const { status, body } = await http.post(`${base}/chat/sessions/`, { title: 'A chat' });
  expect(status).toBe(201);
  return String(body.session_id);
}

test.each([
  ['POST', '/tools/execute', { tool_name: 'fly', tool_params: {} }, 404, 'TOOL_NOT_FOUND'],
  [
    'POST',
    '/tools/execute',
    { tool_name: 'read_file', tool_params: { path: 'a', fast: 1 } },
    400,
    'INVALID_ARGUMENTS',
  ],
  ['POST', '/tools/execute', { tool_params: {} }, 400, 'INVALID_ARGUMENTS'],
  ['POST', '/tools/execute', '{"tool_name":', 400, 'INVALID_FORMAT'],
  [
    'POST',
    '/tools/execute',
    '{"tool_name":"read_file","tool_params":{"path":"a","path":".env"}}',
    400,
    'INVALID_ARGUMENTS',
  ],
  [
    'POST',
    '/tools/execute',
    { tool_name: 'read_file', args: { path: 'a' }, tool_params: { path: 'b' } },
    400,
    'INVALID_ARGUMENTS',
  ],
  ['POST', '/approvals/nothing/approve', {}, 404, 'APPROVAL_NOT_FOUND'],
  ['POST', '/chat/s1/message/', { content: 'x'.repeat(10_001) }, 400, 'INVALID_ARGUMENTS'],
  ['POST', '/chat/..%2Fx/message/', { content: 'x' }, 400, 'INVALID_ARGUMENTS'],
  ['GET', '/chat/nothing/events/', undefined, 404, 'SESSION_NOT_FOUND'],
  ['GET', '/tools?session_id=s1&limit=1000', undefined, 400, 'INVALID_ARGUMENTS'],
])('%s %s %j is refused', async (method, path, body, status, code) => {
  await using http = await httpBench();
  const answer = method === 'GET' ? await http.get(base + path) : await http.post(base + path, body);
  expect([answer.status, answer.body.error_code]).toEqual([status, code]);
  expect(Object.keys(answer.body)).toEqual(['detail', 'error_code', 'timestamp', 'metadata']);
  expect(http.faults).toEqual([]);
});

test('a wrong token, and none', async () => {
  await using http = await httpBench();
  for (const authorization of ['Bearer wrong', '']) {
    const answer = await http.get(`${base}/tools/available`, { authorization });
    expect([answer.status, answer.body.error_code]).toEqual([401, 'UNAUTHORIZED']);
  }
});

test('an id that two chats have is not guessed', async () => {
  await using http = await httpBench();
  const call = (session_id: string) =>
    http.post(`${base}/tools/execute`, {
      tool_name: 'write_file',
      tool_params: { path: `${session_id}.txt`, content: '' },
      tool_id: 'call_0',
      session_id,
    });
  await call('one');
  const { body } = await call('two');
  const guess = await http.post('/tools/call_0/approve');
  expect([guess.status, guess.body.metadata]).toEqual([400, { field: 'session_id' }]);
  expect((await http.post('/tools/call_0/reject', { session_id: 'one' })).status).toBe(200);
  expect((await http.get(`${base}/tools/call_0?session_id=two`)).body.status).toBe('awaiting_approval');
  expect((await http.post(`/tools/${body.approval_id}/reject`)).status).toBe(200);
});

test('asking for the head of a stream opens none', async () => {
  await using http = await httpBench();
  const sid = await newChat(http);
  const answer = await fetch(`${http.url}${base}/chat/${sid}/events/`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${http.token}` },
  });
  expect(answer.status).toBe(404);
});

test('what is too large, too deep or not JSON is refused, and the gateway goes on', async () => {
  await using http = await httpBench();
  const post = (body: string, type = 'application/json') =>
    http.post(`${base}/tools/execute`, body, { 'content-type': type });
  expect((await post(`"${'x'.repeat(11 * 1024 * 1024)}"`)).status).toBe(413);
  expect((await post(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)).status).toBe(400);
  expect((await post('{"tool_name":"read_file","tool_params":{"__proto__":{}}}')).status).toBe(400);
  expect((await post('tool_name=read_file', 'application/x-www-form-urlencoded')).status).toBe(415);
  expect((await http.get(`${base}/tools/available`)).status).toBe(200);
  expect(http.faults).toEqual([]);
});
