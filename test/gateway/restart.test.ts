// A gateway that is started again: what waited still waits, and its answer is acted on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const writing = () =>
  scriptedModel([
    { text: 'I write it.', calls: [['write_file', { path: 'a.txt', content: 'new\n' }]] },
    { text: 'Written.' },
  ]);

test('after a restart the question still waits, and its answer finishes the turn', async () => {
  await using bench = await gatewayBench({ script: writing() });
  const before = await bench.connect('s1');
  before.send({ type: 'user_message', content: 'Write it.' });
  const { approval_id } = await before.next('tool_call');
  await bench.restart();
  expect((await before.closed).code).toBe(1001);
  const client = await bench.connect('s1');
  const question = await client.next('tool_call');
  expect(question).toMatchObject({ approval_id, requires_approval: true });
  client.send({ type: 'hitl_decision', call_id: question.call_id, decision: 'approve' });
  expect(await client.next('tool_result')).toMatchObject({ result: { success: true } });
  expect(await client.next('done')).toMatchObject({ status: 'completed' });
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('new\n');
  expect(bench.faults).toEqual([]);
});

test('a call of a peer that waited over a restart runs once it is approved', async () => {
  await using bench = await gatewayBench();
  const before = await bench.connect('s1');
  const args = { path: 'a.txt', content: 'x' };
  before.send({ type: 'tool_call', tool_name: 'write_file', call_id: 'c1', args });
  await before.next('tool_call');
  await bench.restart();
  const client = await bench.connect('s1', { query: '?dialect=codelab' });
  expect(await client.next('tool_call')).toMatchObject({ call_id: 'c1', args, requires_approval: true });
  client.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
  expect(await client.next('tool_result')).toMatchObject({ result: { success: true, bytes_written: 1 } });
  client.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
  expect(await client.next('error')).toMatchObject({ error_code: 'APPROVAL_NOT_FOUND', call_id: 'c1' });
});

test('clients that connect while a gateway stops do not keep it from ending', async () => {
  await using bench = await gatewayBench();
  const address = `${bench.running.url.replace('http', 'ws')}/ws/s1?token=secret-token`;
  // The HTTP code is loaded with the first request, and takes a moment to close.
  await bench.request('/health');
  const sockets: WebSocket[] = [];
  const connect = (): void => {
    if (sockets.length === 500) return;
    const socket = new WebSocket(address);
    socket.on('error', () => undefined);
    sockets.push(socket);
  };
  const countIn = (state: number): number => sockets.filter(({ readyState }) => readyState === state).length;
  const connecting = setInterval(connect, 2);
  try {
    await expect.poll(() => countIn(WebSocket.OPEN), { timeout: 20_000 }).toBeGreaterThan(20);
    await bench.stop();
  } finally {
    clearInterval(connecting);
  }
  await expect.poll(() => sockets.length - countIn(WebSocket.CLOSED), { timeout: 20_000 }).toBe(0);
  await bench.start();
});
