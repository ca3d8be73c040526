// The socket of seeds 000 and 004: what people say, what the agent says, calls, decisions, and several peers in one session.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const writing = () =>
  scriptedModel([
    { text: 'I write it.', calls: [['write_file', { path: 'a.txt', content: 'new\n' }]] },
    { text: 'Written.' },
  ]);

test('a turn is told from its beginning to its end', async () => {
  await using bench = await gatewayBench({ script: scriptedModel([{ text: 'Hello, you.' }]) });
  const client = await bench.connect('s1');
  expect(await client.next('session_info')).toEqual({
    type: 'session_info',
    session_id: 's1',
    role: 'approver',
    agent_type: 'build',
    dialect: 'agent',
    last_seq: 1,
  });
  client.send({ type: 'user_message', content: 'Hi', message_id: 'm1' });
  const doneMessage = await client.next('done');
  expect(doneMessage).toEqual({ type: 'done', status: 'completed', turn: 1, seq: 4 });
  expect(client.received.slice(1, 8)).toEqual([
    { type: 'agent_status', status: 'idle', message: 'Ready.' },
    { status: 'received', message_id: 'm1' },
    { type: 'user_message', role: 'user', content: 'Hi', seq: 2 },
    { type: 'agent_status', status: 'thinking', message: 'Thinking.' },
    { type: 'assistant_message', token: 'Hello, you.', is_final: false },
    { type: 'assistant_message', content: 'Hello, you.', is_final: true, seq: 3 },
    { type: 'done', status: 'completed', turn: 1, seq: 4 },
  ]);
  expect(bench.faults).toEqual([]);
});

test('a new_ session gets its real name first', async () => {
  await using bench = await gatewayBench();
  const client = await bench.connect('new_123', { prefix: '/api/v1/ws' });
  const { session_id } = await client.next('session_info');
  expect(session_id).toMatch(/^[a-z0-9-]{8,}$/i);
  const listing = (await (await bench.request('/api/v1/sessions')).json()) as { sessions: object[] };
  expect(listing.sessions).toMatchObject([{ session_id }]);
});

test.each([
  ['approve', { decision: 'approve' }, 'new\n'],
  ['edit', { decision: 'edit', modified_arguments: { path: '/a.txt', content: 'edited\n' } }, 'edited\n'],
  ['reject', { decision: 'reject', feedback: 'This operation is too risky' }, undefined],
])('%s: the decision of a human is what happens', async (_name, decision, content) => {
  await using bench = await gatewayBench({ script: writing() });
  const client = await bench.connect('s1');
  client.send({ type: 'user_message', content: 'Write it.' });
  const call = await client.next('tool_call');
  expect(call).toMatchObject({
    tool_name: 'write_file',
    arguments: { path: '/a.txt', content: 'new\n' },
    requires_approval: true,
  });
  client.send({ type: 'hitl_decision', call_id: call.call_id, ...decision });
  await client.next('status', ({ metadata }) => (metadata as { state?: string })?.state === 'decided');
  const result = await client.next('tool_result');
  await client.next('done');
  const path = join(bench.root, 'a.txt');
  expect(existsSync(path) ? readFileSync(path, 'utf8') : undefined).toBe(content);
  if (content === undefined)
    expect(result).toMatchObject({ error: expect.stringContaining('too risky'), error_code: 'REJECTED' });
  else expect(result).toMatchObject({ result: { success: true } });
  expect(bench.faults).toEqual([]);
});

test('hunks of a change can be taken one by one', async () => {
  const lines = (first: string, last: string): string => `${first}\n${'x\n'.repeat(20)}${last}\n`;
  const script = scriptedModel([
    { calls: [['write_file', { path: 'a.txt', content: lines('A', 'B') }]] },
    { text: 'ok' },
  ]);
  await using bench = await gatewayBench({ script, files: { 'a.txt': lines('a', 'b') } });
  const client = await bench.connect('s1');
  client.send({ type: 'user_message', content: 'go' });
  const { call_id } = await client.next('tool_call');
  client.send({ type: 'hitl_decision', call_id, decision: 'hunks', take: [2] });
  await client.next('done');
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe(lines('a', 'B'));
});

