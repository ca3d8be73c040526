// The law of the wire: whatever is said is read as it was meant. Every type of message of the sockets in the spellings of seeds 000
// and 004, every event of seed 002's stream as a server-sent event and as a line of JSON.
import {
  type ClientMessage,
  decodeClientMessage,
  decodePluginEvent,
  decodeServerMessage,
  encodeClientMessage,
  encodePluginEvent,
  encodeServerMessage,
  findDialect,
  type Json,
  pluginEventTypes,
  type Spelling,
} from '@codelab/dialects';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sseReader } from '../../packages/agent/src/llm/http/sse-reader.ts';
import { clientMessages, serverMessages, streamEvents } from '../support/wire-arbitraries.ts';

const spellings: Spelling[] = ['agent', 'codelab'];
// Many types: fewer of each.
const runs = { numRuns: 40 };
const throughText = (wire: unknown): unknown => JSON.parse(JSON.stringify(wire));

// The names in the documents of the three wires. The gateway's own ones besides: ack, pong, user_message (from another peer),
// context_update and tool_progress, and in the stream message_chunk and notice.
const documented = {
  server: `session_info assistant_message tool_call tool_result agent_switched status agent_status plan_created
    plan_approval_required plan_rejected plan_modification_requested plan_update plan_progress subtask_completed
    execution_completed plan_notification plan_approval agent_chain_update error done`,
  client: 'user_message tool_result hitl_decision switch_agent plan_decision context_update',
  stream: `message_created agent_switched direct_agent_call agent_status_changed task_plan_created task_started task_progress
    task_completed plan_request context_retrieved tool_request tool_execution_request tool.approval_request
    tool.execution_signal tool.result_ack tool_result tool_error approval_required approval_resolved approval_timeout
    approval_timeout_warning heartbeat error`,
};
const names = (text: string): string[] => text.split(/\s+/);

test('every documented type has a codec', () => {
  expect(serverMessages.map(([type]) => type)).toEqual(expect.arrayContaining(names(documented.server)));
  expect(clientMessages.map(([type]) => type)).toEqual(expect.arrayContaining(names(documented.client)));
  expect(pluginEventTypes).toEqual(expect.arrayContaining(names(documented.stream)));
  expect([serverMessages.length, clientMessages.length, streamEvents.length]).toEqual([26, 10, 25]);
});

describe.each(spellings)('in the spelling of %s', (spelling) => {
  test.each(serverMessages)('what a gateway says comes back as it went: %s', (_type, any) => {
    fc.assert(
      fc.property(any, (message) => {
        expect(decodeServerMessage(throughText(encodeServerMessage(message, spelling)))).toEqual(message);
      }),
      runs,
    );
  });

  test.each(clientMessages)('what a peer says comes back as it went: %s', (_type, any) => {
    fc.assert(
      fc.property(any, (message) => {
        expect(decodeClientMessage(throughText(encodeClientMessage(message, spelling)))).toEqual(message);
      }),
      runs,
    );
  });

  test('a call, a decision and a result are written as the dialect writes them', () => {
    const dialect = findDialect(spelling);
    const args = { path: 'src/auth.js' };
    const wire: ClientMessage = {
      type: 'tool_call',
      callId: 'c1',
      tool: 'read_file',
      args,
      requiresApproval: true,
    };
    const call = dialect.ask({ id: 'c1', tool: 'read_file', args, requiresApproval: true });
    expect(encodeClientMessage(wire, spelling)).toEqual(dialect.encode({ type: 'call', call }));
    const decision = { kind: 'reject', feedback: 'no' } as const;
    expect(encodeClientMessage({ type: 'hitl_decision', callId: 'c1', decision }, spelling)).toEqual(
      dialect.encode({ type: 'decision', callId: 'c1', decision }),
    );
    const error = {
      code: 'FILE_NOT_FOUND',
      message: 'File not found: src/auth.js',
      details: { path: 'a' },
    } as const;
    const ended = { callId: 'c1', tool: 'read_file', startedAt: 0, durationMs: 0, effects: [] };
    expect(encodeClientMessage({ type: 'tool_result', callId: 'c1', error }, spelling)).toEqual(
      dialect.encode({ type: 'result', asked: call, outcome: { ...ended, status: 'failed', error } }),
    );
  });
});

