// A call that is handed to the client that has the files is the call that was asked for: a strict client would refuse arguments that
// it does not know.
import { expect, test } from 'vitest';
import { executor, isOrder, isQuestion } from '../support/executor-pair.ts';
import { gatewayBench } from '../support/gateway-bench.ts';

const calls: [string, Record<string, unknown>][] = [
  ['read_file', { path: 'a.txt' }],
  ['write_file', { path: 'a.txt', content: 'x' }],
  ['git.diff', {}],
  ['apply_patch', { diff: '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n' }],
  ['list_files', { path: 'src' }],
  ['search_in_project', { query: 'x' }],
  ['create_directory', { path: 'd' }],
  ['delete_file', { path: 'a' }],
  ['move_file', { from: 'a', to: 'b' }],
  ['run_command', { command: 'ls' }],
  ['run_command', { command: 'ls', network: false }],
  ['run_persistent', { process_id: 'p', command: 'npm start' }],
  ['kill_process', { process_id: 'p' }],
  ['git.status', {}],
  ['git.log', {}],
  ['git.branch', {}],
  ['git.commit', { message: 'm' }],
];

test('no argument is added to a call that is handed out', async () => {
  await using bench = await gatewayBench();
  const executorClient = await bench.connect('s1', executor('&dialect=codelab'));
  const asks = await bench.connect('s1', { query: '?role=approver&dialect=codelab' });
  for (const [i, [tool_name, args]] of calls.entries()) {
    const call_id = `c${i}`;
    asks.send({ type: 'tool_call', call_id, tool_name, args });
    const first = await executorClient.next('tool_call', (message) => message.call_id === call_id);
    if (isQuestion(first)) asks.send({ type: 'hitl_decision', call_id, decision: 'approve' });
    const order = isOrder(first)
      ? first
      : await executorClient.next('tool_call', (message) => message.call_id === call_id && isOrder(message));
    expect([tool_name, order.args]).toEqual([tool_name, args]);
    executorClient.send({ type: 'tool_result', call_id, error: 'not today' });
  }
});
