// A client that has the files carries a session's calls out over its socket: handed to one, once, and told by that one.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
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

test('what is allowed is handed out at once, what must be asked once it is approved; the result is everybody’s', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'of the gateway\n' } });
  const { executorClient, approverClient } = await pair(bench);
  expect(executorClient.received[0]).toMatchObject({
    type: 'session_info',
    role: 'executor',
    dialect: 'agent',
  });
  approverClient.send(call('read_file', { path: '/a.txt' }));
  expect(await executorClient.next('tool_call')).toEqual({
    type: 'tool_call',
    call_id: 'c1',
    tool_name: 'read_file',
    arguments: { path: '/a.txt' },
    requires_approval: false,
    state: 'allowed',
  });
  executorClient.send({ type: 'tool_result', call_id: 'c1', result: { content: 'of the client\n' } });
  // When the file was changed is not known here, so nothing is said of it.
  const { result } = await approverClient.next('tool_result');
  expect(result).toEqual({ content: 'of the client\n', size: 14 });
  approverClient.send(call('write_file', write, 'c2'));
  const question = await executorClient.next('tool_call', isQuestion);
  expect(question).toMatchObject({ call_id: 'c2', arguments: write });
  approverClient.send({ type: 'hitl_decision', call_id: 'c2', decision: 'approve' });
  expect(await executorClient.next('tool_call', isOrder)).toMatchObject({
    call_id: 'c2',
    arguments: write,
    requires_approval: false,
    state: 'approved',
    approval_id: question.approval_id,
  });
  executorClient.send({ ...written, call_id: 'c2' });
  expect(await executorClient.next('tool_result', (message) => message.call_id === 'c2')).toMatchObject({
    result: { success: true, bytes_written: 4 },
  });
  expect(existsSync(join(bench.root, 'b.txt'))).toBe(false);
  const orders = executorClient.received.filter(
    (message) => message.type === 'tool_call' && !isQuestion(message),
  );
  expect(orders.every(isOrder)).toBe(true);
  expect(bench.faults).toEqual([]);
});

test('an edited call is executed as it was edited, and spelled as the executor speaks', async () => {
  await using bench = await gatewayBench();
  const executorClient = await bench.connect('s1', executor('&dialect=codelab'));
  const approverClient = await bench.connect('s1', { query: '?role=approver&dialect=codelab' });
  approverClient.send({
    type: 'tool_call',
    call_id: 'c1',
    tool_name: 'write_file',
    args: { path: 'a', content: 'x' },
  });
  await approverClient.next('tool_call', isQuestion);
  const modified_arguments = { path: 'b', content: 'y' };
  approverClient.send({ type: 'hitl_decision', call_id: 'c1', decision: 'edit', modified_arguments });
  expect(await executorClient.next('tool_call', isOrder)).toMatchObject({
    args: modified_arguments,
    state: 'approved',
  });
  executorClient.send({ ...written, result: { success: true, bytes_written: 1 } });
  expect(await approverClient.next('tool_result')).toMatchObject({
    result: { success: true, bytes_written: 1 },
    changed_by: { kind: 'edit', args: modified_arguments },
  });
});

test('an executor may decide itself, by its word or by running the call', async () => {
  await using bench = await gatewayBench();
  const { executorClient, approverClient } = await pair(bench);
  approverClient.send(call('write_file', write));
  await executorClient.next('tool_call', isQuestion);
  executorClient.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
  await executorClient.next('tool_call', isOrder);
  executorClient.send(written);
  expect(await approverClient.next('tool_result')).toMatchObject({ result: { bytes_written: 4 } });
  approverClient.send(call('write_file', write, 'c2'));
  await executorClient.next('tool_call', isQuestion);
  executorClient.send({ ...written, call_id: 'c2' });
  expect(
    await approverClient.next(
      'status',
      (message) => stateOf(message) === 'decided' && callOf(message) === 'c2',
    ),
  ).toMatchObject({
    metadata: { decision: 'approve' },
  });
  expect(await approverClient.next('tool_result')).toMatchObject({
    call_id: 'c2',
    result: { bytes_written: 4 },
  });
  approverClient.send(call('write_file', write, 'c3'));
  await executorClient.next('tool_call', isQuestion);
  executorClient.send({
    type: 'tool_result',
    call_id: 'c3',
    error: { code: 'user_rejected', message: 'not that file' },
  });
  expect(await approverClient.next('tool_result')).toMatchObject({ error_code: 'REJECTED' });
  const body = (await bench.running.gateway.host.log.read('s1')).map((one) => one.body);
  const decided = body.filter((message) => message.type === 'approval.decided');
  expect(decided.map((one) => [one.callId, one.decision.kind, one.by.via])).toEqual([
    ['c1', 'approve', 'websocket'],
    ['c2', 'approve', 'executor'],
    ['c3', 'reject', 'executor'],
  ]);
  expect(decided[2]?.decision).toEqual({ kind: 'reject', feedback: 'not that file' });
  // No call that was already done was handed out again.
  expect(executorClient.received.filter(isOrder).map((message) => message.call_id)).toEqual(['c1']);
});

