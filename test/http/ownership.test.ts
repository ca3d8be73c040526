import { expect, test } from 'vitest';
import type { Auth } from '../../apps/server/src/edge/auth/create-auth.ts';
import { httpBench } from '../support/http-bench.ts';
import type { scriptedModel } from '../support/scripted-model.ts';

const base = '/my/projects/p1';

/** The token is the user name. */
const byName: Auth = {
  checkOrigin: () => undefined,
  admit: ({ headers }, via) =>
    Promise.resolve({ subject: String(headers.authorization).replace('Bearer ', ''), via }),
};

const ann = { authorization: 'Bearer ann' };
const bob = { authorization: 'Bearer bob' };

test('another user sees and decides nothing of a chat', async () => {
  await using http = await httpBench({ auth: byName });
  const { body: chat } = await http.post(`${base}/chat/sessions/`, {}, ann);
  const sid = String(chat.session_id);
  const call = { tool_name: 'write_file', tool_params: { path: 'a', content: '' }, session_id: sid };
  const { body } = await http.post(`${base}/tools/execute`, call, ann);
  for (const path of [`chat/${sid}/events/`, `chat/sessions/${sid}/messages/`, `tools?session_id=${sid}`])
    expect([path, (await http.get(`${base}/${path}`, bob)).status]).toEqual([path, 403]);
  expect((await http.get(`${base}/tools/${body.tool_id}`, bob)).status).toBe(404);
  for (const id of [body.tool_id, body.approval_id]) {
    expect((await http.post(`/tools/${id}/approve`, {}, bob)).status).toBe(404);
    expect((await http.post(`/tools/${id}/approve`, { session_id: sid }, bob)).status).toBe(403);
  }
  expect((await http.post(`${base}/tools/execute`, call, bob)).status).toBe(403);
  expect((await http.post(`${base}/chat/${sid}/message/`, { content: 'x' }, bob)).status).toBe(403);
  expect((await http.post('/api/chat/stream', { message: 'x', agentId: sid }, bob)).status).toBe(403);
  expect((await http.get(`${base}/chat/sessions/`, bob)).body).toEqual([]);
  expect((await http.get('/metrics', bob)).status).toBe(403);
  expect((await http.get(`${base}/tools/${body.tool_id}`, ann)).body).toMatchObject({
    status: 'awaiting_approval',
  });
});

test('another user cannot say how a call ended, nor take it', async () => {
  await using http = await httpBench({ auth: byName });
  const { body: chat } = await http.post(`${base}/chat/sessions/`, { executor: 'client' }, ann);
  const sid = String(chat.session_id);
  const call = { tool_name: 'read_file', tool_params: { path: 'a' }, session_id: sid, tool_id: 'c1' };
  const reading = http.post(`${base}/tools/execute`, call, ann);
  const events = await http.open(`${base}/chat/${sid}/events/`, { headers: ann });
  await events.until((line) => line === 'event: tool.execution_signal');
  const result = { tool_id: 'c1', status: 'success', output: 'forged' };
  expect((await http.post('/tools/result', result, bob)).status).toBe(404);
  expect((await http.get(`${base}/chat/${sid}/events/?role=executor`, bob)).status).toBe(403);
  await http.post('/tools/result', { ...result, output: 'true' }, ann);
  expect((await reading).body).toMatchObject({ result: 'true' });
  events.close();
});

test('a defect is reported and says nothing of itself', async () => {
  const broken = {
    get name() {
      throw new Error('secret detail');
    },
  } as unknown as ReturnType<typeof scriptedModel>;
  await using http = await httpBench({ model: broken });
  const answers = [await http.get('/v1/models'), await http.post('/api/chat/stream', { message: 'x' })];
  for (const { status, body } of answers) {
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('secret detail');
  }
  expect(http.faults).toHaveLength(2);
});
