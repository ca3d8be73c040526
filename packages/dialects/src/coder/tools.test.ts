import type { Outcome } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { findDialect } from '../dialects.ts';

const coder = findDialect('coder');

test.each([
  ['bash', { command: '' }, 'run_command: `command` is empty.', 'args: bash: `command` is empty.'],
  ['patch', { patch: '' }, 'apply_patch: `diff` is empty.', 'args: patch: `patch` is empty.'],
  [
    'grep',
    { pattern: '(' },
    '`query` is no regular expression.',
    'args: `pattern` is no regular expression.',
  ],
])('an error of %s names the tool and the arguments that the caller named', (tool, args, message, error) => {
  const ended = { callId: 'c', tool: 'x', startedAt: 0, durationMs: 0, effects: [] };
  const outcome: Outcome = { ...ended, status: 'failed', error: { code: 'INVALID_ARGUMENTS', message } };
  expect(coder.encode({ type: 'result', asked: { id: 'c', wire: { tool, args } }, outcome })).toMatchObject({
    ok: false,
    error,
  });
});

test('a tool without arguments says so', () => {
  expect(() => coder.ask({ id: 'c', tool: 'todoread', args: { x: 1 } })).toThrow(
    'todoread does not take `x`; it takes no arguments.',
  );
});
