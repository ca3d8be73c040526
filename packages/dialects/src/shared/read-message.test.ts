import { expect, test } from 'vitest';
import type { Json } from '../dialect.ts';
import { dialectNames, findDialect } from '../dialects.ts';

const codelab = findDialect('codelab');
const agent = findDialect('agent');
const plugin = findDialect('plugin');
const coder = findDialect('coder');
const call = { type: 'tool_call', call_id: 'c', tool_name: 'read_file', args: { path: 'a' } };

test('a call with two names for its arguments is taken when they agree and refused when they do not', () => {
  expect(codelab.decode({ ...call, arguments: { path: 'a' } })).toEqual(codelab.decode(call));
  expect(codelab.decode({ ...call, arguments: null })).toEqual(codelab.decode(call));
  expect(faultOf(() => codelab.decode({ ...call, arguments: { path: 'b' } }))).toEqual([
    'INVALID_ARGUMENTS',
    'arguments',
  ]);
  expect(faultOf(() => codelab.decode({ ...call, tool_id: 'd' }))).toEqual(['INVALID_ARGUMENTS', 'tool_id']);
});

test('a wish for approval is never lost', () => {
  const isApproved = (fields: Json) => {
    const message = plugin.decode({
      type: 'tool.execution_signal',
      tool_id: 'c',
      tool_type: 'read_file',
      args: { path: 'a' },
      ...fields,
    });
    return message.type === 'call' && message.call.requiresApproval;
  };
  expect(isApproved({})).toBe(false);
  expect(isApproved({ execution_context: { user_approved: true } })).toBe(false);
  expect(isApproved({ execution_context: { user_approved: false } })).toBe(true);
  expect(isApproved({ requires_approval: true, execution_context: { user_approved: true } })).toBe(true);
  expect(isApproved({ type: 'tool.approval_request' })).toBe(true);
  expect(faultOf(() => isApproved({ requires_approval: 'true' }))).toEqual([
    'INVALID_ARGUMENTS',
    'requires_approval',
  ]);
});

test('the envelope of the plugin comes off', () => {
  const payload = { tool_id: 'c', tool_name: 'read_file', tool_params: { path: 'a' } };
  expect(plugin.decode({ event_type: 'tool.execution_signal', payload })).toEqual(
    plugin.decode({ type: 'tool.execution_signal', ...payload }),
  );
});

test.each([
  [
    { type: 'hitl_decision', call_id: 'c', decision: 'approve', modified_arguments: null, feedback: '' },
    { kind: 'approve' },
  ],
  [{ type: 'hitl_decision', call_id: 'c', decision: 'APPROVED' }, { kind: 'approve' }],
  [
    { type: 'hitl_response', call_id: 'c', action: 'reject', feedback: 'no' },
    { kind: 'reject', feedback: 'no' },
  ],
  [
    { type: 'hitl_response', call_id: 'c', action: 'edit', edited_arguments: { path: 'b' } },
    { kind: 'edit', args: { path: 'b' } },
  ],
  [{ type: 'tool.approval_decision', tool_id: 'c', approved: true }, { kind: 'approve' }],
  [
    { type: 'tool.approval_decision', tool_id: 'c', approved: false, reason: 'no' },
    { kind: 'reject', feedback: 'no' },
  ],
  [{ type: 'decision', id: 'c', decision: 'n' }, { kind: 'reject' }],
])('the decision %j is read', (wire, decision) => {
  for (const dialect of dialectNames.map((name) => findDialect(name)))
    expect(dialect.decode(wire)).toEqual({ type: 'decision', callId: 'c', decision });
});

test.each([
  [{ decision: 'maybe' }, 'decision'],
  [{}, 'decision'],
  [{ decision: 'approve', modified_arguments: { path: 'b' } }, 'modified_arguments'],
  [{ decision: 'approve', take: [1] }, 'take'],
  [{ decision: 'approve', approved: false }, 'decision'],
  [{ decision: 'edit' }, 'modified_arguments'],
  [{ decision: 'edit', modified_arguments: 'b' }, 'modified_arguments'],
  [{ decision: 'hunks', take: [0] }, 'take'],
  [{ decision: 'hunks', take: [1], edits: [{ hunk: 1 }] }, 'edits'],
  [{ decision: 'approve', edits: [] }, 'edits'],
  [{ decision: 'answer' }, 'action'],
  [{ decision: 'approve', remember: { scope: 'galaxy' } }, 'remember'],
  [{ decision: 'edit', modified_arguments: {}, remember: { scope: 'once' } }, 'remember'],
])('the decision %j says nothing certain and is refused', (decision, field) => {
  expect(faultOf(() => codelab.decode({ type: 'hitl_decision', call_id: 'c', ...decision }))).toEqual([
    'INVALID_ARGUMENTS',
    field,
  ]);
});

