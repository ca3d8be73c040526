// The executor of `codelab connect` message by message: who has to agree before anything happens, and that nothing happens twice.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findDialect } from '@codelab/dialects';
import type { Decision } from '@codelab/protocol';
import { answerApproval } from '@codelab/runtime';
import { expect, test } from 'vitest';
import { GatewayExecutor } from '../../apps/cli/src/connect/executor.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

type Json = Record<string, unknown>;

const quiet = () => undefined;
const show = {
  connected: quiet,
  waiting: quiet,
  call: quiet,
  question: quiet,
  outcome: quiet,
  notice: quiet,
};
const by = { who: 'tester', via: 'test' };

function executorOn(
  bench: Workbench,
  decide: () => Decision | undefined,
  options: { trusts?: boolean } = {},
) {
  const sentMessages: Json[] = [];
  const askedIds: string[] = [];
  const executor = new GatewayExecutor({
    host: bench.host,
    dialect: findDialect('codelab'),
    session: () => 'connect-1',
    asksHere: true,
    trustsGateway: options.trusts ?? false,
    show: { ...show, defect: (error) => sentMessages.push({ defect: String(error) }) },
    send: (message) => sentMessages.push(message as Json) > 0,
    async answer({ session, id: approvalId, callId }, signal) {
      askedIds.push(callId);
      const decision = decide();
      if (decision !== undefined)
        return await answerApproval(bench.host, { session, approvalId, decision, by });
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  });
  const said = (type: string) =>
    expect.poll(() => sentMessages.filter((message) => message.type === type || 'defect' in message));
  return { executor, sent: sentMessages, asked: askedIds, said };
}

const write = (content: string): Json => ({ path: 'a.txt', content });
const question = (args: Json): Json => ({
  type: 'tool_call',
  call_id: 'c1',
  tool_name: 'write_file',
  args,
  requires_approval: true,
  approval_id: 'apr_1',
});
const order = (args: Json, state = 'approved'): Json => ({
  type: 'tool_call',
  call_id: 'c1',
  tool_name: 'write_file',
  args,
  requires_approval: false,
  state,
});
const textIn = (bench: Workbench): string => readFileSync(join(bench.root, 'a.txt'), 'utf8');

test('a yes given here is told first; nothing is written before the gateway says so', async () => {
  await using bench = await workbench();
  const { executor, said, sent } = executorOn(bench, () => ({ kind: 'approve' }));
  executor.hear(question(write('one')));
  await said('hitl_decision').toMatchObject([{ call_id: 'c1', approval_id: 'apr_1', decision: 'approve' }]);
  expect(existsSync(join(bench.root, 'a.txt'))).toBe(false);
  executor.hear(order(write('one')));
  await said('tool_result').toMatchObject([{ call_id: 'c1', result: { success: true } }]);
  expect(textIn(bench)).toBe('one');
  // An unconfirmed result is sent again on a new connection; a confirmed one is not.
  executor.reopened();
  expect(sent.filter(({ type }) => type === 'tool_result').length).toBe(2);
  executor.hear({ type: 'tool_result', call_id: 'c1', result: { success: true }, seq: 9 });
  executor.reopened();
  expect(sent.filter(({ type }) => type === 'tool_result').length).toBe(2);
});

test('what the gateway refuses after a yes was given here is not done', async () => {
  await using bench = await workbench();
  const { executor, said } = executorOn(bench, () => ({ kind: 'approve' }));
  executor.hear(question(write('one')));
  await said('hitl_decision').toHaveLength(1);
  executor.hear({ type: 'tool_result', call_id: 'c1', error: { code: 'REJECTED', message: 'No.' }, seq: 9 });
  await executor.stop();
  expect(existsSync(join(bench.root, 'a.txt'))).toBe(false);
});

test('edited here, the gateway is told how; it runs once, also when it is ordered again after a restart', async () => {
  await using bench = await workbench();
  const edited: Decision = { kind: 'edit', args: write('edited') };
  const first = executorOn(bench, () => edited);
  first.executor.hear(question(write('one')));
  await first
    .said('hitl_decision')
    .toMatchObject([{ decision: 'edit', modified_arguments: write('edited') }]);
  first.executor.hear(order(write('edited')));
  await first.said('tool_result').toHaveLength(1);
  expect(textIn(bench)).toBe('edited');
  writeFileSync(join(bench.root, 'a.txt'), 'by the user');
  await bench.restart();
  const second = executorOn(bench, () => ({ kind: 'approve' }));
  second.executor.hear({ ...order(write('edited')), redelivered: true });
  await second.said('tool_result').toMatchObject([{ result: { success: true } }]);
  expect([textIn(bench), second.asked]).toEqual(['by the user', []]);
});

test('edited at the gateway while it is asked about here, it is asked anew, as it is by now', async () => {
  await using bench = await workbench();
  const answers: (Decision | undefined)[] = [undefined, { kind: 'approve' }];
  const { executor, said, asked } = executorOn(bench, () => answers.shift());
  executor.hear(question(write('one')));
  await expect.poll(() => asked.length).toBe(1);
  executor.hear(order(write('two')));
  await said('tool_result').toMatchObject([{ call_id: 'c1', result: { success: true } }]);
  expect([textIn(bench), asked.length]).toEqual(['two', 2]);
});

test('asked about here and left open, it is carried out once the gateway orders it after a restart', async () => {
  await using bench = await workbench();
  const first = executorOn(bench, () => undefined);
  first.executor.hear(question(write('one')));
  await expect.poll(() => first.asked.length).toBe(1);
  await first.executor.stop();
  expect(first.sent).toEqual([]);
  await bench.restart();
  const second = executorOn(bench, () => ({ kind: 'approve' }));
  second.executor.hear(order(write('one')));
  await second.said('tool_result').toMatchObject([{ result: { success: true } }]);
  expect(textIn(bench)).toBe('one');
});

test('an approval there counts here only where it is trusted, and not for what a rule only let pass', async () => {
  await using bench = await workbench();
  const refusing = (): Decision => ({ kind: 'reject', feedback: 'No.' });
  const trusting = executorOn(bench, refusing, { trusts: true });
  trusting.executor.hear(order(write('one'), 'allowed'));
  await trusting.said('tool_result').toMatchObject([{ error: { code: 'REJECTED' } }]);
  trusting.executor.hear({ ...order(write('two')), call_id: 'c2' });
  await trusting.said('tool_result').toHaveLength(2);
  expect([textIn(bench), trusting.asked]).toEqual(['two', ['c1']]);
});

test('what only a gateway can do, what no tool knows and what can’t be read is answered and not done', async () => {
  await using bench = await workbench();
  const { executor, said } = executorOn(bench, () => ({ kind: 'approve' }));
  executor.hear({ ...order({ agent: 'ask', objective: 'x' }, 'allowed'), tool_name: 'task', call_id: 't1' });
  executor.hear({ ...order({}, 'allowed'), tool_name: 'todoread', call_id: 't2' });
  executor.hear({ ...order({}, 'allowed'), tool_name: 'format_disk', call_id: 't3' });
  executor.hear({ ...order({ path: 1 }, 'allowed'), tool_name: 'read_file', call_id: 't4' });
  executor.hear({ type: 'tool_call', call_id: 't5', tool_name: 'write_file', args: write('x') });
  await said('tool_result').toMatchObject([
    { call_id: 't1', error: { code: 'TOOL_NOT_FOUND' } },
    { call_id: 't2', error: { code: 'TOOL_NOT_FOUND' } },
    { call_id: 't3', error: { code: 'TOOL_NOT_FOUND' } },
    { call_id: 't4', error: { code: 'INVALID_ARGUMENTS' } },
  ]);
  await executor.stop();
  expect(existsSync(join(bench.root, 'a.txt'))).toBe(false);
});
