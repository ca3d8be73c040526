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
  const { works, decides } = await approved(bench, '&executor_id=one');
  const other = await bench.connect('s1', executor('&executor_id=two'));
  await works.next('tool_call', isOrder);
  other.send(written);
  expect(await other.next('error')).toMatchObject({ details: { reason: 'INVALID_CALL_ID' } });
  decides.send(call('read_file', { path: '/a.txt' }, 'c2'));
  decides.send(call('read_file', { path: '/b.txt' }, 'c3'));
  const ids = await Promise.all([works.next('tool_call', isRead), other.next('tool_call', isRead)]);
  expect(ids.map((one) => one.call_id).sort()).toEqual(['c2', 'c3']);
  works.send(written);
  await decides.next('tool_result', (one) => one.call_id === 'c1');
});

test('one that comes back under its name is given its calls again, marked, and no other one is', async () => {
  await using bench = await gatewayBench();
  const { works, decides } = await approved(bench, '&executor_id=one');
  await works.next('tool_call', isOrder);
  await works.close();
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
  await decides.next('tool_result');
  expect(other.received.filter(isOrder)).toEqual([]);
  // Replayed questions that were answered are not asked of one who might run them.
  expect(back.received.filter(isQuestion)).toEqual([]);
});

test('one without a name is not given it again, but may say how it ended', async () => {
  await using bench = await gatewayBench();
  const { works, decides } = await approved(bench);
  await works.next('tool_call', isOrder);
  await works.close();
  const back = await bench.connect('s1', executor());
  back.send({ type: 'ping' });
  await back.next('pong');
  expect(back.received.filter(isOrder)).toEqual([]);
  back.send(written);
  expect(await decides.next('tool_result')).toMatchObject({ result: { bytes_written: 4 } });
});

test('what only reads is for the next one when its executor is gone', async () => {
  await using bench = await gatewayBench();
  const { works, decides } = await pair(bench);
  decides.send(call('read_file', { path: '/a.txt' }));
  await works.next('tool_call');
  const other = await bench.connect('s1', executor());
  await works.close();
  expect(await other.next('tool_call')).toMatchObject({ call_id: 'c1', state: 'allowed' });
  other.send({ type: 'tool_result', call_id: 'c1', result: { content: 'x' } });
  await decides.next('tool_result');
});

test('a call that nobody takes waits for an executor', async () => {
  await using bench = await gatewayBench();
  const works = await bench.connect('s1', executor());
  await works.close();
  const decides = await bench.connect('s1', { query: '?role=approver' });
  decides.send(call('read_file', { path: '/a.txt' }));
  decides.send({ type: 'ping' });
  await decides.next('pong');
  const late = await bench.connect('s1');
  expect(late.received[0]).toMatchObject({ role: 'executor' });
  expect(await late.next('tool_call')).toMatchObject({ call_id: 'c1' });
});

test('past its time a call is unknown when it was handed out, and too late when not; then no result counts', async () => {
  await using bench = await gatewayBench({ runMs: 400 });
  const { works, decides } = await approved(bench);
  await works.next('tool_call', isOrder);
  expect(await works.next('cancel')).toEqual({ type: 'cancel', call_id: 'c1' });
  expect(await decides.next('tool_result')).toMatchObject({ error_code: 'OUTCOME_UNKNOWN' });
  works.send(written);
  expect(
    await works.next('tool_result', (one) => one.result !== undefined || one.error_code !== undefined),
  ).toMatchObject({
    error_code: 'OUTCOME_UNKNOWN',
  });
  await works.close();
  decides.send(call('read_file', { path: '/a.txt' }, 'c2'));
  expect(await decides.next('tool_result', (one) => one.call_id === 'c2')).toMatchObject({
    error_code: 'TIMEOUT',
  });
});

test('cancelling tells the executor, whose word counts if it comes at once', async () => {
  await using bench = await gatewayBench();
  const { works, decides } = await approved(bench);
  await works.next('tool_call', isOrder);
  decides.send({ type: 'cancel' });
  expect(await works.next('cancel')).toEqual({ type: 'cancel', call_id: 'c1' });
  works.send({
    type: 'tool_result',
    call_id: 'c1',
    error: { code: 'CANCELLED', message: 'Stopped before writing.' },
  });
  expect(await decides.next('tool_result')).toMatchObject({ error_code: 'CANCELLED' });
  decides.send(call('write_file', write, 'c2'));
  await decides.next('tool_call', (one) => one.call_id === 'c2');
  decides.send({ type: 'hitl_decision', call_id: 'c2', decision: 'approve' });
  await works.next('tool_call', (one) => isOrder(one) && one.call_id === 'c2');
  decides.send({ type: 'cancel' });
  expect(await decides.next('tool_result')).toMatchObject({ call_id: 'c2', error_code: 'OUTCOME_UNKNOWN' });
});

function isRead(one: Json): boolean {
  return isOrder(one) && one.tool_name === 'read_file';
}
