// Executors that go and come back, and several of them: each call is one's alone, and ends in time.
import { expect, test } from 'vitest';
import {
  approved,
  call,
  executor,
  isOrder,
  isQuestion,
  pair,
  write,
  written,
} from '../support/executor-pair.ts';
import { gatewayBench } from '../support/gateway-bench.ts';

type Json = Record<string, unknown>;

test('a call goes to one of two executors; the other may not speak for it', async () => {
  await using bench = await gatewayBench();
  const { executorClient, approverClient } = await approved(bench, '&executor_id=one');
  const other = await bench.connect('s1', executor('&executor_id=two'));
  await executorClient.next('tool_call', isOrder);
  other.send(written);
  expect(await other.next('error')).toMatchObject({ details: { reason: 'INVALID_CALL_ID' } });
  approverClient.send(call('read_file', { path: '/a.txt' }, 'c2'));
  approverClient.send(call('read_file', { path: '/b.txt' }, 'c3'));
  const ids = await Promise.all([executorClient.next('tool_call', isRead), other.next('tool_call', isRead)]);
  expect(ids.map((message) => message.call_id).sort()).toEqual(['c2', 'c3']);
  executorClient.send(written);
  await approverClient.next('tool_result', (message) => message.call_id === 'c1');
});

test('one that comes back under its name is given its calls again, marked, and no other one is', async () => {
  await using bench = await gatewayBench();
  const { executorClient, approverClient } = await approved(bench, '&executor_id=one');
  await executorClient.next('tool_call', isOrder);
  await executorClient.close();
  const other = await bench.connect('s1', executor('&executor_id=two'));
  other.send({ type: 'ping' });
  await other.next('pong');
  const back = await bench.connect('s1', executor('&executor_id=one&since=0'));
  expect(await back.next('tool_call', isOrder)).toMatchObject({
    call_id: 'c1',
    redelivered: true,
    state: 'approved',
  });
  back.send(written);
  await approverClient.next('tool_result');
  expect(other.received.filter(isOrder)).toEqual([]);
  // Replayed questions that were answered are not asked of one who might run them.
  expect(back.received.filter(isQuestion)).toEqual([]);
});

test('one without a name is not given it again, but may say how it ended', async () => {
  await using bench = await gatewayBench();
  const { executorClient, approverClient } = await approved(bench);
  await executorClient.next('tool_call', isOrder);
  await executorClient.close();
  const back = await bench.connect('s1', executor());
  back.send({ type: 'ping' });
  await back.next('pong');
  expect(back.received.filter(isOrder)).toEqual([]);
  back.send(written);
  expect(await approverClient.next('tool_result')).toMatchObject({ result: { bytes_written: 4 } });
});

test('what only reads is for the next one when its executor is gone', async () => {
  await using bench = await gatewayBench();
  const { executorClient, approverClient } = await pair(bench);
  approverClient.send(call('read_file', { path: '/a.txt' }));
  await executorClient.next('tool_call');
  const other = await bench.connect('s1', executor());
  await executorClient.close();
  expect(await other.next('tool_call')).toMatchObject({ call_id: 'c1', state: 'allowed' });
  other.send({ type: 'tool_result', call_id: 'c1', result: { content: 'x' } });
  await approverClient.next('tool_result');
});

test('a call that nobody takes waits for an executor', async () => {
  await using bench = await gatewayBench();
  const executorClient = await bench.connect('s1', executor());
  await executorClient.close();
  const approverClient = await bench.connect('s1', { query: '?role=approver' });
  approverClient.send(call('read_file', { path: '/a.txt' }));
  approverClient.send({ type: 'ping' });
  await approverClient.next('pong');
  const lateClient = await bench.connect('s1');
  expect(lateClient.received[0]).toMatchObject({ role: 'executor' });
  expect(await lateClient.next('tool_call')).toMatchObject({ call_id: 'c1' });
});

test('past its time a call is unknown when it was handed out, and too late when not; then no result counts', async () => {
  await using bench = await gatewayBench({ runMs: 400 });
  const { executorClient, approverClient } = await approved(bench);
  await executorClient.next('tool_call', isOrder);
  expect(await executorClient.next('cancel')).toEqual({ type: 'cancel', call_id: 'c1' });
  expect(await approverClient.next('tool_result')).toMatchObject({ error_code: 'OUTCOME_UNKNOWN' });
  executorClient.send(written);
  expect(
    await executorClient.next(
      'tool_result',
      (message) => message.result !== undefined || message.error_code !== undefined,
    ),
  ).toMatchObject({
    error_code: 'OUTCOME_UNKNOWN',
  });
  await executorClient.close();
  approverClient.send(call('read_file', { path: '/a.txt' }, 'c2'));
  expect(await approverClient.next('tool_result', (message) => message.call_id === 'c2')).toMatchObject({
    error_code: 'TIMEOUT',
  });
});

test('cancelling tells the executor, whose word counts if it comes at once', async () => {
  await using bench = await gatewayBench();
  const { executorClient, approverClient } = await approved(bench);
  await executorClient.next('tool_call', isOrder);
  approverClient.send({ type: 'cancel' });
  expect(await executorClient.next('cancel')).toEqual({ type: 'cancel', call_id: 'c1' });
  executorClient.send({
    type: 'tool_result',
    call_id: 'c1',
    error: { code: 'CANCELLED', message: 'Stopped before writing.' },
  });
  expect(await approverClient.next('tool_result')).toMatchObject({ error_code: 'CANCELLED' });
  approverClient.send(call('write_file', write, 'c2'));
  await approverClient.next('tool_call', (message) => message.call_id === 'c2');
  approverClient.send({ type: 'hitl_decision', call_id: 'c2', decision: 'approve' });
  await executorClient.next('tool_call', (message) => isOrder(message) && message.call_id === 'c2');
  approverClient.send({ type: 'cancel' });
  expect(await approverClient.next('tool_result')).toMatchObject({
    call_id: 'c2',
    error_code: 'OUTCOME_UNKNOWN',
  });
});

function isRead(message: Json): boolean {
  return isOrder(message) && message.tool_name === 'read_file';
}
