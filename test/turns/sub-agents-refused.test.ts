import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { playTurn } from '../support/agent-bench.ts';
import { scriptedCast } from '../support/scripted-cast.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { approveAll, workbench } from '../support/workbench.ts';

const explore = { agent: 'explore', objective: 'Find it.' };

describe('a sub-agent is not started', () => {
  test.each([
    ['build', 'king'],
    ['build', 'plan'],
    ['plan', 'general'],
    ['architect', 'general'],
  ])('by %s when it is %s', async (profile, agent) => {
    await using bench = await workbench();
    const model = scriptedCast({ main: [{ calls: [['task', { agent, objective: 'x' }]] }] });
    const { outcomes } = await playTurn(bench, model, { profile });
    expect(outcomes('task')).toMatchObject([
      { error: { code: 'INVALID_ARGUMENTS', message: expect.stringContaining('explore') } },
    ]);
  });

  test('where no agent is at work', async () => {
    await using bench = await workbench();
    expect(await bench.call('task', explore)).toMatchObject({ error: { code: 'AGENT_ERROR' } });
  });

  test('twice: after a crash its call has ended as unknown, and what it waited for is given up', async () => {
    await using bench = await workbench();
    const base = { session: 's1', dialect: 'codelab', args: {} } as const;
    const task = { ...base, id: 't1', tool: 'task', args: explore, profile: 'build' };
    const write = { path: 'a.txt', content: 'a' };
    const call = { ...base, id: 't1.c1', tool: 'write_file', args: write, agent: 't1', profile: 'general' };
    const owner = { host: hostname(), pid: 2 ** 22 + 7, startedAt: 'never' };
    const session = await bench.host.session('s1');
    await session.commit(() => [
      { type: 'call.received', call: task },
      {
        type: 'call.started',
        callId: 't1',
        owner,
        args: explore,
        intents: [],
        slot: 's',
      },
      { type: 'call.received', call },
    ]);
    await bench.restart();
    const second = await bench.call('task', explore, { id: 't1', profile: 'build' });
    expect(second).toMatchObject({
      error: { code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('it is not started again') },
    });
    expect((await bench.host.session('s1')).openCalls.size).toBe(0);
    const lateCall = await bench.call('write_file', write, { id: 't1.c2', agent: 't1', profile: 'general' });
    expect(lateCall).toMatchObject({ error: { code: 'CANCELLED' } });
  });
});

test.each(['plan', 'ask', 'architect'])('%s can’t reach by a model what it hides', async (profile) => {
  await using bench = await workbench({ files: { 'a.ts': 'a\n' }, mode: 'trusted' });
  bench.human(approveAll);
  const model = scriptedModel([
    {
      calls: [
        ['write_file', { path: 'a.ts', content: 'x' }],
        ['run_command', { command: 'rm a.ts' }],
      ],
    },
  ]);
  const { toolTexts } = await playTurn(bench, model, { profile });
  expect(toolTexts[0]).toMatch(profile === 'architect' ? /^PERMISSION_DENIED/ : /^TOOL_NOT_FOUND/);
  expect(toolTexts[1]).toMatch(/^TOOL_NOT_FOUND/);
  const offeredNames = model.requests[0]?.tools.map(({ name }) => name) ?? [];
  expect(offeredNames).not.toContain('run_command');
  expect(readFileSync(join(bench.root, 'a.ts'), 'utf8')).toBe('a\n');
});
