import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EventBody } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { type WebBench, webBench } from '../support/web-bench.ts';

type Json = Record<string, unknown>;

describe('the record', () => {
  test('is proven, and the first broken entry named', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    await web.call(session, 'write_file', { path: 'a.txt', content: 'a\n' });
    const entries = (await web.http.bench.log.read(session)).length;
    expect((await web.ask('GET', `/sessions/${session}/audit/verify`)).body).toEqual({ ok: true, entries });
    const other = await web.newSession('bob');
    const db = new DatabaseSync(join(web.http.bench.home, 'sessions.db'));
    db.prepare(`UPDATE events SET json = replace(json, 'a.txt', 'b.txt') WHERE session = ? AND seq = 3`).run(
      session,
    );
    db.close();
    expect((await web.ask('GET', `/sessions/${session}/audit/verify`)).body).toEqual({
      ok: false,
      entries,
      broken: { seq: 3, why: expect.stringContaining('was changed') },
    });
    expect((await web.ask('GET', `/sessions/${other}/audit/verify`, undefined, 'bob')).body).toMatchObject({
      ok: true,
    });
  });

  test('is not proven over and over', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    const statuses: number[] = [];
    for (let i = 0; i < 8; i++)
      statuses.push((await web.ask('GET', `/sessions/${session}/audit/verify`)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  });

  test('is exported line by line, as it is', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    for (let i = 0; i < 120; i++) await web.call(session, 'read_file', { path: 'none' });
    const { body } = await web.ask('GET', `/sessions/${session}/audit/export`);
    const lines = String(body.text).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(await web.http.bench.log.read(session));
    expect(lines.length).toBeGreaterThan(200);
  });
});

type Said = { cost?: number; model?: string };

/** A session of so many turns, each with a reply and an approval that was waited for. */
async function addTurns(web: WebBench, session: string, turns: number, options: Said = {}): Promise<void> {
  const { log } = web.http.bench;
  const { cost, model = 'demo' } = options;
  const events = await log.read(session);
  const before = events.filter(({ body }) => body.type === 'turn.ended').length;
  const bodies = Array.from({ length: turns }, (_, at) => before + at).flatMap((i): EventBody[] => [
    { type: 'turn.started', turn: i + 1, text: `Do ${i}`, model: 'demo', profile: 'build' },
    {
      type: 'model.replied',
      turn: i + 1,
      reply: {
        model,
        text: 'Done.',
        calls: [],
        usage: { inputTokens: 100, outputTokens: 10, ...(cost !== undefined && { cost }) },
        stop: 'end',
      },
    },
    { type: 'turn.ended', turn: i + 1, end: 'completed' },
  ]);
  const expected = events.at(-1)?.seq ?? 0;
  await log.append(session, bodies, { expected });
}

