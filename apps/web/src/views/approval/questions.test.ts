import type { ApprovalRequest } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { isRedirected, isRepeated } from './plan/plan-facts.ts';
import { questionsOf, readTypedAnswer } from './questions.ts';

type Asked = { reply?: string; risk?: 'critical'; again?: string; question?: true };

function approvalOf(id: string, { reply, risk, again, question }: Asked = {}): ApprovalRequest {
  return {
    id,
    callId: `call ${id}`,
    session: 's',
    tool: 'write_file',
    kind: 'edit',
    args: {},
    plan: {
      summary: '',
      risk: 'high',
      riskReason: '',
      touches: [],
      notes: [],
      basis: [],
      ...(question && { question: { message: '?', actions: ['Left', 'right'] } }),
    },
    verdict: {
      verdict: 'ask',
      risk: risk ?? 'high',
      rule: 'default:edit',
      layer: 'built-in',
      reason: '',
      parts: [],
    },
    binding: '',
    requestedAt: 0,
    ...(again !== undefined && { again }),
    ...(reply !== undefined && { group: { id: reply, index: 1, size: 2 } }),
  };
}

function group(pending: readonly ApprovalRequest[], isApart = false): string[][] {
  return questionsOf(pending, () => isApart).map(({ approvals }) => approvals.map(({ id }) => id));
}

describe('calls of one reply', () => {
  test('are one question, and several when they are asked one by one', () => {
    const all = [
      approvalOf('a', { reply: '1' }),
      approvalOf('b', { reply: '1' }),
      approvalOf('c', { reply: '2' }),
    ];
    expect(group(all)).toEqual([['a', 'b'], ['c']]);
    expect(group(all, true)).toEqual([['a'], ['b'], ['c']]);
  });

  test('stand alone without a group, with critical risk, when asked again, and as a question of their own', () => {
    const all = [
      approvalOf('a', { reply: '1' }),
      approvalOf('b'),
      approvalOf('c'),
      approvalOf('d', { reply: '1', risk: 'critical' }),
      approvalOf('e', { reply: '1', again: 'The file changed.' }),
      approvalOf('f', { reply: '1', question: true }),
    ];
    expect(group(all)).toEqual([['a'], ['b'], ['c'], ['d'], ['e'], ['f']]);
  });
});

test('what is typed is a yes only when it is nothing but a yes', () => {
  const approval = approvalOf('a');
  for (const text of ['y', 'Yes', 'OK!', 'да', '好的。'])
    expect(readTypedAnswer(text, approval).kind).toBe('approve');
  for (const text of ['yes, but use a table', 'y n', 'ok?', 'yesterday', 'not ok'])
    expect(readTypedAnswer(text, approval)).toEqual({ kind: 'reject', feedback: text });
  expect(readTypedAnswer('No', approval)).toEqual({ kind: 'reject' });
});

test('a question of the agent is answered with one of its actions, and refused with anything else', () => {
  const approval = approvalOf('a', { question: true });
  expect(readTypedAnswer('left', approval)).toEqual({ kind: 'answer', action: 'Left' });
  expect(readTypedAnswer('yes', approval)).toEqual({ kind: 'reject', feedback: 'yes' });
});

test('only a path that leads elsewhere than its name says is pointed out', () => {
  const touch = (asked: string, path: string) => ({ asked, path, access: 'write' as const });
  expect(['a', './a', 'a/', './/a/'].map((name) => isRedirected(touch(name, 'a')))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect([isRedirected(touch('.', '.')), isRedirected(touch('./', '.'))]).toEqual([false, false]);
  expect([isRedirected(touch('link', 'a')), isRedirected(touch('a/../b', 'b'))]).toEqual([true, true]);
});

test('a sentence is not said again inside of another', () => {
  expect(isRepeated('Writes to out.', 'Every command is asked. Writes to out.')).toBe(true);
  expect(isRepeated('Writes to out.', 'Writes to outer.')).toBe(false);
});