test('an executor may send its result together with its own approval, and is not told to run the call', async () => {
  await using bench = await gatewayBench();
  const { executorClient, approverClient } = await pair(bench);
  approverClient.send(call('write_file', write));
  await executorClient.next('tool_call', isQuestion);
  executorClient.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
  executorClient.send(written);
  expect(await approverClient.next('tool_result')).toMatchObject({ result: { bytes_written: 4 } });
  expect(executorClient.received.filter((message) => message.type === 'error' || isOrder(message))).toEqual(
    [],
  );
  const bodies = (await bench.running.gateway.host.log.read('s1')).map(({ body }) => body);
  const takenEvents = bodies.filter(({ type }) => type === 'call.taken');
  expect(takenEvents).toEqual([expect.objectContaining({ callId: 'c1' })]);
});

test('progress is told to everybody, then the end', async () => {
  await using bench = await gatewayBench();
  const { executorClient, approverClient } = await pair(bench);
  approverClient.send(call('run_command', { command: 'npm test' }));
  await approverClient.next('tool_call', isQuestion);
  approverClient.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
  expect(await executorClient.next('tool_call', isOrder)).toMatchObject({
    arguments: { command: 'npm test' },
  });
  executorClient.send({
    type: 'tool_result',
    call_id: 'c1',
    result: { stdout: 'one\n', stderr: '', exit_code: null },
  });
  expect(await approverClient.next('tool_result')).toMatchObject({
    result: { stdout: 'one\n', exit_code: null },
  });
  executorClient.send({
    type: 'tool_result',
    call_id: 'c1',
    result: { stdout: 'one\ntwo\n', stderr: '', exit_code: 1 },
  });
  expect(await approverClient.next('tool_result')).toMatchObject({
    result: { stdout: 'one\ntwo\n', exit_code: 1 },
  });
});

test('a result said twice is acknowledged twice and counts once', async () => {
  await using bench = await gatewayBench();
  const { executorClient } = await approved(bench);
  await executorClient.next('tool_call', isOrder);
  executorClient.send(written);
  await executorClient.next('tool_result');
  executorClient.send({ ...written, result: { success: true, bytes_written: 99 } });
  expect(await executorClient.next('tool_result')).toMatchObject({
    call_id: 'c1',
    result: { bytes_written: 4 },
  });
  const events = await bench.running.gateway.host.log.read('s1');
  expect(events.filter(({ body }) => body.type === 'call.finished')).toHaveLength(1);
});

test('what is no call of this connection is refused, and the socket stays open', async () => {
  await using bench = await gatewayBench();
  const { executorClient, approverClient } = await approved(bench);
  await executorClient.next('tool_call', isOrder);
  const refused = { error_code: 'INVALID_ARGUMENTS', details: { reason: 'INVALID_CALL_ID' } };
  executorClient.send({ ...written, call_id: 'nobody' });
  expect(await executorClient.next('error')).toMatchObject({ ...refused, call_id: 'nobody' });
  const stranger = await bench.connect('s2', executor());
  stranger.send(written);
  expect(await stranger.next('error')).toMatchObject(refused);
  for (const role of ['approver', 'viewer']) {
    const other = await bench.connect('s1', { query: `?role=${role}` });
    other.send(written);
    const error_code = role === 'viewer' ? 'PERMISSION_DENIED' : 'INVALID_ARGUMENTS';
    expect(await other.next('error')).toMatchObject({ error_code });
  }
  executorClient.send(written);
  expect(await approverClient.next('tool_result')).toMatchObject({ result: { bytes_written: 4 } });
});

test('answers of a stranger are bounded and must fit', async () => {
  await using bench = await gatewayBench();
  const { executorClient, approverClient } = await pair(bench);
  const end = async (id: string, result: unknown, error?: unknown): Promise<Json> => {
    approverClient.send(call('read_file', { path: '/a.txt' }, id));
    await executorClient.next('tool_call', (message) => message.call_id === id);
    executorClient.send({ type: 'tool_result', call_id: id, ...(error ? { error } : { result }) });
    return await approverClient.next('tool_result', (message) => message.call_id === id);
  };
  expect(await end('big', { content: 'x'.repeat(5_000_000) })).toMatchObject({
    error_code: 'OUTPUT_SIZE_EXCEEDED',
  });
  expect(await end('shape', { content: 7 })).toMatchObject({ error_code: 'EXECUTION_FAILED' });
  expect(await end('list', [1, 2])).toMatchObject({ error_code: 'EXECUTION_FAILED' });
  expect(await end('more', { content: 'x', is_admin: true })).toMatchObject({
    result: { content: 'x', size: 1 },
  });
  // The gateway's own codes are not a client's to give: a call must have an end in the log.
  for (const code of ['DUPLICATE_CALL', 'INTERNAL', 'nonsense'])
    expect(await end(code, undefined, { code, message: 'no' })).toMatchObject({
      error_code: 'EXECUTION_FAILED',
    });
  expect(await end('known', undefined, { code: 'PATH_TRAVERSAL', message: 'no' })).toMatchObject({
    error_code: 'PATH_OUTSIDE_WORKSPACE',
  });
  const deep = JSON.parse(`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`) as Json;
  approverClient.send(call('read_file', { path: '/a.txt' }, 'deep'));
  await executorClient.next('tool_call', (message) => message.call_id === 'deep');
  executorClient.send({ type: 'tool_result', call_id: 'deep', result: deep });
  expect(await executorClient.next('error')).toMatchObject({ error_code: 'INVALID_FORMAT' });
  expect(bench.faults).toEqual([]);
});

function stateOf({ metadata }: Json): unknown {
  return (metadata as Json | undefined)?.state;
}

function callOf({ metadata }: Json): unknown {
  return (metadata as Json | undefined)?.call_id;
}