test.each([
  [{ type: 'tool_result', call_id: 'c', error: 'gone' }, 'failed', 'EXECUTION_FAILED'],
  [
    { type: 'tool_result', call_id: 'c', error: 'gone', error_code: 'file_not_found' },
    'failed',
    'FILE_NOT_FOUND',
  ],
  [
    { type: 'tool_result', call_id: 'c', error: { code: 'COMMAND_TIMEOUT', message: 'slow' } },
    'timed_out',
    'TIMEOUT',
  ],
  [{ tool_id: 'c', status: 'timeout' }, 'timed_out', 'TIMEOUT'],
  [{ tool_id: 'c', status: 'cancelled', error: { message: 'stopped' } }, 'cancelled', 'CANCELLED'],
  [
    { tool_id: 'c', status: 'error', error: { code: 'PATH_TRAVERSAL', message: 'no' } },
    'failed',
    'PATH_OUTSIDE_WORKSPACE',
  ],
  [
    {
      tool_id: 'c',
      status: 'error',
      error: { code: 'PATH_TRAVERSAL', message: 'no', details: { code: 'INVALID_PATH' } },
    },
    'failed',
    'INVALID_PATH',
  ],
  [{ ok: false, denied: true, reason: 'no' }, 'rejected', 'REJECTED'],
  [{ ok: false, error: 'no' }, 'failed', 'EXECUTION_FAILED'],
  [{ type: 'tool_result', tool_use_id: 'c', result: 'no', is_error: true }, 'failed', 'EXECUTION_FAILED'],
  [
    { type: 'backend_only', tool_use_id: 'c', tool_name: 'x', data: { error: 'no' } },
    'failed',
    'EXECUTION_FAILED',
  ],
])('the end %j is %s with %s', (wire, status, code) => {
  for (const dialect of dialectNames.map((name) => findDialect(name))) {
    expect(dialect.decode(wire)).toMatchObject({ type: 'result', outcome: { status, error: { code } } });
  }
});

test('a result that says nothing, a message of no known type and what is no object are refused', () => {
  expect(faultOf(() => agent.decode({ type: 'tool_result', call_id: 'c' }))).toEqual([
    'INVALID_ARGUMENTS',
    'result',
  ]);
  expect(faultOf(() => agent.decode({ type: 'agent_status' }))).toEqual(['INVALID_FORMAT', undefined]);
  for (const wire of [null, 1, 'x', [], {}])
    expect(faultOf(() => coder.decode(wire))).toEqual(['INVALID_FORMAT', undefined]);
});

test('data of kode is a failure when it is a text, but for the tool that answers with text', () => {
  const end = (tool_name: string, data: unknown) =>
    findDialect('kode').decode({ type: 'backend_only', tool_use_id: 'c', tool_name, data });
  expect(end('Edit', 'no')).toMatchObject({ outcome: { status: 'failed', error: { message: 'no' } } });
  expect(end('LS', '- a/')).toMatchObject({ outcome: { status: 'completed', data: { output: '- a/' } } });
  expect(end('Edit', { error: '' })).toMatchObject({ outcome: { status: 'completed' } });
  expect(faultOf(() => end('Edit', null))).toEqual(['INVALID_ARGUMENTS', 'data']);
});

test('a call without an id, a name or arguments that are an object is refused by the field', () => {
  expect(faultOf(() => codelab.decode({ ...call, call_id: '' }))).toEqual(['INVALID_ARGUMENTS', 'call_id']);
  expect(faultOf(() => codelab.decode({ type: 'tool_call', call_id: 'c' }))).toEqual([
    'INVALID_ARGUMENTS',
    'tool_name',
  ]);
  expect(faultOf(() => codelab.decode({ ...call, args: [] }))).toEqual(['INVALID_ARGUMENTS', 'args']);
  expect(faultOf(() => codelab.decode({ ...call, args: JSON.parse('{"path":"a","__proto__":{}}') }))).toEqual(
    ['INVALID_ARGUMENTS', '__proto__'],
  );
});

function faultOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    const { code, details } = error as { code?: string; details?: { field?: string } };
    return [code, details?.field];
  }
}
