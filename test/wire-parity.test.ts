// Whatever the gateway says at a socket, the codec that clients use reads: a conversation in which each of its messages is heard.
import { decodeServerMessage, encodeClientMessage, type Spelling } from '@codelab/dialects';
import { expect, test } from 'vitest';
import { expectReadable } from './support/expect-readable.ts';
import { gatewayBench } from './support/gateway-bench.ts';
import { scriptedModel } from './support/scripted-model.ts';

test.each<Spelling>(['agent', 'codelab'])('a conversation in the spelling of %s', async (spelling) => {
  const script = scriptedModel((_request, step) => {
    if (step === 0) return { calls: [['run_command', { command: 'echo one; sleep 0.3; echo two' }]] };
    if (step === 1) return { text: 'Done.', calls: [['read_file', { path: 'no.txt' }]] };
    if (step === 2) return { text: 'Не нашёл.' };
    throw new Error('The model is gone.');
  });
  await using bench = await gatewayBench({ script, files: { 'a.txt': 'x' } });
  const client = await bench.connect('s1', { query: `?dialect=${spelling}` });
  const say = (message: Parameters<typeof encodeClientMessage>[0]): void =>
    client.send(encodeClientMessage(message, spelling));
  say({ type: 'ping', id: { n: 1 } });
  await client.next('pong');
  say({ type: 'context_update', action: 'add_file', path: 'a.txt' });
  await client.next('context_update');
  say({ type: 'user_message', content: 'Go.', messageId: 'm1' });
  const { call_id, approval_id } = await client.next('tool_call');
  const asked = { callId: String(call_id), approvalId: String(approval_id) };
  say({ type: 'hitl_decision', ...asked, approvalId: 'another', decision: { kind: 'approve' } });
  expect(await client.next('error')).toMatchObject({ error_code: 'APPROVAL_NOT_FOUND' });
  say({ type: 'hitl_decision', ...asked, decision: { kind: 'approve' } });
  await client.next('done');
  say({ type: 'switch_agent', agentType: 'architect', content: 'Plan it.', reason: 'think first' });
  await client.next('done');
  const renamed = { method: 'PATCH', body: JSON.stringify({ title: 'A title' }) };
  await bench.request('/api/v1/sessions/s1', renamed);
  await client.next('status', ({ content }) => content === 'A title');
  say({ type: 'tool_call', callId: 'c9', tool: 'no_such_tool', args: {}, requiresApproval: false });
  await client.next('tool_result', (one) => one.call_id === 'c9');
  client.send('{');
  await client.next('error', (one) => one.error_code === 'INVALID_FORMAT');
  expectReadable(client.received, spelling);
  const heard = new Set(client.received.map((message) => decodeServerMessage(message).type));
  expect([...heard].sort()).toEqual(
    [
      ...[
        'ack',
        'agent_status',
        'agent_switched',
        'assistant_message',
        'context_update',
        'done',
        'error',
        'pong',
      ],
      ...['session_info', 'status', 'tool_call', 'tool_progress', 'tool_result', 'user_message'],
    ].sort(),
  );
  expect(bench.faults).toEqual([]);
});
