import { expect, test } from 'vitest';
import { findDialect } from '../dialects.ts';
import { createSocketEncoder } from './encoder.ts';
import { isRedelivered } from './messages.ts';

test.each(['LLM_ERROR', 'AGENT_ERROR', 'INTERNAL'] as const)('a turn that failed with %s', (code) => {
  const body = { type: 'turn.ended', turn: 1, end: 'failed', message: 'No.', code } as const;
  const event = { session: 's', seq: 7, time: 0, hash: '', body };
  const [error, doneMessage] = createSocketEncoder(findDialect('agent')).encode({ type: 'event', event });
  expect(error).toMatchObject({
    type: 'error',
    error_code: code === 'LLM_ERROR' ? code : 'AGENT_ERROR',
    details: { reason: 'No.' },
  });
  expect(doneMessage).toEqual({ type: 'done', status: 'failed', turn: 1, seq: 7 });
  // The number is in the last message only, so after a break the first is sent again with it.
  expect(error).not.toHaveProperty('seq');
  expect(isRedelivered(error ?? {})).toBe(true);
});

test('an order to carry a call out is not one of the messages that come again', () => {
  const encoder = createSocketEncoder(findDialect('codelab'));
  const job = { callId: 'c', tool: 'read_file', args: { path: 'a' } };
  const order = encoder.order({ type: 'execute', job, isAgain: true, approvalId: undefined });
  expect(order).toMatchObject({ type: 'tool_call', call_id: 'c', state: 'allowed', redelivered: true });
  expect(isRedelivered(order)).toBe(false);
});
