import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionEvent } from '@codelab/protocol';
import { answerApproval, createRegistry, pendingApprovals } from '@codelab/runtime';
import { describe, expect, test } from 'vitest';
import { nextApproval } from '../support/next-approval.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const write = { path: 'a.txt', content: 'new\n' };

async function types(bench: Workbench, session = 's1'): Promise<string[]> {
  return (await bench.log.read(session)).map((event) => event.body.type);
}

const by = { who: 'tester', via: 'test' };

describe('one call, one way', () => {
  test('an allowed read runs unasked and costs one transaction', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'old\n' } });
    const outcome = await bench.call('read_file', { path: 'a.txt' });
    expect(outcome).toMatchObject({ status: 'completed', data: { content: 'old\n' }, effects: [] });
    const events = await bench.log.read('s1');
    expect(events.map((event) => event.body.type)).toEqual([
      'session.opened',
      'call.received',
      'call.planned',
      'call.finished',
    ]);
    expect(new Set(events.map((event) => event.time)).size).toBe(1);
  });

  test('a write asks, and approved is not executed until it runs', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'old\n' } });
    const outcome = bench.call('write_file', write);
    const approval = await nextApproval(bench);
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('old\n');
    expect(approval).toMatchObject({
      tool: 'write_file',
      verdict: { verdict: 'ask', risk: 'low', rule: 'default:edit' },
      plan: { diff: { text: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n', hunks: 1 } },
    });
    await answerApproval(bench.host, {
      session: 's1',
      approvalId: approval.id,
      decision: { kind: 'approve' },
      by,
    });
    expect(await outcome).toMatchObject({ status: 'completed', effects: [{ op: 'update', path: 'a.txt' }] });
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('new\n');
    expect(await types(bench)).toEqual([
      'session.opened',
      'call.received',
      'call.planned',
      'approval.requested',
      'approval.decided',
      'call.started',
      'call.finished',
    ]);
  });

  test('the same call id again returns the stored outcome and never runs again', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'old\n' }, mode: 'trusted' });
    const first = await bench.call('write_file', write, { id: 'once' });
    writeFileSync(join(bench.root, 'a.txt'), 'edited by hand\n');
    expect(await bench.call('write_file', write, { id: 'once' })).toEqual(first);
    await bench.restart();
    expect(await bench.call('write_file', write, { id: 'once' })).toEqual(first);
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('edited by hand\n');
  });

  test('the same call id with other arguments is refused and the first outcome stays', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'old\n' }, mode: 'trusted' });
    const first = await bench.call('write_file', write, { id: 'once' });
    const second = await bench.call('write_file', { ...write, content: 'other\n' }, { id: 'once' });
    expect(second).toMatchObject({ status: 'failed', error: { code: 'DUPLICATE_CALL' } });
    expect(await bench.call('write_file', write, { id: 'once' })).toEqual(first);
  });

  test('two at once with one id run once', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'old\n' }, mode: 'trusted' });
    const both = await Promise.all([1, 2].map(() => bench.call('write_file', write, { id: 'once' })));
    expect(both[0]).toEqual(both[1]);
    expect((await types(bench)).filter((type) => type === 'call.started')).toHaveLength(1);
  });

  test('what a profile hides can be neither seen nor executed', async () => {
    await using bench = await workbench({ mode: 'trusted' });
    const registry = await createRegistry(bench.host, { session: 's1', dialect: 'codelab', profile: 'plan' });
    const kinds = new Set(registry.definitions().map((tool) => tool.kind));
    expect([...kinds].sort()).toEqual(['ask', 'read', 'search', 'think']);
    const outcome = await registry.execute('write_file', write);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'TOOL_NOT_FOUND' } });
    await expect(registry.approvalRequest('write_file', write)).rejects.toMatchObject({
      code: 'TOOL_NOT_FOUND',
    });
  });

  test('a registry says what would be asked without running anything', async () => {
    await using bench = await workbench({ files: { 'package.json': '{}\n' } });
    const registry = await createRegistry(bench.host, { session: 's1', dialect: 'codelab' });
    const { verdict } = await registry.approvalRequest('write_file', { path: 'package.json', content: '' });
    expect(verdict).toMatchObject({ verdict: 'ask', risk: 'critical', rule: 'protected-files' });
    expect(readFileSync(join(bench.root, 'package.json'), 'utf8')).toBe('{}\n');
  });

  test('the peer’s wish to ask is a floor: it adds a question and never removes one', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'old\n' }, limits: { approvalMs: 1 } });
    const read = await bench.call('read_file', { path: 'a.txt' }, { requiresApproval: true });
    expect(read.status).toBe('expired');
    const wrote = await bench.call('write_file', write, { requiresApproval: false });
    expect(wrote.status).toBe('expired');
  });

  test.each([
    ['unknown tool', 'no_such_tool', {}, 'TOOL_NOT_FOUND'],
    ['missing field', 'read_file', {}, 'INVALID_ARGUMENTS'],
    ['wrong type', 'read_file', { path: 7 }, 'INVALID_ARGUMENTS'],
    ['unknown field', 'read_file', { path: 'a.txt', extra: 1 }, 'INVALID_ARGUMENTS'],
    ['__proto__', 'read_file', JSON.parse('{"path":"a.txt","__proto__":{"x":1}}'), 'INVALID_ARGUMENTS'],
    ['half a character', 'write_file', { path: 'a.txt', content: '\ud800' }, 'INVALID_ARGUMENTS'],
    [
      '1000 deep',
      'read_file',
      JSON.parse(`{"path":${'['.repeat(1000)}${']'.repeat(1000)}}`),
      'INVALID_ARGUMENTS',
    ],
  ])('refuses %s and records the refusal', async (_name, tool, args, code) => {
    await using bench = await workbench({ files: { 'a.txt': 'old\n' } });
    const outcome = await bench.call(tool, args);
    expect(outcome).toMatchObject({ status: 'failed', error: { code } });
    expect(await types(bench)).toEqual(['session.opened', 'call.received', 'call.finished']);
    expect(bench.log.verify()).toBeUndefined();
  });
});

