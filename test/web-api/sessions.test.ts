// Sessions on a screen: the log in pages, finding one by its title, forks, and to whom all of it belongs.
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { httpBench } from '../support/http-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { byName, createSession, type Json, json, logUntil } from '../support/web-api.ts';

const writes = [
  { text: 'I write.', calls: [['write_file', { path: 'a.txt', content: 'x\n' }]] as [string, Json][] },
  { text: 'Done.' },
];

const ann = { authorization: 'Bearer ann' };
const bob = { authorization: 'Bearer bob' };

test('the log comes in pages that join without a gap', async () => {
  await using bench = await gatewayBench();
  const id = await createSession(bench);
  for (let i = 0; i < 5; i++) await json(bench, `/sessions/${id}`, 'PATCH', { title: `Title ${i}` });
  const [, all] = await json(bench, `/sessions/${id}/log`);
  expect(all).toMatchObject({ last_seq: 6 });
  const joined: unknown[] = [];
  for (let since = 0; ; ) {
    const [, page] = await json(bench, `/sessions/${id}/log?since=${since}&limit=2`);
    const events = page.events as { seq: number }[];
    joined.push(...events);
    expect(page.last_seq).toBe(6);
    since = events.at(-1)?.seq ?? since;
    if (since === 6) break;
  }
  expect(joined).toEqual(all.events);
  expect((await json(bench, `/sessions/${id}/log?since=6`))[1]).toEqual({ events: [], last_seq: 6 });
  for (const query of ['since=-1', 'limit=1e9', 'since=x'])
    expect((await json(bench, `/sessions/${id}/log?${query}`))[0]).toBe(400);
});

test('a session is found by words of its title, and its role can be changed', async () => {
  await using bench = await gatewayBench();
  const titles = ['Fix the parser', 'Write docs', 'Parser, once more'];
  for (const title of titles) await json(bench, '/sessions', 'POST', { title });
  const found = async (query: string) =>
    ((await json(bench, `/sessions?query=${encodeURIComponent(query)}`))[1].sessions as Json[])
      .map(({ title }) => title)
      .sort();
  expect(await found('parser')).toEqual(['Fix the parser', 'Parser, once more']);
  expect(await found('once PARSER')).toEqual(['Parser, once more']);
  expect(await found('%')).toEqual([]);
  const id = await createSession(bench);
  expect((await json(bench, `/sessions/${id}`, 'PATCH', { agent_type: 'plan' }))[1]).toMatchObject({
    agent_type: 'plan',
  });
  expect((await json(bench, `/sessions/${id}`, 'PATCH', { agent_type: 'king' }))[0]).toBe(400);
  expect((await json(bench, '/sessions', 'POST', { agent_type: 'king' }))[0]).toBe(400);
  expect((await json(bench, '/sessions'))[1].total).toBe(4);
});

test('a session has a mode of its own, kept over a restart, passed on to a fork, and told in its log', async () => {
  await using bench = await gatewayBench();
  const verdict = async (id: string): Promise<unknown> => {
    const request = { tool: 'write_file', args: { path: 'a.txt', content: 'x' }, session_id: id };
    return (await json(bench, '/policy/check', 'POST', request))[1].verdict;
  };
  const [, { id, mode }] = await json(bench, '/sessions', 'POST', { mode: 'review' });
  expect(mode).toBe('review');
  const other = await createSession(bench);
  expect((await json(bench, `/sessions/${other}`))[1].mode).toBe('strict');
  expect([await verdict(String(id)), await verdict(other)]).toEqual(['allow', 'ask']);
  await bench.restart();
  expect((await json(bench, `/sessions/${String(id)}`))[1].mode).toBe('review');
  expect(await verdict(String(id))).toBe('allow');
  const [, fork] = await json(bench, `/sessions/${String(id)}/fork`, 'POST', {});
  expect(fork.mode).toBe('review');
  await json(bench, `/sessions/${String(id)}`, 'PATCH', { mode: 'strict' });
  // The same one again is no change.
  await json(bench, `/sessions/${String(id)}`, 'PATCH', { mode: 'strict' });
  expect(await verdict(String(id))).toBe('ask');
  const [, log] = await json(bench, `/sessions/${String(id)}/log`);
  const changes = (log.events as { body: Json }[]).filter(({ body }) => body.type === 'mode.changed');
  expect(changes.map(({ body }) => [body.mode, typeof (body.by as Json).who])).toEqual([
    ['review', 'string'],
    ['strict', 'string'],
  ]);
  expect((await json(bench, `/sessions/${String(id)}`, 'PATCH', { mode: 'reckless' }))[0]).toBe(400);
});

