// Questions of tools at a real gateway, answered with the messages of seed 000: by whoever decides, and by the client that has the files.
import { expect, test } from 'vitest';
import { call, pair } from '../support/executor-pair.ts';
import { changed, hunkOf, lines, textOf } from '../support/forty-lines.ts';
import { gatewayBench } from '../support/gateway-bench.ts';

type Json = Record<string, unknown>;

const hunks = [hunkOf(1, 8), hunkOf(17, 23), hunkOf(33, 39)];
const head = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n';
const diff = `${head}${hunks.join('')}`;
const review = { type: 'tool_call', tool_name: 'apply_patch_review', call_id: 'c1', args: { diff } };
const answer = (result: Json): Json => ({ type: 'tool_result', call_id: 'c1', result });

test('a review is answered with its chosen part alone, but with no chunk that was not shown', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': textOf(lines) } });
  const client = await bench.connect('s1');
  client.send(review);
  await client.next('tool_call');
  client.send(answer({ action: 'apply', filtered_diff: `${head}${hunks[1]?.replace('+three', '+mine')}` }));
  expect(await client.next('error')).toMatchObject({ details: { field: 'result.filtered_diff' } });
  client.send(answer({ action: 'apply', chunks_selected: [1, 4] }));
  expect(await client.next('error')).toMatchObject({ message: 'There are 3 hunks, numbered from 1.' });
  client.send(answer({ action: 'apply', chunks_selected: 'all' }));
  expect(await client.next('error')).toMatchObject({ details: { field: 'result.chunks_selected' } });
  client.send(answer({ action: 'apply', filtered_diff: `${head}${hunks[0]}${hunks[2]}` }));
  const result = await client.next('tool_result');
  expect(result).toMatchObject({ result: { action: 'apply', chunks_selected: [1, 3], chunks_total: 3 } });
  expect(bench.faults).toEqual([]);
});

test('a plain approval is the action that says so, and no other', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': textOf(changed) } });
  const client = await bench.connect('s1');
  client.send(review);
  const { plan } = (await client.next('tool_call')) as { plan: { notes: string[] } };
  expect(plan.notes).toEqual(['The files already have these changes.']);
  client.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
  expect(await client.next('tool_result')).toMatchObject({
    result: { action: 'apply', filtered_diff: diff, chunks_selected: [1, 2, 3] },
  });
  const args = { message: 'Which?', actions: ['tabs', 'blanks'] };
  client.send({ type: 'tool_call', tool_name: 'prompt_user', call_id: 'c2', args });
  await client.next('tool_call', ({ call_id }) => call_id === 'c2');
  client.send({ type: 'hitl_decision', call_id: 'c2', decision: 'approve' });
  expect(await client.next('error')).toMatchObject({ message: 'Answer with one of: tabs, blanks.' });
});

test('what the client that has the files made of a review is its result', async () => {
  await using bench = await gatewayBench();
  const { executorClient, approverClient } = await pair(bench);
  approverClient.send({ ...call('apply_patch_review', { diff }), args: { diff } });
  const { plan } = (await executorClient.next('tool_call')) as { plan: { notes: string[] } };
  expect(plan.notes[0]).toContain('A client has the files');
  const filtered_diff = `${head}${hunks[1]?.replace('+three', '+mine')}`;
  const result = { action: 'apply', filtered_diff, chunks_selected: [2], chunks_total: 3 };
  executorClient.send(answer(result));
  expect(await approverClient.next('tool_result')).toMatchObject({ result });
});

test('what could not be shown there is refused with its reason', async () => {
  await using bench = await gatewayBench();
  const { executorClient, approverClient } = await pair(bench);
  approverClient.send(call('apply_patch_review', { diff }));
  await executorClient.next('tool_call');
  executorClient.send({
    type: 'tool_result',
    call_id: 'c1',
    error: { code: 'PATCH_APPLY_FAILED', message: 'a.txt: hunk 1 differs.' },
  });
  const { error } = (await approverClient.next('tool_result')) as { error: unknown };
  expect(JSON.stringify(error)).toContain('PATCH_APPLY_FAILED: a.txt: hunk 1 differs.');
});
