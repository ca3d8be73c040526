// The gateway's messages in seed 004 and seed 002 when a call, a turn or a message failed.
import { ToolError } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

test('the agent spelling reaches tools that only seed 000 names', async () => {
  await using bench = await gatewayBench({ files: { 'src/a.txt': 'needle\n' } });
  const client = await bench.connect('s1');
  const call = (call_id: string, tool_name: string, args: object) =>
    client.send({ type: 'tool_call', call_id, tool_name, arguments: args });
  call('c1', 'search_in_project', { query: 'needle', path: '/src' });
  const found = await client.next('tool_result', (message) => message.call_id === 'c1');
  expect(found.result).toMatchObject({ matches: [{ file: '/src/a.txt', line: 1 }], total: 1 });
  call('c2', 'git.status', {});
  expect(await client.next('tool_result', (message) => message.call_id === 'c2')).not.toMatchObject({
    error_code: 'TOOL_NOT_FOUND',
  });
  call('c3', 'kill_process', { process_id: 'none' });
  const killed = await client.next('tool_result', (message) => message.call_id === 'c3');
  expect(killed.error_code).not.toBe('TOOL_NOT_FOUND');
});

test('a turn that the model failed ends with LLM_ERROR and a reason', async () => {
  const script = scriptedModel(() => {
    throw new ToolError('LLM_ERROR', 'The model did not answer.', { reason: 'timeout' });
  });
  await using bench = await gatewayBench({ script });
  const client = await bench.connect('s1');
  client.send({ type: 'user_message', content: 'Go.' });
  expect(await client.next('error')).toMatchObject({
    error_code: 'LLM_ERROR',
    message: 'The model did not answer.',
    details: { reason: 'timeout' },
  });
});

test('a turn that failed otherwise ends with AGENT_ERROR and a reason', async () => {
  const script = scriptedModel(() => {
    throw new Error('It broke.');
  });
  await using bench = await gatewayBench({ script });
  const client = await bench.connect('s1');
  client.send({ type: 'user_message', content: 'Go.' });
  expect(await client.next('error')).toMatchObject({
    error_code: 'AGENT_ERROR',
    message: 'It broke.',
    details: { reason: 'It broke.' },
  });
});

test('a command over its time is answered with TIMEOUT beside what it printed', async () => {
  await using bench = await gatewayBench();
  const client = await bench.connect('s1');
  const args = { command: 'echo begun; sleep 30', timeout: 0.5 };
  client.send({ type: 'tool_call', call_id: 'c1', tool_name: 'run_command', arguments: args });
  await client.next('tool_call');
  client.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
  const ended = await client.next('tool_result', ({ result }) => {
    const { exit_code } = (result ?? {}) as { exit_code?: number | null };
    return exit_code !== null;
  });
  expect(ended).toMatchObject({
    error: expect.any(String),
    error_code: 'TIMEOUT',
    result: { stdout: 'begun\n', timed_out: true, exit_code: 124 },
  });
});

test('after a rejection nobody is told that a tool runs', async () => {
  const script = scriptedModel((_request, step) =>
    step === 0 ? { calls: [['write_file', { path: 'a.txt', content: 'x' }]] } : { text: 'Then not.' },
  );
  await using bench = await gatewayBench({ script });
  const client = await bench.connect('s1');
  client.send({ type: 'user_message', content: 'Write.' });
  const { call_id } = await client.next('tool_call');
  client.send({ type: 'hitl_decision', call_id, decision: 'reject' });
  await client.next('done');
  const states = client.received
    .filter(({ type }) => type === 'agent_status')
    .map(({ status }) => String(status));
  expect(states.slice(states.indexOf('waiting_approval'))).toEqual(['waiting_approval', 'thinking', 'idle']);
});

test('context_update is answered in the caller’s spelling, and one for another session is refused', async () => {
  await using bench = await gatewayBench({ files: { 'src/a.txt': 'x' } });
  const client = await bench.connect('s1');
  for (const path of ['/src/a.txt', 'src/a.txt']) {
    client.send({ type: 'context_update', session_id: 's1', action: 'add_file', data: { path } });
    expect(await client.next('context_update')).toMatchObject({ action: 'add_file', data: { path } });
  }
  client.send({ type: 'context_update', session_id: 's2', action: 'clear' });
  expect(await client.next('error')).toMatchObject({
    error_code: 'INVALID_ARGUMENTS',
    details: { field: 'session_id' },
  });
});