test('a second peer sees the same session live, after a break, and decides in it', async () => {
  await using bench = await gatewayBench({ script: writing() });
  const first = await bench.connect('s1');
  const second = await bench.connect('s1');
  await second.next('session_info');
  first.send({ type: 'user_message', content: 'Write it.' });
  const { call_id, approval_id } = await second.next('tool_call');
  const lateClient = await bench.connect('s1');
  expect(await lateClient.next('tool_call')).toMatchObject({ call_id, approval_id, requires_approval: true });
  second.send({ type: 'hitl_decision', call_id, decision: 'approve' });
  await Promise.all([first.next('done'), second.next('done'), lateClient.next('done')]);
  const logged = (message: { received: Record<string, unknown>[] }) =>
    message.received.filter(({ seq }) => seq !== undefined);
  expect(logged(second)).toEqual(logged(first));
  const reconnected = await bench.connect('s1', { query: '?since=0' });
  await reconnected.next('done');
  expect(logged(reconnected)).toEqual(logged(first));
  const { seq } = logged(first)[2] ?? {};
  const middle = await bench.connect('s1', { query: `?since=${String(seq)}` });
  await middle.next('done');
  expect(logged(middle)).toEqual(logged(first).slice(3));
});

test('a peer calls a tool itself and is answered in its own spelling', async () => {
  await using bench = await gatewayBench({ files: { 'src/a.js': 'let a;\n' } });
  const client = await bench.connect('s1');
  client.send({ type: 'tool_call', tool_name: 'read_file', call_id: 'c1', args: { path: 'src/a.js' } });
  expect(await client.next('tool_result')).toEqual({
    type: 'tool_result',
    call_id: 'c1',
    result: { content: 'let a;\n', encoding: 'utf-8' },
    seq: expect.any(Number),
  });
  client.send({ type: 'tool_call', tool_name: 'read_file', call_id: 'c2', arguments: { path: '/src/a.js' } });
  expect(await client.next('tool_result')).toMatchObject({
    call_id: 'c2',
    result: { content: 'let a;\n', size: 7, modified: expect.any(String) },
  });
  client.send({ type: 'tool_call', tool_name: 'read_file', call_id: 'c3', arguments: { path: '/no.js' } });
  expect(await client.next('tool_result')).toMatchObject({
    call_id: 'c3',
    error: 'File not found: /no.js',
    error_code: 'FILE_NOT_FOUND',
  });
  client.send({ type: 'tool_call', tool_name: 'read_file', call_id: 'c4', args: { path: 'no.js' } });
  expect(await client.next('tool_result')).toMatchObject({
    call_id: 'c4',
    error: { code: 'FILE_NOT_FOUND', message: 'File not found: no.js' },
  });
});

test('a call repeated with its id is answered from the log; with other arguments it is refused', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'one' } });
  const client = await bench.connect('s1');
  const call = { type: 'tool_call', tool_name: 'read_file', call_id: 'c1', args: { path: 'a.txt' } };
  client.send(call);
  const first = await client.next('tool_result');
  writeFileSync(join(bench.root, 'a.txt'), 'two');
  client.send(call);
  const { seq: _seq, ...before } = first;
  expect(await client.next('tool_result')).toEqual(before);
  client.send({ ...call, args: { path: 'b.txt' } });
  expect(await client.next('tool_result')).toMatchObject({ error: { code: 'DUPLICATE_CALL' } });
});

