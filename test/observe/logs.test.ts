// Log lines: what they say, and that nothing said in confidence is among them, whichever door it came through.
import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hideLine } from '../../apps/server/src/observe/log-lines.ts';
import { gatewayBench } from '../support/gateway-bench.ts';
import type { Said } from '../support/scripted-cast.ts';
import { scriptedModel } from '../support/scripted-model.ts';

type Line = Record<string, unknown> & { msg: string };

function collect(level: 'debug' | 'info') {
  const raw: string[] = [];
  const lines = (): Line[] => raw.map((line) => JSON.parse(line) as Line);
  const linesNamed = (msg: string): Line[] => lines().filter((line) => line.msg === msg);
  return { raw, lines, named: linesNamed, log: { level, write: (line: string) => void raw.push(line) } };
}

test('the usual level tells of the start, sessions, turns, decisions and doors; every line is one JSON object', async () => {
  const { raw, lines, named, log } = collect('info');
  const script = scriptedModel([
    { calls: [['write_file', { path: 'a.txt', content: 'x' }]] },
    { text: 'Done.' },
  ]);
  const bench = await gatewayBench({ script, log });
  const client = await bench.connect('s1');
  client.send({ type: 'user_message', content: 'Write.' });
  const { call_id } = await client.next('tool_call');
  client.send({ type: 'hitl_decision', call_id, decision: 'approve' });
  await client.next('done');
  await bench.request('/api/v1/sessions', { token: 'wrong-token' });
  await bench.request('/api/v1/sessions/s1', { method: 'DELETE' });
  await bench[Symbol.asyncDispose]();
  expect(lines().map(({ msg }) => msg)).toEqual([
    'gateway started',
    'session opened',
    'turn started',
    'approval decided',
    'turn ended',
    'door refused',
    'session deleted',
    'gateway stops',
  ]);
  expect(raw.every((line) => line.endsWith('}\n') && line.indexOf('\n') === line.length - 1)).toBe(true);
  const by = { who: expect.any(String), via: 'websocket' };
  expect(named('turn started')).toMatchObject([
    { session: 's1', turn: 1, model: 'scripted', profile: 'build', ...by },
  ]);
  expect(named('approval decided')).toMatchObject([
    { session: 's1', call: call_id, decision: 'approve', ...by },
  ]);
  expect(named('turn ended')).toMatchObject([{ end: 'completed', ms: expect.any(Number) }]);
  expect(named('door refused')).toMatchObject([
    { code: 'UNAUTHORIZED', reason: 'TOKEN_INVALID', via: 'http', address: '127.0.0.1' },
  ]);
});

describe('a secret', () => {
  const mark = 'MARKED-SECRET-0123456789';

  test('is in no line, whichever door it was brought to', async () => {
    const { raw, named, log } = collect('debug');
    const replies: Said[] = [
      { text: `${mark} said`, calls: [['write_file', { path: 'a.txt', content: mark }]] },
      { calls: [['run_command', { command: `echo ${mark}` }]] },
      { text: mark },
    ];
    const script = scriptedModel(
      ({ messages }) => replies[messages.filter(({ role }) => role === 'assistant').length] ?? {},
    );
    const gatewayToken = 'the-token-of-this-gateway';
    const env = { OPENAI_API_KEY: 'the-key-of-a-provider' };
    const bench = await gatewayBench({
      files: { 'b.txt': `${mark}\n` },
      script,
      log,
      env,
      token: gatewayToken,
    });
    const ask = (path: string, init: RequestInit & { token?: string } = {}) =>
      bench.request(path, { token: gatewayToken, ...init });
    const post = (path: string, body: object) => ask(path, { method: 'POST', body: JSON.stringify(body) });
    await ask('/api/v1/sessions');
    await ask(`/api/v1/sessions?token=${mark}&api_key=${mark}`, { token: mark });
    await ask('/health', { headers: { 'x-api-key': mark, cookie: `codelab_session=${mark}` } });
    await ask(`/nothing/${mark}?token=${mark}`);
    await ask('/api/v1/sessions', { headers: { origin: `https://${mark}.example` } });
    await ask(`/approve/${mark}`);
    await ask(`/approve/${mark}`, { method: 'POST', body: JSON.stringify({ decision: mark }) });
    await ask('/metrics', { headers: { 'x-request-id': mark, traceparent: mark } });
    await post('/v1/chat/completions', { model: 'demo', messages: [{ role: 'user', content: mark }] });
    await post('/v1/chat/completions', { model: `openai/${mark}`, messages: [] });
    await (await post('/api/chat/stream', { message: mark, approvals: 'never' })).text();
    await post('/my/projects/p/tools/execute', {
      tool_name: 'read_file',
      tool_params: { path: 'b.txt' },
      session_id: 's2',
    });
    await post('/my/projects/p/tools/execute', {
      tool_name: 'read_file',
      tool_params: { secret: mark },
      session_id: 's2',
    });
    await rawRequest(bench.running.port, `GET /${mark} HTTP/1.1\r\nHost: ${mark}\r\n\r\n`);
    await rawRequest(bench.running.port, `${mark}\r\n\r\n`);
    await expect(bench.connect('s1', { token: mark, query: `?token=${mark}` })).rejects.toThrow('401');
    const client = await bench.connect('s1', { token: gatewayToken, query: `?token=${mark}` });
    client.send(`{"broken ${mark}`);
    client.send({ type: 'user_message', content: mark });
    for (const decision of ['approve', 'reject']) {
      const { call_id, approval_id } = await client.next(
        'tool_call',
        (message) => message.requires_approval === true,
      );
      const link = await post(`/api/v1/sessions/s1/approvals/${String(approval_id)}/link`, {});
      const { url } = (await link.json()) as { url: string };
      const secret = new URL(url).pathname.split('/').at(-1) ?? '';
      await fetch(url);
      expect(raw.join('')).not.toContain(secret);
      client.send({ type: 'hitl_decision', call_id, decision, feedback: mark });
    }
    await client.next('done');
    await bench[Symbol.asyncDispose]();
    expect(raw.filter((line) => line.includes(mark) || line.includes(gatewayToken))).toEqual([]);
    // No line had a secret that had to be masked.
    expect(raw.filter((line) => line.includes('•••'))).toEqual([]);
    expect(named('request').length).toBeGreaterThan(10);
    expect(named('call ended').length).toBeGreaterThan(3);
    expect(named('request')).toContainEqual(
      expect.objectContaining({ method: 'GET', route: '/approve/:secret', status: expect.any(Number) }),
    );
    expect(named('request')).toContainEqual(expect.objectContaining({ route: 'unmatched', status: 404 }));
  });

  test('that a defect carries is blotted out, by its value or by its form', () => {
    const hide = hideLine(['own-token-"quoted"'], { MY_API_KEY: mark, HOME: '/home/me', SHORT_KEY: 'abc' });
    const line = JSON.stringify({
      a: `fetch https://user:pass@host/x?token=abcdef&b=1 with Bearer abc.def and ${mark}`,
      b: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln and sk-proj-1234567890abcdef own-token-"quoted" abc /home/me',
    });
    expect(JSON.parse(hide(line))).toEqual({
      a: 'fetch https•••host/x?•••&b=1 with ••• and •••',
      b: '••• and ••• ••• abc /home/me',
    });
    expect(JSON.parse(hideLine(['nabcdefgh'], {})(JSON.stringify('\nabcdefgh')))).toMatchObject({
      msg: 'a line was withheld',
    });
  });
});

