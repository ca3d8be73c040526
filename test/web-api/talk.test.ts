// Taking part in a session over REST: saying, deciding, calling tools oneself, context and lists.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { httpBench } from '../support/http-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { createSession, type Json, json, logUntil } from '../support/web-api.ts';

const writes = [
  { text: 'I write.', calls: [['write_file', { path: 'a.txt', content: 'x\n' }]] as [string, Json][] },
  { text: 'Done.' },
];

test('a turn is begun, decided and ended, and a second decision is told of the first', async () => {
  await using bench = await gatewayBench({ script: scriptedModel(writes) });
  const id = await createSession(bench);
  expect(await json(bench, `/sessions/${id}/messages`, 'POST', { content: 'Write it.' })).toEqual([
    202,
    { session_id: id },
  ]);
  await logUntil(bench, id, ({ type }) => type === 'approval.requested');
  expect(await json(bench, `/sessions/${id}/messages`, 'POST', { content: 'More.' })).toMatchObject([
    409,
    { error: { code: 'CONCURRENT_LIMIT_EXCEEDED' } },
  ]);
  const [, everywhere] = await json(bench, '/pending-approvals');
  const [{ id: approval_id } = { id: '' }] = everywhere.pending_approvals as { id: string }[];
  const decision = { approval_id, decision: { kind: 'approve' } };
  expect(await json(bench, `/sessions/${id}/decisions`, 'POST', decision)).toEqual([
    200,
    { approval_id, call_id: 'call_0_0', decided: true },
  ]);
  await logUntil(bench, id, ({ type }) => type === 'turn.ended');
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('x\n');
  expect(await json(bench, `/sessions/${id}/decisions`, 'POST', decision)).toMatchObject([
    409,
    { error: { code: 'ALREADY_DECIDED' } },
  ]);
  expect((await json(bench, '/pending-approvals'))[1]).toEqual({ pending_approvals: [] });
  expect((await json(bench, '/sessions'))[1]).toMatchObject({
    total: 1,
    sessions: [
      { id, title: 'Write it', turns: 1, pending_approvals: 0, status: 'idle', agent_type: 'build' },
    ],
  });
});

test('a turn that waits can be cancelled', async () => {
  await using bench = await gatewayBench({ script: scriptedModel(writes) });
  const id = await createSession(bench);
  await json(bench, `/sessions/${id}/messages`, 'POST', { content: 'Write it.' });
  await logUntil(bench, id, ({ type }) => type === 'approval.requested');
  expect((await json(bench, `/sessions/${id}/cancel`, 'POST', {}))[0]).toBe(202);
  await logUntil(bench, id, ({ type, end }) => type === 'turn.ended' && end === 'cancelled');
  expect(existsSync(join(bench.root, 'a.txt'))).toBe(false);
});

test('a call of a person is done at once and named after them; what a rule denies stays denied', async () => {
  await using bench = await gatewayBench({ files: { 'old.txt': 'old\n' } });
  const id = await createSession(bench);
  const call = { tool: 'delete_file', args: { path: 'old.txt' }, approve: true, call_id: 'mine' };
  const [status, { outcome }] = await json(bench, `/sessions/${id}/calls`, 'POST', call);
  expect([status, outcome]).toMatchObject([200, { status: 'completed', callId: 'mine' }]);
  expect(existsSync(join(bench.root, 'old.txt'))).toBe(false);
  const [, { events }] = await json(bench, `/sessions/${id}/log`);
  const decided = (events as { body: Json }[]).find(({ body }) => body.type === 'approval.decided');
  expect(decided?.body).toMatchObject({ decision: { kind: 'approve' }, by: { via: 'http' } });
  const denied = { tool: 'write_file', args: { path: '.git/config', content: 'x' }, approve: true };
  expect((await json(bench, `/sessions/${id}/calls`, 'POST', denied))[1]).toMatchObject({
    outcome: { status: 'failed', error: { code: 'PERMISSION_DENIED' } },
  });
  expect(existsSync(join(bench.root, '.git'))).toBe(false);
  const unknown = { tool: 'no_such_tool', args: {}, approve: true };
  expect((await json(bench, `/sessions/${id}/calls`, 'POST', unknown))[1]).toMatchObject({
    outcome: { error: { code: 'TOOL_NOT_FOUND' } },
  });
});

test('a call without consent waits for a decision like any other, and ends when it is cancelled', async () => {
  await using bench = await gatewayBench();
  const id = await createSession(bench);
  const call = { tool: 'write_file', args: { path: 'a.txt', content: 'x' } };
  const calling = json(bench, `/sessions/${id}/calls`, 'POST', call);
  await logUntil(bench, id, ({ type }) => type === 'approval.requested');
  await json(bench, `/sessions/${id}/cancel`, 'POST', {});
  expect((await calling)[1]).toMatchObject({ outcome: { status: 'cancelled' } });
});

test('a file is pinned with its size, secrets are not, and the list of things to do is told', async () => {
  await using bench = await gatewayBench({ files: { 'notes.md': 'Remember.\n', '.env': 'KEY=1\n' } });
  const id = await createSession(bench);
  const pin = (body: unknown) => json(bench, `/sessions/${id}/context`, 'POST', body);
  expect(await pin({ action: 'add_file', path: 'notes.md' })).toEqual([
    200,
    {
      files: [{ path: 'notes.md', bytes: 10, tokens: 4 }],
      branch: null,
      used_tokens: 0,
      window_tokens: expect.any(Number),
    },
  ]);
  for (const path of ['.env', '../x', '/etc/passwd', 'none.md'])
    expect((await pin({ action: 'add_file', path }))[0]).toBeGreaterThanOrEqual(400);
  expect((await pin({ action: 'add_file' }))[0]).toBe(400);
  expect((await json(bench, `/sessions/${id}/context`))[1].files).toHaveLength(1);
  expect((await pin({ action: 'clear' }))[1].files).toEqual([]);
  const todos = [{ id: '1', content: 'Test', status: 'pending', priority: 'high' }];
  const written = await json(bench, `/sessions/${id}/calls`, 'POST', { tool: 'todowrite', args: { todos } });
  expect(written[1].outcome).toMatchObject({ status: 'completed' });
  expect((await json(bench, `/sessions/${id}/todos`))[1]).toEqual({ todos });
});

test('a message may name its model; one that isn’t there is refused before anything is said', async () => {
  await using http = await httpBench();
  const { body } = await http.post('/api/v1/sessions');
  const at = `/api/v1/sessions/${String(body.id)}`;
  const sendMessage = (model: string) => http.post(`${at}/messages`, { content: 'Hi', model });
  expect((await sendMessage('nonsense')).body).toMatchObject({ error: { code: 'INVALID_ARGUMENTS' } });
  expect((await sendMessage('anthropic/claude-x')).body).toMatchObject({ error: { code: 'LLM_ERROR' } });
  expect((await http.get(`${at}/log`)).body).toMatchObject({ last_seq: 1 });
  expect((await sendMessage('demo')).status).toBe(202);
  const stream = await http.open(`${at}/events`);
  await stream.until((line) => line === 'event: turn.ended');
  stream.close();
});
