import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody, Outcome, ToolCall } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { playTurn } from '../support/agent-bench.ts';
import { folderWith } from '../support/folder-with.ts';
import { type Calls, type Said, scriptedCast } from '../support/scripted-cast.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { approveAll, workbench } from '../support/workbench.ts';

const explore = { agent: 'explore', objective: 'Find it.' };
const general = { agent: 'general', objective: 'Do it all.' };

function callsIn(bodies: readonly EventBody[]): ToolCall[] {
  return bodies.flatMap((body) => (body.type === 'call.received' ? [body.call] : []));
}

function codeOf(outcome: Outcome | undefined): string | undefined {
  return outcome?.status === 'completed' ? 'completed' : outcome?.error.code;
}

describe('a sub-agent', () => {
  test('works in a conversation of its own, in the same session and turn, and hands back its last words', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'needle\n' } });
    const model = scriptedCast({
      main: [{ calls: [['task', explore]] }, { text: 'It is in a.txt.' }],
      explore: [{ text: 'Looking.', calls: [['read_file', { path: 'a.txt' }]] }, { text: 'Found: a.txt:1' }],
    });
    const { result, conversation, toolTexts, bodies, signals, outcomes } = await playTurn(bench, model);
    expect(result).toMatchObject({ end: 'completed', text: 'It is in a.txt.' });
    expect(toolTexts).toEqual(['Found: a.txt:1']);
    expect(conversation.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(outcomes('task')).toMatchObject([
      { data: { ok: true, agent: 'explore', summary: 'Found: a.txt:1' } },
    ]);
    const [task, read] = callsIn(bodies);
    expect(read).toMatchObject({ tool: 'read_file', agent: task?.id, turn: task?.turn, profile: 'explore' });
    const subAgentEvents = bodies.filter((body) => 'agent' in body && body.agent === task?.id);
    expect(subAgentEvents.map(({ type }) => type)).toEqual([
      'turn.started',
      'model.replied',
      'model.replied',
      'turn.ended',
    ]);
    const progress = signals.filter((message) => message.type === 'progress' && message.callId === task?.id);
    expect(progress).toContainEqual({
      type: 'progress',
      callId: task?.id,
      progress: { agent: 'explore', status: 'executing_tool', calls: 1, last_call: 'read_file' },
    });
    expect(signals.filter((message) => message.type === 'text').map(({ delta }) => delta)).toEqual([
      'It is in a.txt.',
    ]);
  });

  test('is offered what its role and the one above it show, and reaches nothing else by naming it', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'a\n' }, mode: 'trusted' });
    bench.human(approveAll);
    const model = scriptedCast({
      main: [{ calls: [['task', explore]] }],
      explore: [
        {
          calls: [
            ['write_file', { path: 'b.txt', content: 'b' }],
            ['run_command', { command: 'touch c.txt' }],
            ['task', general],
            ['todowrite', { todos: [] }],
            ['delete_file', { path: 'a.txt' }],
          ],
        },
        { text: 'Nothing worked.' },
      ],
    });
    const { bodies } = await playTurn(bench, model);
    const finished = bodies.flatMap((body) => (body.type === 'call.finished' ? [body.outcome] : []));
    expect(finished.map(codeOf)).toEqual([...Array.from({ length: 5 }, () => 'TOOL_NOT_FOUND'), 'completed']);
    const offeredNames = model.requests[1]?.tools.map(({ name }) => name) ?? [];
    expect(offeredNames).toContain('read_file');
    for (const hidden of ['write_file', 'run_command', 'task', 'todowrite'])
      expect(offeredNames).not.toContain(hidden);
    expect(existsSync(join(bench.root, 'b.txt'))).toBe(false);
  });

  test('never has more than who started it', async () => {
    await using bench = await workbench({ files: { 'b.ts': 'b\n' }, mode: 'trusted' });
    folderWith(bench.home, {
      'agents/writer.md': '---\nwrites: ["docs/**"]\nmay_start: [general]\n---\nWrite.\n',
    });
    bench.human(approveAll);
    const model = scriptedCast({
      main: [{ calls: [['task', general]] }],
      general: [
        {
          calls: [
            ['write_file', { path: 'b.ts', content: 'x' }],
            ['run_command', { command: 'touch c' }],
            ['write_file', { path: 'docs/d.md', content: 'd' }],
          ],
        },
      ],
    });
    const { outcomes } = await playTurn(bench, model, { profile: 'writer' });
    expect(outcomes('write_file').map(codeOf)).toEqual(['PERMISSION_DENIED', 'completed']);
    expect(outcomes('run_command').map(codeOf)).toEqual(['TOOL_NOT_FOUND']);
    expect(readFileSync(join(bench.root, 'b.ts'), 'utf8')).toBe('b\n');
    expect(model.requests[1]?.tools.map(({ name }) => name)).not.toContain('run_command');
  });

  test('is held by the rules about the agent above it', async () => {
    await using bench = await workbench({ mode: 'trusted' });
    const session = await bench.host.session('s1');
    const rule = { id: 'no', effect: 'deny', reason: 'No.', profile: 'build', path: 'x.txt' } as const;
    await session.commit(() => [{ type: 'rule.remembered', rule, by: { who: 't', via: 'test' } }]);
    const model = scriptedCast({
      main: [{ calls: [['task', general]] }],
      general: [{ calls: [['write_file', { path: 'x.txt', content: 'x' }]] }],
    });
    const { outcomes } = await playTurn(bench, model);
    expect(outcomes('write_file').map(codeOf)).toEqual(['PERMISSION_DENIED']);
  });

  test('asks in the session of the agent above it, and is undone with its turn', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'old\n' } });
    bench.human(approveAll);
    const model = scriptedCast({
      main: [{ calls: [['write_file', { path: 'b.txt', content: 'b\n' }]] }, { calls: [['task', general]] }],
      general: [{ calls: [['write_file', { path: 'a.txt', content: 'new\n' }]] }, { text: 'Written.' }],
    });
    const { signals, bodies } = await playTurn(bench, model);
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('new\n');
    const askedIds = signals.flatMap((agentSignal) =>
      agentSignal.type === 'approval' ? [agentSignal.approval.callId] : [],
    );
    const writes = callsIn(bodies).filter(({ tool }) => tool === 'write_file');
    expect(askedIds).toEqual(writes.map(({ id }) => id));
    expect(signals).toContainEqual({ type: 'status', status: 'waiting_approval' });
    expect(codeOf(await bench.call('undo', { turn: 1 }))).toBe('completed');
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('old\n');
    expect(existsSync(join(bench.root, 'b.txt'))).toBe(false);
  });

  test('several work side by side, even where only one call runs at a time', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'a\n' }, limits: { parallel: 1 } });
    const many = [1, 2, 3, 4].map((n): Calls[number] => ['task', { ...explore, objective: `Find ${n}.` }]);
    const model = scriptedCast({
      main: [{ calls: many }],
      explore: [{ calls: [['read_file', { path: 'a.txt' }]] }, { text: 'Read.' }],
    });
    const { outcomes, toolTexts } = await playTurn(bench, model);
    expect(toolTexts).toEqual(['Read.', 'Read.', 'Read.', 'Read.']);
    expect(outcomes('read_file').map(codeOf)).toEqual(Array.from({ length: 4 }, () => 'completed'));
  });

  test('that is cancelled with its turn leaves nothing open', async () => {
    await using bench = await workbench();
    const stop = new AbortController();
    const model = scriptedCast({
      main: [{ calls: [['task', general]] }],
      general: [{ calls: [['write_file', { path: 'a.txt', content: 'a' }]] }],
    });
    const { result, outcomes } = await playTurn(bench, model, {
      signal: stop.signal,
      onSignal: (agentSignal) => (agentSignal.type === 'approval' ? stop.abort() : undefined),
    });
    expect(result.end).toBe('cancelled');
    expect(outcomes('write_file').map(codeOf)).toEqual(['CANCELLED']);
    expect(outcomes('task').map(codeOf)).toEqual(['CANCELLED']);
    expect((await bench.host.session('s1')).openCalls.size).toBe(0);
  });

  test('stops at its own step limit and says so; one that fails is a failed call', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'a\n' } });
    folderWith(bench.home, {
      'agents/short.md': '---\nmode: subagent\nkinds: [read]\nsteps: 2\n---\nYou look something up.\n',
    });
    const short = { agent: 'short', objective: 'Go.' };
    const reads: Said = { text: 'So far.', calls: [['read_file', { path: 'a.txt' }]] };
    const limited = scriptedCast({ main: [{ calls: [['task', short]] }], explore: [reads, reads, reads] });
    const { outcomes } = await playTurn(bench, limited);
    expect(outcomes('task')).toMatchObject([
      {
        data: {
          ok: false,
          summary: expect.stringMatching(/^The limit of 2 steps was reached\.[\s\S]*So far\./),
        },
      },
    ]);
    let askCount = 0;
    const broken = scriptedModel(({ system }) => {
      if (!system.includes('You look something up')) return { calls: [['task', short]] };
      if (askCount++ === 0)
        return { text: 'The cause is in a.txt.', calls: [['read_file', { path: 'a.txt' }]] };
      throw new Error('the line is dead');
    });
    const failing = { ...broken, contextTokens: 100_000 };
    const { outcomes: after } = await playTurn(bench, failing, {
      onSignal: (agentSignal) =>
        agentSignal.type === 'outcome' &&
        agentSignal.call.tool === 'task' &&
        Object.assign(failing, scriptedModel([])),
    });
    expect(after('task').at(-1)).toMatchObject({
      error: {
        code: 'AGENT_ERROR',
        // Its findings before the failure: its text, and the results of its calls.
        message: expect.stringMatching(
          /the line is dead[\s\S]*read_file \{"path":"a\.txt"\} → 1\ta [\s\S]*The cause is in a\.txt\./,
        ),
      },
    });
  });
});
