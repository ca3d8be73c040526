import type { ApprovalRequest, Outcome } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { findDialect } from '../dialects.ts';

const codelab = findDialect('codelab');
const agent = findDialect('agent');
const plugin = findDialect('plugin');
const coder = findDialect('coder');

function approvalOf(args: Record<string, unknown>): ApprovalRequest {
  return {
    id: 'apr_1',
    callId: 'c',
    session: 's',
    tool: 'write_file',
    kind: 'edit',
    args,
    plan: {
      summary: 'Change .env',
      risk: 'high',
      riskReason: 'It writes.',
      touches: [],
      notes: [],
      basis: [],
    },
    verdict: {
      verdict: 'ask',
      risk: 'critical',
      rule: 'r',
      layer: 'built-in',
      reason: 'Secrets.',
      parts: [],
    },
    binding: 'b',
    requestedAt: 1_700_000_000_000,
    deadline: 1_700_000_300_000,
  };
}

test('a question shows the arguments as they were asked', () => {
  const args = { path: '/a', content: 'x', backup: true };
  const asked = agent.ask({ id: 'c', tool: 'write_file', args });
  expect(agent.encode({ type: 'approval', asked, approval: approvalOf(asked.args) })).toEqual({
    type: 'tool_call',
    call_id: 'c',
    tool_name: 'write_file',
    arguments: args,
    requires_approval: true,
  });
});

test('a question about an edited call shows the edited arguments in the manner of the caller', () => {
  const edited = approvalOf({ path: '.env', content: 'y', create_parents: false });
  const show = (dialect: typeof agent, tool: string, path: string) => {
    const asked = dialect.ask({ id: 'c', tool, args: { path, content: 'x' } });
    return dialect.encode({ type: 'approval', asked, approval: edited });
  };
  expect(show(codelab, 'write_file', 'a')).toMatchObject({ args: { path: '.env', content: 'y' } });
  expect(show(agent, 'write_file', '/a')).toMatchObject({ arguments: { path: '/.env', content: 'y' } });
  expect(show(agent, 'write_file', 'a')).toMatchObject({ arguments: { path: '.env', content: 'y' } });
  expect(show(coder, 'write', 'a')).toEqual({
    type: 'approval',
    id: 'c',
    name: 'write',
    args: { path: '.env', content: 'y' },
    reason: 'Secrets.',
    risk: 'critical',
  });
  expect(show(plugin, 'write_file', 'a')).toEqual({
    type: 'tool.approval_request',
    tool_id: 'c',
    tool_name: 'write_file',
    args: { path: '.env', content: 'y' },
    risk_level: 'critical',
    timeout_seconds: 300,
    description: 'Change .env',
    estimated_duration_ms: 100,
    approval_id: 'apr_1',
    timestamp: '2023-11-14T22:13:20.000Z',
    session_id: 's',
  });
});

test('a tool that is not in the table passes its data on', () => {
  const ended = { callId: 'c', tool: 'later', startedAt: 0, durationMs: 1, effects: [] };
  const outcome: Outcome = { ...ended, status: 'completed', data: { a: 1 } };
  const asked = { id: 'c', wire: { tool: 'later', args: {} } };
  expect(codelab.encode({ type: 'result', asked, outcome })).toEqual({
    type: 'tool_result',
    call_id: 'c',
    result: { a: 1 },
  });
});

test('a rule that denies is denied in coder, a lock of the operating system is an error', () => {
  const ended = { callId: 'c', tool: 'write_file', startedAt: 0, durationMs: 1, effects: [] };
  const asked = { id: 'c', wire: { tool: 'write', args: {} } };
  const end = (details: Record<string, unknown>) => {
    const outcome: Outcome = {
      ...ended,
      status: 'failed',
      error: { code: 'PERMISSION_DENIED', message: 'No.', details },
    };
    return coder.encode({ type: 'result', asked, outcome });
  };
  expect(end({ rule: 'r' })).toEqual({ ok: false, denied: true, reason: 'No.', code: 'PERMISSION_DENIED' });
  expect(end({ errno: 'EACCES' })).toEqual({ ok: false, error: 'No.', code: 'PERMISSION_DENIED' });
});

test('what an error has nothing to say about is left out of its details', () => {
  const ended = { callId: 'c', tool: 'edit_file', startedAt: 0, durationMs: 1, effects: [] };
  const error = { code: 'INVALID_ARGUMENTS' as const, message: 'No.', details: { edit: 1, nearest: null } };
  const asked = { id: 'c', wire: { tool: 'edit_file', args: {} } };
  expect(codelab.encode({ type: 'result', asked, outcome: { ...ended, status: 'failed', error } })).toEqual({
    type: 'tool_result',
    call_id: 'c',
    error: { code: 'INVALID_ARGUMENTS', message: 'No.', details: { edit: 1 } },
  });
});
