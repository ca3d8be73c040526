import type { ApprovalRequest } from '@codelab/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { approvalForm, readFormAnswer } from './approval-form.ts';

const approval: ApprovalRequest = {
  id: 'apr_1',
  callId: 'c1',
  session: 's1',
  tool: 'write_file',
  kind: 'edit',
  args: { path: 'a.txt' },
  plan: {
    summary: 'Create a\u202Etxt',
    risk: 'high',
    riskReason: 'It changes a file.',
    touches: Array.from({ length: 25 }, (_, i) => ({
      asked: `${i}`,
      path: `${i}.txt`,
      access: 'write' as const,
    })),
    notes: [],
    diff: { text: `+${'x'.repeat(20_000)}`, additions: 1, deletions: 0, hunks: 1, truncated: true },
    basis: [],
  },
  verdict: {
    verdict: 'ask',
    risk: 'high',
    rule: 'default:edit',
    layer: 'built-in',
    reason: 'Asked.',
    parts: [],
  },
  binding: '',
  requestedAt: 0,
  deadline: 1,
};
const question = { message: 'Which?', actions: ['approve', 'other'] };
const choosing = { ...approval, plan: { ...approval.plan, question } };

test('only the form sent back with `approve` in it is a yes', () => {
  const action = fc.oneof(fc.constantFrom('accept', 'decline', 'cancel'), fc.string());
  const content = fc.oneof(
    fc.record({
      decision: fc.oneof(fc.constantFrom('approve', 'reject'), fc.anything()),
      reason: fc.anything(),
    }),
    fc.anything(),
  );
  fc.assert(
    fc.property(action, content, (formAction, filled) => {
      const isYes =
        formAction === 'accept' &&
        typeof filled === 'object' &&
        filled !== null &&
        (filled as Record<string, unknown>).decision === 'approve';
      const answer = { action: formAction, content: filled };
      expect(readFormAnswer(approval, answer).kind).toBe(isYes ? 'approve' : 'reject');
      // For a question, every choice is an answer and never an approval.
      expect(readFormAnswer(choosing, answer).kind).not.toBe('approve');
    }),
    { examples: [['accept', { decision: 'approve', reason: '' }]] },
  );
});

test('what is shown is bounded, and says what is hidden or left out', () => {
  const { message } = approvalForm(approval);
  expect(message.length).toBeLessThan(8000);
  expect(message).toContain('HIGH RISK: write_file: Create a⟨U+202E⟩txt');
  expect(message).toContain('… and 5 more places');
  expect(message).toMatch(/characters left out[\s\S]*The change is longer than what is shown here\.$/);
});
