// Calls of one reply that a human is asked about together: one question, a decision for each, run in order, each bound to what was shown.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentSignal, ApprovalRequest, Decision } from '@codelab/protocol';
import { answerApproval } from '@codelab/runtime';
import { expect, test } from 'vitest';
import { playTurn } from '../support/agent-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

type Wanted = [tool: string, args: Record<string, unknown>];

/** Plays one reply; `decide` is given the questions that wait together, once they are all put. */
async function play(
  bench: Workbench,
  calls: Wanted[],
  decide: (pending: ApprovalRequest[]) => Promise<void> | void,
) {
  const groupsSeen: ApprovalRequest[][] = [];
  let pending: ApprovalRequest[] = [];
  const onSignal = (signal: AgentSignal): void => {
    if (signal.type !== 'approval') return;
    pending.push(signal.approval);
    // The approvals of a group arrive together.
    if (pending.length > 1) return;
    setImmediate(() => {
      const together = pending;
      pending = [];
      groupsSeen.push(together);
      void decide(together);
    });
  };
  const played = await playTurn(bench, scriptedModel([{ calls }, { text: 'Done.' }]), { onSignal });
  const groups = groupsSeen.map((together) =>
    together.map(({ group }) => group && `${group.index}/${group.size}`),
  );
  return { ...played, groups };
}

const answer = (bench: Workbench, { id, session }: ApprovalRequest, decision: Decision) =>
  answerApproval(bench.host, { session, approvalId: id, decision, by: { who: 'tester', via: 'test' } });
const approveAll = (bench: Workbench) => async (all: ApprovalRequest[]) => {
  for (const one of all) await answer(bench, one, { kind: 'approve' });
};
const write = (path: string, content = 'new\n'): Wanted => ['write_file', { path, content }];
const text = (bench: Workbench, path: string): string => readFileSync(join(bench.root, path), 'utf8');

test('edits of different files are one question, decided and recorded each', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'old\n', 'b.txt': 'old\n' }, mode: 'balanced' });
  const run = await play(bench, [write('a.txt'), write('b.txt'), write('c.txt')], async ([a, b, c]) => {
    if (a && b && c) {
      // The last one first: they run in the order the model wanted them all the same.
      await answer(bench, c, { kind: 'approve' });
      await answer(bench, b, { kind: 'reject', feedback: 'leave b' });
      await answer(bench, a, { kind: 'approve' });
    }
  });
  expect(run.groups).toEqual([['1/3', '2/3', '3/3']]);
  expect(run.bodies.filter(({ type }) => type === 'approval.decided')).toHaveLength(3);
  const started = run.bodies.flatMap((body) => (body.type === 'call.started' ? [body.args.path] : []));
  expect(started).toEqual(['a.txt', 'c.txt']);
  expect([text(bench, 'a.txt'), text(bench, 'b.txt'), text(bench, 'c.txt')]).toEqual([
    'new\n',
    'old\n',
    'new\n',
  ]);
  expect(run.toolTexts[1]).toContain('leave b');
});

test('what builds on an earlier call of the reply is asked when that has run', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'one\n' }, mode: 'balanced' });
  const calls: Wanted[] = [
    ['edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' }],
    ['edit_file', { path: 'a.txt', old_string: 'two', new_string: 'three' }],
    write('b.txt'),
    ['run_command', { command: 'cp a.txt copied.txt' }],
    ['run_command', { command: 'cp b.txt other.txt' }],
  ];
  const run = await play(bench, calls, approveAll(bench));
  expect(run.groups).toEqual([[undefined], ['1/2', '2/2'], ['1/2', '2/2']]);
  expect([text(bench, 'copied.txt'), text(bench, 'other.txt')]).toEqual(['three\n', 'new\n']);
});

test('a file that is changed while the group waits is asked about again, the others run', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'old\n', 'b.txt': 'old\n' }, mode: 'balanced' });
  const run = await play(bench, [write('a.txt'), write('b.txt')], async (all) => {
    if (all.length > 1) writeFileSync(join(bench.root, 'b.txt'), 'mine\n');
    await approveAll(bench)(all);
  });
  expect(run.groups).toEqual([['1/2', '2/2'], ['2/2']]);
  expect(run.result.end).toBe('completed');
  expect(text(bench, 'b.txt')).toBe('new\n');
});

test('what runs unasked is no group', async () => {
  await using bench = await workbench({ mode: 'trusted' });
  const run = await play(bench, [write('a.txt'), write('b.txt')], () => undefined);
  expect(run.groups).toEqual([]);
  expect(run.bodies.some((body) => body.type === 'call.received' && body.call.group !== undefined)).toBe(
    false,
  );
});
