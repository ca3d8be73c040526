// The earlier calls that a remembered rule would have allowed, looked up in the log of the workspace.
import { expect, test } from 'vitest';
import { pastMatches, proposeRule } from '../../packages/runtime/src/index.ts';
import { approveAll, workbench } from '../support/workbench.ts';

test('the earlier calls that a rule fits are found, newest first, and no others', async () => {
  await using bench = await workbench({ files: { 'a.txt': '1\n', 'b.txt': '1\n' } });
  bench.human(approveAll);
  bench.human(approveAll, 's2');
  await bench.call('write_file', { path: 'a.txt', content: '2\n' }, { id: 'first' });
  await bench.call('write_file', { path: 'b.txt', content: '2\n' }, { id: 'other' });
  await bench.call('read_file', { path: 'a.txt' }, { id: 'read' });
  await bench.call('write_file', { path: 'a.txt', content: '3\n' }, { id: 'second', session: 's2' });
  const touches = [{ asked: 'a.txt', path: 'a.txt', access: 'write' as const }];
  const plan = { summary: '', risk: 'low' as const, riskReason: '', touches, notes: [], basis: [] };
  const rule = proposeRule('allow', { tool: 'write_file', plan, args: {} });
  if (rule === undefined) throw new Error('There is no rule.');
  const found = await pastMatches(bench.log, bench.host.workspace.root.real, rule);
  expect(found.map(({ session, callId }) => `${session} ${callId}`)).toEqual(['s2 second', 's1 first']);
  expect(await pastMatches(bench.log, '/elsewhere', rule)).toEqual([]);
});

test('a command that was run before is found by its own rule', async () => {
  await using bench = await workbench({ files: { 'a.txt': '1\n' } });
  bench.human(approveAll);
  for (const [id, command] of [
    ['one', 'wc -l a.txt'],
    ['two', 'wc -c a.txt'],
    ['three', 'wc -l a.txt | head -1'],
  ] as const)
    expect(await bench.call('run_command', { command }, { id })).toMatchObject({ status: 'completed' });
  const events = await bench.log.read('s1');
  const planned = events.flatMap(({ body }) =>
    body.type === 'call.planned' && body.callId === 'one' ? [body.plan] : [],
  );
  const rule = planned[0] && proposeRule('allow', { tool: 'run_command', plan: planned[0], args: {} });
  if (rule === undefined) throw new Error('There is no rule.');
  expect(rule.command).toEqual(['wc -l a.txt']);
  const found = await pastMatches(bench.log, bench.host.workspace.root.real, rule);
  expect(found.map(({ callId }) => callId)).toEqual(['one']);
});

test('a rule that was kept for one folder does not reach into another', async () => {
  await using bench = await workbench({
    files: { 'a.txt': '1\n', 'evil/a.txt': '2\n', 'other/a.txt': '3\n' },
  });
  let askCount = 0;
  bench.human((approval) => {
    askCount++;
    const rule = proposeRule('allow', approval);
    return rule === undefined ? { kind: 'approve' } : { kind: 'approve', remember: { scope: 'session' } };
  });
  await bench.call('run_command', { command: 'touch made.txt' });
  await bench.call('run_command', { command: 'touch made.txt' });
  expect(askCount).toBe(1);
  await bench.call('run_command', { command: 'cd evil && touch made.txt' });
  expect(askCount).toBe(2);
  // A rule approved behind `cd` applies in that folder, however the line gets there.
  await bench.call('run_command', { command: 'touch made.txt', cwd: 'evil' });
  expect(askCount).toBe(2);
  await bench.call('run_command', { command: 'touch made.txt', cwd: 'other' });
  expect(askCount).toBe(3);
});
