import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Conversation, finishTurn, runTurn, type TurnResult } from '@codelab/agent';
import type { AgentSignal } from '@codelab/protocol';
import { openTurn } from '@codelab/server/agent';
import { describe, expect, test } from 'vitest';
import { type ScriptedModel, scriptedModel } from '../support/scripted-model.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const never = new AbortController().signal;

async function play(
  bench: Workbench,
  model: ScriptedModel,
  text: string,
  signal = never,
): Promise<{ result: TurnResult; talk: Conversation; signals: AgentSignal[] }> {
  const signals: AgentSignal[] = [];
  const { agent, talk } = await openTurn({
    host: bench.host,
    agents: bench.agents,
    session: 's1',
    openModel: async () => model,
    emit: (agentSignal) => signals.push(agentSignal),
  });
  return { result: await runTurn(agent, talk, { text }, signal), talk, signals };
}

describe('a turn', () => {
  test('goes on until the model wants no more, with every call and result in order', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'one\n', 'b.txt': 'two\n' }, mode: 'trusted' });
    const model = scriptedModel([
      {
        text: 'Looking.',
        calls: [
          ['read_file', { path: 'a.txt' }],
          ['read_file', { path: 'b.txt' }],
        ],
      },
      { calls: [['write_file', { path: 'c.txt', content: 'three\n' }]] },
      { text: 'All done.' },
    ]);
    const { result, talk, signals } = await play(bench, model, 'Do it.');
    expect(result).toEqual({ turn: 1, end: 'completed', text: 'All done.' });
    expect(readFileSync(join(bench.root, 'c.txt'), 'utf8')).toBe('three\n');
    expect(talk.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(talk.messages[2]).toMatchObject({
      tool: 'read_file',
      isError: false,
      text: expect.stringContaining('one'),
    });
    const statuses = signals.flatMap((agentSignal) =>
      agentSignal.type === 'status' ? [agentSignal.status] : [],
    );
    expect(statuses.at(0)).toBe('thinking');
    expect(statuses.at(-1)).toBe('idle');
    expect(statuses).toContain('executing_tool');
  });

  test('what cannot be carried out is told to the model, never a crash; repeating it is noticed', async () => {
    await using bench = await workbench({ mode: 'trusted' });
    const wrong: [string, Record<string, unknown>] = ['read_file', { path: 'missing.txt' }];
    const model = scriptedModel([
      { calls: [['no_such_tool', {}]] },
      { calls: [wrong] },
      { calls: [wrong] },
      { text: 'I give up.' },
    ]);
    const { result, talk } = await play(bench, model, 'Try.');
    expect(result.end).toBe('completed');
    const results = talk.messages.flatMap((message) => (message.role === 'tool' ? [message.text] : []));
    expect(results[0]).toContain('TOOL_NOT_FOUND');
    expect(results[1]).toContain('FILE_NOT_FOUND');
    expect(results[1]).not.toContain('times');
    expect(results[2]).toContain('failed 2 times');
  });

  test('a rejection and its feedback, and what a human edited, reach the model field by field', async () => {
    await using bench = await workbench();
    bench.human(({ args }) =>
      args.path === 'no.txt'
        ? { kind: 'reject', feedback: 'Use docs/ instead.' }
        : { kind: 'edit', args: { ...args, content: 'better\n' } },
    );
    const model = scriptedModel([
      { calls: [['write_file', { path: 'no.txt', content: 'x\n' }]] },
      { calls: [['write_file', { path: 'yes.txt', content: 'good\n' }]] },
      { text: 'ok' },
    ]);
    const { talk, signals } = await play(bench, model, 'Write.');
    const results = talk.messages.flatMap((message) => (message.role === 'tool' ? [message.text] : []));
    expect(results[0]).toContain('Use docs/ instead.');
    expect(results[1]).toContain('content: you wanted "good\\n", what ran was "better\\n"');
    expect(existsSync(join(bench.root, 'no.txt'))).toBe(false);
    expect(readFileSync(join(bench.root, 'yes.txt'), 'utf8')).toBe('better\n');
    expect(signals.filter(({ type }) => type === 'approval')).toHaveLength(2);
  });

  test('cancelled in the middle: every call has a result, and the next turn goes on', async () => {
    await using bench = await workbench();
    const stop = new AbortController();
    bench.human(() => {
      stop.abort();
      return undefined;
    });
    const model = scriptedModel([
      {
        calls: [
          ['write_file', { path: 'a.txt', content: '' }],
          ['write_file', { path: 'b.txt', content: '' }],
        ],
      },
    ]);
    const { result, talk } = await play(bench, model, 'Write.', stop.signal);
    expect(result.end).toBe('cancelled');
    expect(talk.open).toEqual([]);
    expect(talk.messages.filter(({ role }) => role === 'tool')).toHaveLength(2);
    const secondTurn = await play(bench, scriptedModel([{ text: 'hello again' }]), 'Still there?');
    expect(secondTurn.result).toMatchObject({ turn: 2, end: 'completed' });
    expect(secondTurn.talk.messages.slice(0, talk.messages.length)).toEqual(talk.messages);
  });

  test('the same ids in every reply are told apart', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'A', 'b.txt': 'B' }, mode: 'trusted' });
    const model = scriptedModel((_request, step) => {
      const path = ['a.txt', 'b.txt'][step];
      return path === undefined ? { text: 'ok' } : { calls: [['read_file', { path }]] };
    });
    const stream = model.stream.bind(model);
    model.stream = async function* (request, signal) {
      for await (const event of stream(request, signal))
        yield event.type === 'reply'
          ? {
              ...event,
              reply: { ...event.reply, calls: event.reply.calls.map((call) => ({ ...call, id: 'call_1' })) },
            }
          : event;
    };
    const { talk } = await play(bench, model, 'Read.');
    const results = talk.messages.flatMap((message) => (message.role === 'tool' ? [message.text] : []));
    expect(results[0]).toContain('A');
    expect(results[1]).toContain('B');
  });
});

