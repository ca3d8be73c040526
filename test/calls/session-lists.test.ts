// Ways to find sessions again: titles from messages, pins, the archive, search by content, and stored screen state.
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { createSession, type Json, json, logUntil } from '../support/web-api.ts';

test('sessions have titles from what was said, can be pinned, archived and found by their content', async () => {
  await using bench = await gatewayBench({
    script: scriptedModel(() => ({ text: 'The answer is *Schrödinger*.' })),
  });
  const ids: string[] = [];
  for (const content of ['# Fix the login form.\nIt breaks on Safari.', 'Пример запроса про кота', 'third']) {
    const id = await createSession(bench);
    ids.push(id);
    await json(bench, `/sessions/${id}/messages`, 'POST', { content });
    await logUntil(bench, id, ({ type }) => type === 'turn.ended');
  }
  const [first, second, third] = ids;
  await json(bench, `/sessions/${first}`, 'PATCH', { pinned: true });
  await json(bench, `/sessions/${third}`, 'PATCH', { archived: true });
  await bench.restart();
  expect((await json(bench, '/sessions'))[1]).toMatchObject({
    total: 2,
    sessions: [
      { id: first, title: 'Fix the login form', pinned: true, state: 'idle' },
      { id: second, title: 'Пример запроса про кота', pinned: false },
    ],
  });
  expect((await json(bench, '/sessions?archived=only'))[1]).toMatchObject({ sessions: [{ id: third }] });
  const search = async (query: string): Promise<Json> =>
    (await json(bench, `/search/sessions?query=${encodeURIComponent(query)}`))[1];
  expect(await search('КОТА пример')).toMatchObject({
    complete: true,
    hits: [
      { session_id: second, role: 'title' },
      { session_id: second, role: 'user', excerpt: 'Пример запроса про кота' },
    ],
  });
  expect(((await search('schrödinger')).hits as Json[]).map(({ role }) => role)).toEqual([
    'assistant',
    'assistant',
    'assistant',
  ]);
  expect(await search('nothing like it')).toEqual({ hits: [], complete: true });
});

test('what a screen keeps of a session is there after a restart, key by key', async () => {
  await using bench = await gatewayBench();
  const id = await createSession(bench);
  const keep = (state: Json): Promise<[number, Json]> =>
    json(bench, `/sessions/${id}/screen`, 'PATCH', { state });
  expect((await keep({ draft: 'half a mess', folded: ['c1'] }))[0]).toBe(204);
  expect((await keep({ draft: 'half a message' }))[0]).toBe(204);
  expect((await json(bench, '/screen', 'PATCH', { state: { tabs: ['a.txt'] } }))[0]).toBe(204);
  await bench.restart();
  expect((await json(bench, `/sessions/${id}/screen`))[1]).toEqual({
    state: { draft: 'half a message', folded: ['c1'] },
  });
  expect((await json(bench, '/screen'))[1]).toEqual({ state: { tabs: ['a.txt'] } });
  await keep({ draft: null });
  expect((await json(bench, `/sessions/${id}/screen`))[1]).toEqual({ state: { folded: ['c1'] } });
  expect((await keep({ draft: 'x'.repeat(1024 * 1024) }))[0]).toBe(413);
});
