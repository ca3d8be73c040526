// The shorter ways of a call: planned only, or read without a record. And the host they run on, which nobody changes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createRegistry, readUnrecorded, runCall, type ToolDecorator } from '@codelab/runtime';
import { expect, test } from 'vitest';
import { approveAll, workbench } from '../support/workbench.ts';

test('a call that is only planned has a verdict and leaves nothing behind', async () => {
  await using bench = await workbench();
  const registry = await createRegistry(bench.host, { session: 's1', dialect: 'codelab' });
  const { plan, verdict } = await registry.approvalRequest('write_file', { path: 'a.txt', content: 'a\n' });
  expect({ summary: plan.summary, verdict: verdict.verdict }).toEqual({
    summary: 'Create a.txt (+1 −0 lines)',
    verdict: 'ask',
  });
  expect(existsSync(join(bench.root, 'a.txt'))).toBe(false);
  expect(await bench.log.sessions()).toEqual([]);
});

test('what is planned only is refused as the call would be', async () => {
  await using bench = await workbench();
  const registry = await createRegistry(bench.host, { session: 's1', dialect: 'codelab', profile: 'ask' });
  const write = registry.approvalRequest('write_file', { path: 'a.txt', content: 'a\n' });
  await expect(write).rejects.toMatchObject({ code: 'TOOL_NOT_FOUND' });
  const read = registry.approvalRequest('read_file', { path: 3 });
  await expect(read).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS', details: { field: 'path' } });
});

test('a read without a record leaves none, and does not read what a human would be asked about', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'hello\n', '.env': 'KEY=1\n' } });
  const { data } = await readUnrecorded(bench.host, { tool: 'read_file', args: { path: 'a.txt' } });
  expect(data).toMatchObject({ content: 'hello\n' });
  const secret = readUnrecorded(bench.host, { tool: 'read_file', args: { path: '.env' } });
  await expect(secret).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  expect(await bench.log.sessions()).toEqual([]);
});

test('a decorated host is another one: its tools are decorated, those of the first are not', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'hello\n' } });
  const order: string[] = [];
  const noting =
    (name: string): ToolDecorator =>
    (tool) => ({
      ...tool,
      async run(input, prepared, context) {
        order.push(`${name} ${tool.name}`);
        return await tool.run(input, prepared, context);
      },
    });
  const decorated = bench.host.decorated(noting('inner')).decorated(noting('outer'));
  const call = { session: 's1', tool: 'read_file', args: { path: 'a.txt' }, dialect: 'codelab' as const };
  expect(await runCall(bench.host, { ...call, id: 'c1' })).toMatchObject({ status: 'completed' });
  expect(order).toEqual([]);
  expect(await runCall(decorated, { ...call, id: 'c2' })).toMatchObject({ status: 'completed' });
  expect(order).toEqual(['outer read_file', 'inner read_file']);
});

test('every end of a call names the turn it belongs to', async () => {
  await using bench = await workbench({ limits: { approvalMs: 50 } });
  const args = { path: 'a.txt', content: 'a\n' };
  expect(await bench.call('write_file', args, { id: 'late', turn: 7 })).toMatchObject({ status: 'expired' });
  bench.human(approveAll);
  await bench.call('read_file', { path: 'missing' }, { id: 'failed', turn: 7 });
  const ends = (await bench.log.read('s1')).flatMap(({ body }) =>
    body.type === 'call.finished' ? [{ callId: body.callId, turn: body.turn }] : [],
  );
  expect(ends).toEqual([
    { callId: 'late', turn: 7 },
    { callId: 'failed', turn: 7 },
  ]);
});