describe('after a restart', () => {
  test('the conversation is the same, an open turn is finished, and no call runs twice', async () => {
    await using bench = await workbench({ files: { 'log.txt': '' } });
    const first = scriptedModel([{ calls: [['write_file', { path: 'log.txt', content: 'once\n' }]] }]);
    const stop = new AbortController();
    // Asked, but the process ends before anybody answers.
    const approvalRequested = new Promise<void>((resolve) => {
      void openTurn({
        host: bench.host,
        agents: bench.agents,
        session: 's1',
        openModel: async () => first,
        emit: (message) => message.type === 'approval' && resolve(),
      })
        .then(({ agent, talk }) => runTurn(agent, talk, { text: 'Write once.' }, stop.signal))
        .catch(() => undefined);
    });
    await approvalRequested;
    await bench.restart();
    bench.human(approveAll);
    const second = scriptedModel([{ text: 'Written.' }]);
    const { agent, talk } = await openTurn({
      host: bench.host,
      agents: bench.agents,
      session: 's1',
      openModel: async () => second,
      emit: () => undefined,
    });
    expect(talk.isTurnOpen).toBe(true);
    expect(talk.open).toHaveLength(1);
    const result = await finishTurn(agent, talk, never);
    expect(result).toMatchObject({ turn: 1, end: 'completed', text: 'Written.' });
    expect(readFileSync(join(bench.root, 'log.txt'), 'utf8')).toBe('once\n');
    const started = (await bench.log.read('s1')).filter(({ body }) => body.type === 'call.started');
    expect(started).toHaveLength(1);
  });
});

describe('a long session', () => {
  test('120 turns stay within the window and never tear a call from its result', async () => {
    await using bench = await workbench({ files: { 'big.txt': 'x'.repeat(4000) }, mode: 'trusted' });
    const contextTokens = 12_000;
    const model = scriptedModel(
      ({ messages }) => {
        const last = messages.at(-1);
        if (last?.role === 'user' && last.text.includes('notes an engineer needs'))
          return { text: 'Goal: read big.txt often.' };
        return last?.role === 'user'
          ? {
              calls: [
                ['read_file', { path: 'big.txt' }],
                ['list_files', {}],
              ],
            }
          : { text: 'Read it.' };
      },
      { contextTokens },
    );
    const { agent, talk } = await openTurn({
      host: bench.host,
      agents: bench.agents,
      session: 's1',
      openModel: async () => model,
      emit: () => undefined,
    });
    for (let turn = 0; turn < 120; turn++) {
      const { end } = await runTurn(agent, talk, { text: `Read it again, ${turn}.` }, never);
      expect(end).toBe('completed');
    }
    for (const { messages } of model.requests) {
      expect(JSON.stringify(messages).length / 4).toBeLessThan(contextTokens);
      checkPairs(messages);
    }
    const rebuilt = await openTurn({
      host: bench.host,
      agents: bench.agents,
      session: 's1',
      openModel: async () => model,
      emit: () => undefined,
    });
    expect(rebuilt.talk.messages).toEqual(talk.messages);
    expect((await bench.log.read('s1')).filter(({ body }) => body.type === 'turn.ended')).toHaveLength(120);
  }, 60_000);
});

function checkPairs(messages: ScriptedModel['requests'][number]['messages']): void {
  const callIds = messages.flatMap((message) =>
    message.role === 'assistant' ? message.reply.calls.map(({ id }) => id) : [],
  );
  const resultIds = messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []));
  expect(resultIds).toEqual(callIds);
}
