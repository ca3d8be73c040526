// The author of a turn or a call is in the record, over every wire; calls of a turn belong to its author.
import { userInfo } from 'node:os';
import type { Actor } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { events, user } from '../support/mcp-server-bench.ts';
import { modelServer } from '../support/model-server.ts';
import { callAnswer, runBench, textAnswer } from '../support/run-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const who = userInfo().username;

/** Of every turn and call, in the order of the log. */
async function askedBy(bench: GatewayBench): Promise<[string, Actor | undefined][]> {
  return (await events(bench)).flatMap((body): [string, Actor | undefined][] => {
    if (body.type === 'turn.started') return [[body.text, body.by]];
    return body.type === 'call.received' ? [[body.call.tool, body.call.by]] : [];
  });
}

const reading = () => scriptedModel([{ calls: [['read_file', { path: 'a.txt' }]] }, { text: 'Read.' }]);

async function ended(bench: GatewayBench): Promise<void> {
  await expect.poll(async () => (await events(bench)).map(({ type }) => type)).toContain('turn.ended');
}

test('over the socket: the turn and the peer’s own call name the peer, a call of the turn does not', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'one\n' }, script: reading() });
  const client = await bench.connect('s1');
  client.send({ type: 'tool_call', call_id: 'c1', tool_name: 'read_file', arguments: { path: '/a.txt' } });
  await client.next('tool_result');
  client.send({ type: 'user_message', content: 'Look at @a.txt' });
  await client.next('done');
  const by = { who, via: 'websocket' };
  expect(await askedBy(bench)).toEqual([
    ['read_file', by],
    // The file that was named with @.
    ['read_file', by],
    ['Look at @a.txt', by],
    ['read_file', undefined],
  ]);
});

test('over REST: the turn, a call with and without consent, and who cancelled', async () => {
  const hanging = { ...reading(), stream: hang };
  await using bench = await gatewayBench({ files: { 'a.txt': 'one\n' }, script: hanging });
  const post = (path: string, body: object): Promise<Response> =>
    bench.request(`/api/v1/sessions/s1${path}`, { method: 'POST', body: JSON.stringify(body) });
  await bench.running.gateway.session('s1', { subject: who, via: 'test', isOperator: true });
  for (const approve of [false, true])
    await post('/calls', { tool: 'read_file', args: { path: 'a.txt' }, approve });
  await post('/messages', { content: 'Hi' });
  await post('/cancel', {});
  const by = { who, via: 'http' };
  expect(await askedBy(bench)).toEqual([
    ['read_file', by],
    ['read_file', by],
    ['Hi', by],
  ]);
  expect((await events(bench)).at(-1)).toMatchObject({ type: 'turn.ended', end: 'cancelled', by });
});

test('a call that somebody cancelled says who did', async () => {
  await using bench = await gatewayBench();
  const client = await bench.connect('s1');
  const args = { path: '/b.txt', content: 'x\n' };
  client.send({ type: 'tool_call', call_id: 'c1', tool_name: 'write_file', arguments: args });
  await client.next('tool_call');
  await bench.request('/api/v1/sessions/s1/cancel', { method: 'POST', body: '{}' });
  expect((await events(bench)).at(-1)).toMatchObject({
    type: 'call.finished',
    outcome: { status: 'cancelled', error: { code: 'CANCELLED', details: { by: { who, via: 'http' } } } },
  });
});

test('over seed 002’s REST, Kode’s service and MCP', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'one\n' }, script: reading() });
  await using editor = await user(bench, 'v2');
  await editor.call('read_file', { path: 'a.txt' });
  const base = '/my/projects/p1';
  const chat = await bench.request(`${base}/chat/sessions/`, { method: 'POST', body: '{"title":"A chat"}' });
  const { session_id } = (await chat.json()) as { session_id: string };
  const call = { tool_name: 'list_directory', tool_params: { path: '.' }, session_id };
  await bench.request(`${base}/tools/execute`, { method: 'POST', body: JSON.stringify(call) });
  const kode = await bench.request('/api/chat/stream', {
    method: 'POST',
    body: JSON.stringify({ message: 'Look', context: { files: ['a.txt'] } }),
  });
  await kode.text();
  await ended(bench);
  const http = { who, via: 'http' };
  const askers = await askedBy(bench);
  expect(askers).toHaveLength(5);
  expect(askers).toEqual(
    expect.arrayContaining([
      ['read_file', { who, via: 'mcp:editor/2.1' }],
      ['list_files', http],
      ['read_file', http],
      [expect.stringContaining('Look'), http],
      ['read_file', undefined],
    ]),
  );
});

test('the command line: run, tool, and the audit shows it', { timeout: 60_000 }, async () => {
  using bench = runBench();
  await using server = await modelServer([callAnswer('read_file', { path: 'a.txt' }), textAnswer('Read.')]);
  await bench.codelab(server, 'run', 'look');
  await bench.codelab(server, 'tool', 'read_file', '{"path":"a.txt"}');
  const output = JSON.parse((await bench.codelab(server, 'audit', 'show', '--json')).stdout);
  expect(output).toMatchObject({
    calls: [
      { tool: 'read_file', dialect: 'agent', by: { who, via: 'codelab run' } },
      { tool: 'read_file', dialect: 'codelab', by: { who, via: 'codelab tool' } },
    ],
  });
  const { stdout } = await bench.codelab(server, 'audit', 'show');
  expect(stdout).toContain(`asked by ${who} via codelab run`);
  const exported = (await bench.codelab(server, 'audit', 'export')).stdout;
  expect(exported).toContain(`"by":${JSON.stringify({ who, via: 'codelab run' })}`);
});

/** A model that says nothing until it is stopped. */
async function* hang(_request: unknown, signal: AbortSignal): AsyncGenerator<never> {
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}
