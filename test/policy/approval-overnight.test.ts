// Questions to a person who is at the session: they wait until they are answered, over a night and a restart, and stay bound to their bytes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { createSession, type Json, json, logUntil } from '../support/web-api.ts';

const writes = (path: string) => ({ calls: [['write_file', { path, content: 'new\n' }] as [string, Json]] });
const writing = () => scriptedModel([writes('a.txt'), { text: 'Written.' }]);
const hours = 60 * 60_000;

afterEach(() => {
  vi.useRealTimers();
});

/** The clock shows that time from now on; timers go on as they do. */
function moveClock(ms: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + ms });
}

async function pendingApprovals(bench: GatewayBench): Promise<Json[]> {
  const [, { pending_approvals }] = await json(bench, '/pending-approvals');
  return pending_approvals as Json[];
}

async function approvalOf(bench: GatewayBench, id: string): Promise<Json> {
  const entries = await logUntil(bench, id, (body) => body.type === 'approval.requested');
  return entries.at(-1)?.approval as Json;
}

async function decide(bench: GatewayBench, id: string, { id: approval_id, binding }: Json): Promise<number> {
  const body = { approval_id, binding, decision: { kind: 'approve' } };
  return (await json(bench, `/sessions/${id}/decisions`, 'POST', body))[0];
}

const isOver = ({ type }: Json): boolean => type === 'turn.ended';
const written = (bench: GatewayBench, file = 'a.txt'): string => readFileSync(join(bench.root, file), 'utf8');

test('approvals left over night, with a restart, are still there: what was shown runs, what was changed is asked again', async () => {
  const script = scriptedModel([writes('a.txt'), writes('b.txt')]);
  await using bench = await gatewayBench({ script, files: { 'a.txt': 'old\n', 'b.txt': 'old\n' } });
  const [a, b] = [await createSession(bench), await createSession(bench)];
  const messageBody = { content: 'Write it.', attended: true };
  await json(bench, `/sessions/${a}/messages`, 'POST', messageBody);
  const same = await approvalOf(bench, a);
  await json(bench, `/sessions/${b}/messages`, 'POST', messageBody);
  const changed = await approvalOf(bench, b);
  expect(same).not.toHaveProperty('deadline');
  await bench.stop();
  writeFileSync(join(bench.root, 'b.txt'), 'mine\n');
  moveClock(20 * hours);
  await bench.start();
  expect(await pendingApprovals(bench)).toEqual(expect.arrayContaining([same, changed]));
  expect(await decide(bench, a, same)).toBe(200);
  expect(await decide(bench, b, changed)).toBe(200);
  const isAgain = ({ type, approval }: Json): boolean =>
    type === 'approval.requested' && (approval as Json).id !== changed.id;
  const askedAgain = (await logUntil(bench, b, isAgain)).at(-1)?.approval as Json;
  expect(askedAgain.again).toContain('changed in the meantime');
  expect((await logUntil(bench, a, isOver)).at(-1)).toMatchObject({ end: 'completed' });
  expect([written(bench), written(bench, 'b.txt')]).toEqual(['new\n', 'mine\n']);
  expect(await decide(bench, b, askedAgain)).toBe(200);
  await logUntil(bench, b, isOver);
  expect(written(bench, 'b.txt')).toBe('new\n');
});

test('with a configured time the agent stops and waits, and the same question is put again', async () => {
  await using bench = await gatewayBench({
    script: writing(),
    files: { 'a.txt': 'old\n' },
    limits: { attendedApprovalMs: 150 },
  });
  const id = await createSession(bench);
  await json(bench, `/sessions/${id}/messages`, 'POST', { content: 'Write it.', attended: true });
  const first = await approvalOf(bench, id);
  const entries = await logUntil(bench, id, ({ type }) => type === 'approval.expired');
  expect(entries.map(({ type }) => type)).not.toContain('call.finished');
  // The model has heard of no refusal, and has said nothing since.
  expect(entries.filter(({ type }) => type === 'model.replied')).toHaveLength(1);
  expect(await pendingApprovals(bench)).toEqual([]);
  await vi.waitUntil(async () => {
    const [status] = await json(bench, `/sessions/${id}/resume`, 'POST');
    return status === 202 && (await pendingApprovals(bench)).length > 0;
  });
  const [second = {}] = await pendingApprovals(bench);
  expect(second.binding).toBe(first.binding);
  expect(second.id).not.toBe(first.id);
  await decide(bench, id, second);
  const ended = await logUntil(bench, id, isOver);
  expect(ended.at(-1)).toMatchObject({ end: 'completed' });
  expect(written(bench)).toBe('new\n');
});

test('what nobody is at expires as before', async () => {
  await using bench = await gatewayBench({ script: writing(), files: { 'a.txt': 'old\n' }, approvalMs: 150 });
  const id = await createSession(bench);
  await json(bench, `/sessions/${id}/messages`, 'POST', { content: 'Write it.' });
  expect(await approvalOf(bench, id)).toHaveProperty('deadline');
  const entries = await logUntil(bench, id, isOver);
  expect(entries.filter(({ type }) => type === 'model.replied')).toHaveLength(2);
  expect(entries).toContainEqual(
    expect.objectContaining({ outcome: expect.objectContaining({ status: 'expired' }) }),
  );
});

test('a person’s own command runs unasked, under their name, and the model is told', async () => {
  const rule = { id: 'no-date', effect: 'deny', reason: 'Not here.', command: 'date*' };
  await using bench = await gatewayBench({
    mode: 'strict',
    files: { '.codelab/config.json': JSON.stringify({ policy: { rules: [rule] } }) },
  });
  const id = await createSession(bench);
  const ownCall = { tool: 'run_command', approve: true, tell: true, call_id: 'own1' };
  const [status, { outcome }] = await json(bench, `/sessions/${id}/calls`, 'POST', {
    ...ownCall,
    args: { command: 'echo mine > b.txt' },
  });
  expect([status, (outcome as Json).status]).toEqual([200, 'completed']);
  // Sent again, it is answered from the log and told once.
  await json(bench, `/sessions/${id}/calls`, 'POST', { ...ownCall, args: { command: 'echo mine > b.txt' } });
  const denied = { tool: 'run_command', approve: true, tell: true, args: { command: 'date -u' } };
  const [, refused] = await json(bench, `/sessions/${id}/calls`, 'POST', denied);
  expect(refused.outcome).toMatchObject({ status: 'failed', error: { code: 'PERMISSION_DENIED' } });
  await json(bench, `/sessions/${id}/messages`, 'POST', { content: 'What did I do?' });
  const isQuestionTurn = ({ type, text }: Json): boolean =>
    type === 'turn.started' && text === 'What did I do?';
  const entries = await logUntil(bench, id, isQuestionTurn);
  const notes = entries.flatMap(({ type, text }) => (type === 'turn.started' ? [String(text)] : []));
  expect(notes).toEqual([
    expect.stringMatching(/^I ran a command myself: echo mine > b\.txt\n/),
    expect.stringContaining('PERMISSION_DENIED'),
    'What did I do?',
  ]);
  expect(entries).toContainEqual(
    expect.objectContaining({ type: 'approval.decided', by: expect.objectContaining({ via: 'http' }) }),
  );
});