describe('restarts', () => {
  test('five pending approvals are still pending, and none approved', async () => {
    await using bench = await workbench();
    const stop = new AbortController();
    const paths = [1, 2, 3, 4, 5].map((n) => `f${n}.txt`);
    for (const path of paths) void bench.call('write_file', { path, content: 'x' }, { id: path });
    await nextApproval(bench, 's1', 4);
    await bench.restart();
    stop.abort();
    const session = await bench.host.session('s1');
    expect(pendingApprovals(session).map((approval) => approval.callId)).toEqual(paths);
    bench.human(approveAll);
    expect((await bench.call('write_file', { path: 'f3.txt', content: 'x' }, { id: 'f3.txt' })).status).toBe(
      'completed',
    );
  });
});

describe('running', () => {
  test('cancel and timeout end a call under their own names', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'x' } });
    expect((await bench.call('read_file', { path: 'a.txt' }, { signal: AbortSignal.abort() })).status).toBe(
      'cancelled',
    );
    const cancelWait = new AbortController();
    const outcome = bench.call('write_file', write, { signal: cancelWait.signal });
    await nextApproval(bench);
    cancelWait.abort();
    expect(await outcome).toMatchObject({ status: 'cancelled', error: { code: 'CANCELLED' } });
  });
});

test('replay from a sequence gives every later event once and in order', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'x' } });
  for (let i = 0; i < 5; i++) await bench.call('read_file', { path: 'a.txt' });
  const all = await bench.log.read('s1');
  const stop = new AbortController();
  const events: SessionEvent[] = [];
  for await (const event of bench.log.subscribe('s1', { since: 7, signal: stop.signal })) {
    events.push(event);
    if (event.seq === all.length) void bench.call('read_file', { path: 'a.txt' });
    if (event.seq === all.length + 3) stop.abort();
  }
  expect(events.map((event) => event.seq)).toEqual(Array.from({ length: all.length - 4 }, (_, i) => i + 8));
  expect(events.slice(0, all.length - 7)).toEqual(all.slice(7));
});