describe.each(['sse', 'ndjson'] as const)('in a stream of %s', (framing) => {
  test.each(streamEvents)('an event comes back as it went: %s', (_type, any) => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 3 }), (events) => {
        const text = events.map((event) => encodePluginEvent(event, framing)).join('');
        expect(framing === 'sse' ? readSse(text) : readLines(text)).toEqual(events);
      }),
      runs,
    );
  });
});

function readLines(text: string): unknown[] {
  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => decodePluginEvent(JSON.parse(line)));
}

/** The bytes by the reader that our models' streams are read with; the ids, which it has no use for, by their lines. */
function readSse(text: string): unknown[] {
  const events = sseReader().push(Buffer.from(text));
  const ids = text.split('\n\n').map((frame) => /^id: (.*)$/m.exec(frame)?.[1]);
  return events.map(({ type, data }, i) => {
    const event = decodePluginEvent(JSON.parse(data), ids[i]);
    expect(event.type).toBe(type);
    return event;
  });
}

test.each<[Json, Json]>([
  [
    { type: 'error', content: 'Unknown message type: X' },
    { type: 'error', message: 'Unknown message type: X' },
  ],
  [
    { type: 'error', error: 'down', error_code: 'AGENT_DOWN' },
    { type: 'error', code: 'AGENT_DOWN', message: 'down' },
  ],
  [
    {
      type: 'agent_switched',
      content: 'x',
      metadata: { from_agent: 'a', to_agent: 'b', confidence: 'high' },
    },
    { type: 'agent_switched', content: 'x', from: 'a', to: 'b', confidence: 'high' },
  ],
  [
    { type: 'assistant_message', token: 'Hi', content: null, is_final: false, metadata: null },
    { type: 'assistant_message', token: 'Hi', isFinal: false },
  ],
  [
    { status: 'received', message_id: 'm1' },
    { type: 'ack', messageId: 'm1' },
  ],
  [
    { type: 'tool_result', call_id: 'c', error: 'gone' },
    { type: 'tool_result', callId: 'c', error: { code: 'EXECUTION_FAILED', message: 'gone' } },
  ],
  [
    { type: 'tool_call', call_id: 'c', tool_name: 'x', arguments: {}, is_final: true },
    { type: 'tool_call', callId: 'c', tool: 'x', args: {}, requiresApproval: false },
  ],
])('an older gateway’s %j is read', (wire, message) => {
  expect(decodeServerMessage(wire)).toEqual(message);
});

test('an older peer’s decisions are read', () => {
  const fields = { call_id: 'c', action: 'edit', edited_arguments: { path: 'b' } };
  const decision = { kind: 'edit', args: { path: 'b' } };
  expect(decodeClientMessage({ type: 'hitl_response', ...fields })).toEqual({
    type: 'hitl_decision',
    callId: 'c',
    decision,
  });
  expect(decodeClientMessage({ type: 'plan_decision', plan_id: 'p', decision: 'approve' })).toMatchObject({
    approvalRequestId: 'p',
  });
});

test('the names of the server that the plugin had are read', () => {
  const payload = { tool_id: 'c', tool_name: 'read_file', tool_params: { path: 'a' } };
  const envelope = { payload, timestamp: '2026-01-01T00:00:00.000Z', session_id: 's' };
  expect(decodePluginEvent({ event_type: 'tool.execution_signal', ...envelope })).toMatchObject({
    tool_type: 'read_file',
    args: { path: 'a' },
  });
});

test('an event that was too long for the stream is read without its long fields, and only then', () => {
  const short = { type: 'message_created', timestamp: '', session_id: 's', role: 'assistant' };
  expect(decodePluginEvent({ ...short, truncated: true })).toEqual({ ...short, truncated: true });
  expect(() => decodePluginEvent(short)).toThrow('`content` does not fit the event message_created.');
});

test.each([
  null,
  1,
  'x',
  [],
  {},
  { type: 'toString' },
  { type: '__proto__' },
  { type: 7 },
  { type: 'done', status: 7 },
])('%j is refused', (wire) => {
  const refusal = { code: expect.stringMatching(/^INVALID_(FORMAT|ARGUMENTS)$/) };
  for (const decode of [decodeServerMessage, decodePluginEvent] as ((wire: unknown) => unknown)[])
    expect(() => decode(wire)).toThrow(expect.objectContaining(refusal));
  if ((wire as Json | null)?.status !== 7)
    expect(() => decodeClientMessage(wire)).toThrow(expect.objectContaining(refusal));
});