test('a line stays one JSON object, whatever is blotted out of it', () => {
  const words = fc.constantFrom(
    'token=',
    'Bearer ',
    '://',
    '@',
    '"',
    '\\',
    'eyJabcdefgh.',
    'sk-abcdefghijklmnop',
    '/approve/',
  );
  const texts = fc.array(fc.oneof(words, fc.string()), { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, texts, fc.string({ minLength: 8 }), (a, b, secret) => {
      const line = hideLine([secret], {})(JSON.stringify({ a, b: `${b}${secret}`, c: 1 }));
      expect(JSON.parse(line)).toEqual(expect.any(Object));
      expect(line).not.toContain(JSON.stringify(secret).slice(1, -1));
    }),
  );
});

test('nobody forges a line: what breaks lines or paints terminals is spelled out', async () => {
  const { raw, named, log } = collect('debug');
  const evil = 'x"}\n{"level":"info","msg":"forged"}\r\u001b[31m\u2028';
  const script = scriptedModel([{ calls: [[evil, {}]] }, { text: 'Done.' }]);
  const bench = await gatewayBench({ script, log });
  const client = await bench.connect('s1');
  client.send({ type: 'user_message', content: evil });
  await client.next('done');
  await bench.request(`/${encodeURIComponent(evil)}`);
  await bench[Symbol.asyncDispose]();
  expect(named('call ended')).toMatchObject([{ tool: evil, code: 'TOOL_NOT_FOUND' }]);
  expect(named('forged')).toEqual([]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  for (const line of raw) expect(line).toMatch(/^[^\u0000-\u001f]+\n$/);
});

test('a flood at the door is counted whole, and told in part', async () => {
  const { named, log } = collect('info');
  await using bench = await gatewayBench({ log });
  for (let i = 0; i < 200; i++) await bench.request('/api/v1/sessions', { token: `wrong-${i}` });
  expect(named('door refused').length).toBeLessThan(80);
  const text = await (await bench.request('/metrics')).text();
  const counts = [...text.matchAll(/^codelab_doors_refused_total\{[^}]*\} (\d+)$/gm)].map(([, n]) =>
    Number(n),
  );
  expect(counts.reduce((sum, n) => sum + n, 0)).toBe(200);
});

test('every answer names its request, and so does its line', async () => {
  const { named, log } = collect('debug');
  await using bench = await gatewayBench({ log });
  const answers = await Promise.all([1, 2, 3].map(() => bench.request('/api/v1/sessions')));
  const ids = answers.map(({ headers }) => headers.get('x-request-id'));
  expect(new Set(ids).size).toBe(3);
  await Promise.all(answers.map((answer) => answer.text()));
  await bench.request('/health');
  expect(named('request').map(({ request }) => request)).toEqual(expect.arrayContaining(ids));
  expect(named('request')[0]).toMatchObject({
    method: 'GET',
    route: '/api/v1/sessions',
    status: 200,
    ms: expect.any(Number),
  });
});

async function rawRequest(port: number, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(text));
    socket.on('close', () => resolve());
    socket.on('error', () => resolve());
    socket.resume();
  });
}
