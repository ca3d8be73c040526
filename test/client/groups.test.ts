// CodeLabAPI against every route of a real gateway that it has a method for: the answers are what it reads them as.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CodeLabAPI, StreamingClient } from '@codelab/client';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const token = 'secret-token';
const backoff = { firstMs: 10, mostMs: 50 };

test('a turn: said, asked, decided and heard over the neutral wire; then read, listed, forked', async () => {
  const script = scriptedModel([
    { calls: [['write_file', { path: 'a.txt', content: 'new\n' }]] },
    { text: 'Written.' },
  ]);
  await using bench = await gatewayBench({ script });
  const { url } = bench.running;
  const api = new CodeLabAPI({ url, token, backoff });
  const { id } = await api.sessions.create({ title: 'One' });
  using client = new StreamingClient({ url, session: id, wire: 'neutral', token, since: 0, backoff });
  const types: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const deltas: string[] = [];
  const approvalRequested = Promise.withResolvers<string>();
  client.on('signal', ({ signal }) => signal.type === 'text' && deltas.push(signal.delta));
  const decideOn = async (approvalId: string): Promise<void> => {
    expect(await api.approvals.pending()).toMatchObject([{ id: approvalId }]);
    expect(await api.sessions.pendingApprovals(id)).toMatchObject([{ tool: 'write_file' }]);
    expect(await api.approvals.rule(id, approvalId)).toHaveProperty('rule');
    expect((await api.approvals.link(id, approvalId)).url).toContain('/approve/');
    expect(await api.decide(id, approvalId, { kind: 'approve' })).toMatchObject({ approval_id: approvalId });
    const second = api.decide(id, approvalId, { kind: 'approve' });
    await expect(second).rejects.toMatchObject({ code: 'ALREADY_DECIDED' });
  };
  client.on('event', ({ event: { body } }) => {
    types.push(body.type);
    if (body.type === 'approval.requested') approvalRequested.resolve(body.approval.id);
    if (body.type === 'turn.ended') resolve();
  });
  await client.connect();
  await api.sendMessage(id, 'Write it.');
  await decideOn(await approvalRequested.promise);
  await ended;
  expect(deltas.join('')).toBe('Written.');
  expect(types).toContain('call.finished');
  const { events, last_seq } = await api.sessions.log(id);
  expect([events.length, events.at(-1)?.seq]).toEqual([last_seq, client.since]);
  expect((await api.sessions.history(id)).messages.map(({ role }) => role)).toContain('assistant');
  expect(await api.sessions.todos(id)).toEqual([]);
  expect(await api.sessions.fork(id)).toHaveProperty('id');
  expect(await api.sessions.changeContext(id, 'add_file', 'a.txt')).toMatchObject({
    files: [{ path: 'a.txt' }],
  });
  expect(await api.sessions.context(id)).toMatchObject({ files: [{ path: 'a.txt' }] });
  expect(await api.audit.verify(id)).toMatchObject({ ok: true });
  expect((await api.audit.export(id)).split('\n').length).toBeGreaterThan(5);
  expect((await api.usage.get()).sessions.map((message) => message.id)).toContain(id);
  await api.cancel(id);
});

test('files, changes, undo, the quarantine and calls of one’s own', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'one\n', 'src/b.ts': '' } });
  const api = new CodeLabAPI({ url: bench.running.url, token, backoff });
  const { id: session_id } = await api.sessions.create();
  expect((await api.files.list()).entries.map(({ name }) => name)).toEqual(['src', 'a.txt']);
  const { text, fingerprint } = await api.files.read('a.txt');
  await api.files.write({ path: 'a.txt', text: `${text}two\n`, fingerprint, session_id });
  await expect(api.files.write({ path: 'a.txt', text, fingerprint, session_id })).rejects.toMatchObject({
    code: 'STALE',
  });
  expect(await api.files.find('b')).toContain('src/b.ts');
  const { turns } = await api.changes.list(session_id);
  const callId = turns[0]?.calls[0]?.call_id ?? '';
  expect((await api.changes.diff(session_id, callId)).files[0]?.diff).toContain('+two');
  expect(await api.changes.undo(session_id, { call_id: callId })).toMatchObject({ done: true });
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('one\n');
  await api.changes.redo(session_id);
  const args = { path: 'a.txt' };
  expect(await api.call(session_id, { tool: 'delete_file', args, approve: true })).toMatchObject({
    status: 'completed',
  });
  const [trashed] = await api.changes.trash();
  await api.changes.restore(trashed?.trash_id ?? '');
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  rmSync(join(bench.root, 'a.txt'));
});

test('processes, policy, settings, models, agents and tools', async () => {
  await using bench = await gatewayBench();
  const api = new CodeLabAPI({ url: bench.running.url, token, backoff });
  const { id } = await api.sessions.create();
  const args = { command: 'echo ready; cat', process_id: 'p1', ready_pattern: 'ready' };
  await api.call(id, { tool: 'run_persistent', args, approve: true });
  expect((await api.processes.list()).processes).toMatchObject([{ process_id: 'p1', status: 'running' }]);
  expect((await api.processes.output('p1')).output).toContain('ready');
  await api.processes.input('p1', 'hello\n');
  await expect.poll(async () => (await api.processes.output('p1')).output).toContain('hello');
  await api.processes.stop('p1');
  const rule = { id: 'mine', effect: 'deny' as const, reason: 'No.', path: 'secret/**' };
  await api.policy.addRule({ rule, scope: 'workspace' });
  const write = { tool: 'write_file', args: { path: 'secret/x', content: '' } };
  expect(await api.policy.check(write)).toMatchObject({ verdict: 'deny', rule: 'mine' });
  expect(await api.policy.get()).toHaveProperty('rules');
  await api.policy.removeRule('mine');
  expect(await api.settings.get()).toMatchObject({ mode: 'strict' });
  expect(await api.settings.update({ mode: 'balanced' })).toMatchObject({ mode: 'balanced' });
  expect((await api.settings.models()).models).toBeInstanceOf(Array);
  expect(await api.catalogue.agents()).toBeDefined();
  expect(await api.catalogue.tools({ dialect: 'agent' })).toBeDefined();
});