describe('usage', () => {
  test('is told for each session and by day, and counted on', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    await addTurns(web, session, 2, { cost: 0.25 });
    await web.call(session, 'write_file', { path: 'a.txt', content: 'a\n' });
    const read = async (who?: string): Promise<Json> => (await web.ask('GET', '/usage', undefined, who)).body;
    const used = {
      turns: 2,
      tokens_in: 200,
      tokens_out: 20,
      tokens_cached: 0,
      cost_usd: 0.5,
      unpriced_turns: 0,
      calls: 1,
      failed_calls: 0,
      approvals: 1,
      waited_ms: expect.any(Number),
    };
    const day = new Date().toISOString().slice(0, 10);
    expect(await read()).toEqual({
      sessions: [{ id: session, title: 'Do 0', updated_at: expect.any(String), ...used }],
      total: used,
      by_day: [{ day, ...used }],
      by_turn: [2, 1].map((turn) => ({
        ...{ session, turn, text: `Do ${turn - 1}`, started_at: expect.any(String) },
        ...{ tokens_in: 100, tokens_out: 10, cost_usd: 0.25, is_partial: false },
      })),
      waits: expect.arrayContaining([
        { up_to_ms: 2000, count: 1 },
        { up_to_ms: null, count: 0 },
      ]),
      unpriced_models: [],
      left_out: 0,
    });
    await addTurns(web, session, 1);
    expect(await read()).toMatchObject({
      total: { turns: 3, tokens_in: 300, cost_usd: 0.5, unpriced_turns: 1 },
    });
    expect(await read('bob')).toMatchObject({ sessions: [], by_day: [] });
    const free = await web.newSession('bob');
    await addTurns(web, free, 1);
    expect(await read('bob')).toMatchObject({ sessions: [{ id: free, cost_usd: null }] });
    expect(await read('operator')).toMatchObject({ total: { turns: 4 } });
  });

  test('turns without a price are told apart, and counted once somebody sets the price', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    await addTurns(web, session, 2, { cost: 0.25 });
    await addTurns(web, session, 3, { model: 'custom/large' });
    await addTurns(web, session, 1, { model: 'custom/small' });
    const read = async (): Promise<Json> => (await web.ask('GET', '/usage', undefined, 'operator')).body;
    expect(await read()).toMatchObject({
      total: { turns: 6, cost_usd: 0.5, unpriced_turns: 4 },
      by_day: [{ unpriced_turns: 4 }],
      sessions: [{ cost_usd: 0.5, unpriced_turns: 4 }],
      unpriced_models: [
        { model: 'custom/large', turns: 3 },
        { model: 'custom/small', turns: 1 },
      ],
    });
    const prices = { 'custom/large': { input: 1000, output: 10_000 } };
    expect((await web.ask('PUT', '/settings', { prices }, 'operator')).status).toBe(200);
    // Three replies of 100 tokens in and 10 out.
    const cost = 0.5 + 3 * (0.1 + 0.1);
    expect(await read()).toMatchObject({
      total: { turns: 6, cost_usd: expect.closeTo(cost), unpriced_turns: 1 },
      by_day: [{ cost_usd: expect.closeTo(cost), unpriced_turns: 1 }],
      unpriced_models: [{ model: 'custom/small', turns: 1 }],
    });
    const other = await web.newSession();
    await addTurns(web, other, 1, { cost: 1 });
    const ofOne = (await web.ask('GET', `/usage?session=${session}`, undefined, 'operator')).body;
    const costs = (ofOne.by_turn as Json[]).map(({ turn, cost_usd, is_partial }) => [
      turn,
      cost_usd,
      is_partial,
    ]);
    const priced = [5, 4, 3].map((turn) => [turn, expect.closeTo(0.2), false]);
    expect(costs).toEqual([[6, null, true], ...priced, [2, 0.25, false], [1, 0.25, false]]);
    const hidden = (await web.ask('GET', `/usage?session=${session}`, undefined, 'stranger')).body;
    expect(hidden).toMatchObject({ sessions: [], by_turn: [] });
    expect((await web.ask('PUT', '/settings', { prices }, 'bob')).status).toBe(403);
  });

  test('counts the calls of the agent: not what a person undoes, and not a failing exit as a call that did not complete', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    await web.call(session, 'write_file', { path: 'a.txt', content: 'a\n' });
    await web.call(session, 'run_command', { command: 'exit 3' });
    await web.call(session, 'read_file', { path: 'none.txt' });
    expect((await web.ask('POST', `/sessions/${session}/undo`, {})).body).toMatchObject({ done: true });
    const { body } = await web.ask('GET', '/usage');
    expect(body.total).toMatchObject({ calls: 3, failed_calls: 1 });
  });

  test('asked by many at once, nothing is counted twice', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    await addTurns(web, session, 300);
    const answers = await Promise.all(Array.from({ length: 6 }, () => web.ask('GET', '/usage')));
    expect(answers.map(({ body }) => (body.total as Json).turns)).toEqual([300, 300, 300, 300, 300, 300]);
  });

  test('a session that was deleted is not counted on', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    await addTurns(web, session, 5);
    await web.ask('GET', '/usage');
    await web.ask('DELETE', `/sessions/${session}`);
    expect((await web.ask('GET', '/usage')).body).toMatchObject({ sessions: [], total: { turns: 0 } });
  });

  test.each(['0', '-1', 'x', '1e9'])('refuses the limit %s', async (limit) => {
    await using web = await webBench();
    expect((await web.ask('GET', `/usage?limit=${limit}`)).status).toBe(400);
  });
});