test('who is not the operator may tighten the mode of a session, not loosen it', async () => {
  await using http = await httpBench({ auth: byName, mode: 'balanced' });
  expect((await http.post('/api/v1/sessions', { mode: 'review' }, ann)).status).toBe(403);
  expect((await http.get('/api/v1/sessions', ann)).body).toMatchObject({ total: 0 });
  expect((await http.post('/api/v1/sessions', { mode: 'strict' }, ann)).status).toBe(201);
});

test('a fork begins with what was said, at the end of a turn', async () => {
  const script = scriptedModel([{ text: 'One.' }, { text: 'Two.' }, ...writes]);
  await using bench = await gatewayBench({ script });
  const id = await createSession(bench);
  const sendMessage = async (content: string) => {
    await json(bench, `/sessions/${id}/messages`, 'POST', { content });
    const [, { last_seq }] = await json(bench, `/sessions/${id}/log?since=0&limit=1`);
    return Number(last_seq);
  };
  await sendMessage('First');
  await logUntil(bench, id, ({ type, turn }) => type === 'turn.ended' && turn === 1);
  await sendMessage('Second');
  await logUntil(bench, id, ({ type, turn }) => type === 'turn.ended' && turn === 2);
  const [, { events }] = await json(bench, `/sessions/${id}/log`);
  const reply = (events as { seq: number; body: Json }[]).find(({ body }) => body.type === 'model.replied');
  const [status, fork] = await json(bench, `/sessions/${id}/fork`, 'POST', { seq: reply?.seq });
  expect([status, fork]).toMatchObject([201, { title: 'First', turns: 0 }]);
  const [, copy] = await json(bench, `/sessions/${String(fork.id)}/log`);
  const firstEnd = (events as { seq: number; body: Json }[]).find(({ body }) => body.type === 'turn.ended');
  expect((copy.events as { body: Json }[])[0]?.body).toMatchObject({
    type: 'session.opened',
    forkedFrom: { session: id, seq: firstEnd?.seq },
  });
  for (const seq of [0, 999])
    expect((await json(bench, `/sessions/${id}/fork`, 'POST', { seq }))[0]).toBe(400);
  await sendMessage('Third');
  await logUntil(bench, id, ({ type }) => type === 'approval.requested');
  expect(await json(bench, `/sessions/${id}/fork`, 'POST', {})).toMatchObject([
    409,
    { error: { code: 'STALE' } },
  ]);
});

test('nothing of a session is another user’s to read, to say or to do', async () => {
  await using http = await httpBench({ auth: byName, files: { 'a.txt': 'a\n' } });
  const { body } = await http.post('/api/v1/sessions', { title: 'Ann’s own' }, ann);
  const at = `/api/v1/sessions/${String(body.id)}`;
  const write = { tool: 'write_file', args: { path: 'b.txt', content: 'x' } };
  const pending = http.post(`${at}/calls`, write, ann);
  const { approval_id } = await pendingOf(http, at);
  for (const path of ['', '/log', '/history', '/context', '/todos', '/pending-approvals', '/events'])
    expect([path, (await http.get(at + path, bob)).status]).toEqual([path, 403]);
  for (const [path, body] of [
    ['/messages', { content: 'x' }],
    ['/cancel', {}],
    ['/decisions', { approval_id, decision: { kind: 'approve' } }],
    ['/calls', { ...write, approve: true }],
    ['/context', { action: 'clear' }],
    ['/fork', {}],
    [`/approvals/${approval_id}/link`, {}],
  ] as const)
    expect([path, (await http.post(at + path, body, bob)).status]).toEqual([path, 403]);
  expect((await http.get('/api/v1/pending-approvals', bob)).body).toEqual({ pending_approvals: [] });
  expect((await http.get('/api/v1/sessions?query=ann', bob)).body).toEqual({ sessions: [], total: 0 });
  const wide = { kind: 'approve', remember: { scope: 'user' } };
  expect((await http.post(`${at}/decisions`, { approval_id, decision: wide }, ann)).status).toBe(403);
  const reject = { approval_id, decision: { kind: 'reject', feedback: 'No.' } };
  expect((await http.post(`${at}/decisions`, reject, ann)).status).toBe(200);
  expect((await pending).body).toMatchObject({ outcome: { status: 'rejected' } });
});

async function pendingOf(
  http: Awaited<ReturnType<typeof httpBench>>,
  at: string,
): Promise<{ approval_id: string }> {
  const stream = await http.open(`${at}/events`, { headers: ann });
  await stream.until((line) => line === 'event: approval.requested');
  stream.close();
  const { body } = await http.get(`${at}/pending-approvals`, ann);
  return { approval_id: (body.pending_approvals as { id: string }[])[0]?.id ?? '' };
}