test('what a command prints is told while it runs', async () => {
  await using bench = await gatewayBench();
  const client = await bench.connect('s1');
  const args = { command: 'echo one; sleep 0.4; echo two' };
  client.send({ type: 'tool_call', tool_name: 'run_command', call_id: 'c1', arguments: args });
  const { call_id } = await client.next('tool_call');
  client.send({ type: 'hitl_decision', call_id, decision: 'approve' });
  const result = await client.next('tool_result');
  expect(result).toMatchObject({ result: { stdout: 'one\n', exit_code: null } });
  const last = await client.next('tool_result', ({ seq }) => seq !== undefined);
  expect(last).toMatchObject({ call_id: 'c1', result: { stdout: 'one\ntwo\n', exit_code: 0 } });
});

test('the context, the agent and the turn can be changed from outside', async () => {
  const script = scriptedModel((_request, step) =>
    step === 0 ? { calls: [['run_command', { command: 'sleep 30' }]] } : { text: 'ok' },
  );
  await using bench = await gatewayBench({ script, files: { 'src/main.dart': 'void main() {}' } });
  const client = await bench.connect('s1');
  client.send({
    type: 'context_update',
    session_id: 's1',
    action: 'add_file',
    data: { path: '/src/main.dart' },
  });
  expect(await client.next('context_update')).toMatchObject({
    action: 'add_file',
    data: { path: '/src/main.dart' },
  });
  client.send({ type: 'context_update', action: 'add_file', data: { path: '/../../etc/passwd' } });
  expect(await client.next('error')).toMatchObject({ error_code: expect.stringMatching(/PATH/) });
  client.send({ type: 'context_update', action: 'clear' });
  await client.next('context_update', ({ action }) => action === 'clear');
  client.send({ type: 'user_message', content: 'go' });
  await client.next('tool_call');
  client.send({ type: 'user_message', content: 'and this' });
  expect(await client.next('error')).toMatchObject({ error_code: 'CONCURRENT_LIMIT_EXCEEDED' });
  client.send({ type: 'cancel' });
  expect(await client.next('done')).toMatchObject({ status: 'cancelled' });
  client.send({ type: 'switch_agent', agent_type: 'architect', content: 'Plan it.', reason: 'first think' });
  expect(await client.next('agent_switched')).toMatchObject({
    from_agent: 'build',
    to_agent: 'architect',
    reason: 'first think',
  });
  expect(await client.next('done')).toMatchObject({ status: 'completed', turn: 2 });
  expect(script.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', text: 'Plan it.' });
  expect(bench.faults).toEqual([]);
});

test('a viewer looks on and changes nothing', async () => {
  await using bench = await gatewayBench({ script: writing() });
  const viewer = await bench.connect('s1', { query: '?role=viewer' });
  viewer.send({ type: 'user_message', content: 'Hi' });
  expect(await viewer.next('error')).toMatchObject({ error_code: 'PERMISSION_DENIED' });
  const client = await bench.connect('s1');
  client.send({ type: 'user_message', content: 'Hi' });
  const { call_id } = await viewer.next('tool_call');
  viewer.send({ type: 'hitl_decision', call_id, decision: 'approve' });
  expect(await viewer.next('error')).toMatchObject({ error_code: 'PERMISSION_DENIED' });
  viewer.send({ type: 'ping', id: 7 });
  expect(await viewer.next('pong')).toEqual({ type: 'pong', id: 7 });
  expect(existsSync(join(bench.root, 'a.txt'))).toBe(false);
});

test('a browser’s own kind of socket, which sends no headers, is served as well', async () => {
  await using bench = await gatewayBench({ script: scriptedModel([{ text: 'Hello.' }]) });
  const socket = new globalThis.WebSocket(
    `${bench.running.url.replace('http', 'ws')}/ws/s1?token=secret-token`,
  );
  const firstText = new Promise<string>((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as { type: string; is_final?: boolean; content?: string };
      if (message.type === 'session_info') socket.send('{"type":"user_message","content":"Hi"}');
      if (message.is_final === true) resolve(String(message.content));
    });
  });
  expect(await firstText).toBe('Hello.');
  socket.close();
});
