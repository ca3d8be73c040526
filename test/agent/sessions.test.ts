// Sessions whose turns are cut off, forked, or taken up by several: the model is told what happened, in order, and nothing else.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { finishTurn, type Model, type ModelMessage, runTurn } from '@codelab/agent';
import { setInstructionTrust } from '@codelab/server';
import { openTurn } from '@codelab/server/agent';
import { describe, expect, test } from 'vitest';
import { scriptedModel } from '../support/scripted-model.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const forever = (): AbortSignal => new AbortController().signal;

async function open(bench: Workbench, model: Model, session = 's1') {
  const { host, agents } = bench;
  return await openTurn({ host, agents, session, openModel: async () => model, emit: () => undefined });
}

function shortly(messages: readonly ModelMessage[]): string[] {
  return messages.map((message) => {
    if (message.role !== 'assistant') return message.role === 'user' ? message.text : 'result';
    return message.reply.calls.length > 0 ? 'call' : message.reply.text;
  });
}

async function fork(bench: Workbench, from: string, to: string): Promise<void> {
  const seq = (await bench.log.read(from)).at(-1)?.seq ?? 0;
  const forkedFrom = { session: from, seq };
  await bench.log.append(to, [{ type: 'session.opened', workspace: bench.root, forkedFrom }], {
    expected: 0,
  });
}

describe('forks', () => {
  test('of forks, summed up before and after, keep their order, also when read again', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'x'.repeat(3000) } });
    const model = scriptedModel(
      ({ messages }) => {
        const last = messages.at(-1);
        if (last?.role === 'user' && last.text.includes('notes an engineer needs')) return { text: 'Notes.' };
        return last?.role === 'tool' ? { text: 'done' } : { calls: [['read_file', { path: 'a.txt' }]] };
      },
      { contextTokens: 8000 },
    );
    for (const [session, origin] of [['s1'], ['f1', 's1'], ['f2', 'f1']] as const) {
      if (origin !== undefined) await fork(bench, origin, session);
      const { agent, talk } = await open(bench, model, session);
      for (let n = 1; n <= 12; n++) {
        await runTurn(agent, talk, { text: `${session} ${n}` }, forever());
        const texts = shortly(talk.messages);
        expect(texts.slice(-4)).toEqual([
          expect.stringContaining(`${session} ${n}`),
          'call',
          'result',
          'done',
        ]);
        expect(shortly((await open(bench, model, session)).talk.messages)).toEqual(texts);
      }
      const compacted = (await bench.log.read(session)).filter(
        ({ body }) => body.type === 'context.compacted' && body.summary !== undefined,
      );
      expect(compacted.length).toBeGreaterThan(0);
      expect(
        talk.messages.filter((message) => message.role === 'user' && message.text.includes('Notes.')),
      ).toHaveLength(1);
    }
  });
});

describe('one session, several at work', () => {
  test('a second turn is refused while one is under way, and free again after it', async () => {
    await using bench = await workbench();
    const model = scriptedModel([{ calls: [['write_file', { path: 'b.txt', content: 'x' }]] }]);
    const first = await open(bench, model);
    const second = await open(bench, scriptedModel([]));
    let refusal: unknown;
    bench.human(async () => {
      refusal = await runTurn(second.agent, second.talk, { text: 'me too' }, forever()).catch(
        (error: unknown) => error,
      );
      return { kind: 'approve' };
    });
    await runTurn(first.agent, first.talk, { text: 'write' }, forever());
    expect(refusal).toMatchObject({ code: 'STALE' });
    expect(await runTurn(second.agent, second.talk, { text: 'now' }, forever())).toMatchObject({ turn: 2 });
    // The second agent knows what the first one did meanwhile.
    expect(shortly(second.talk.messages)).toEqual(['write', 'call', 'result', 'done', 'now', 'done']);
  });

  test('calls of a sub-agent never take an id that its elder has yet to use', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'one\n' } });
    bench.human(approveAll);
    const usage = { inputTokens: 0, outputTokens: 0 };
    const model: Model = {
      name: 'scripted',
      contextTokens: 100_000,
      async *stream({ messages }) {
        const isSub = messages[0]?.role === 'user' && messages[0].text === 'look';
        const wantedCalls = isSub
          ? [{ id: 'x', tool: 'read_file', args: { path: 'a.txt' } }]
          : [
              { id: 't', tool: 'task', args: { agent: 'explore', objective: 'look' } },
              { id: 't.x', tool: 'write_file', args: { path: 'b.txt', content: 'b' } },
            ];
        const calls = messages.at(-1)?.role === 'tool' ? [] : wantedCalls;
        const text = calls.length > 0 ? '' : 'Looked.';
        yield { type: 'reply', reply: { model: 'scripted', text, calls, usage, stop: 'end' } };
      },
    };
    const turn = await open(bench, model);
    const { talk } = turn;
    await turn.start({ text: 'go', by: { who: 'tester', via: 'test' } }, forever());
    const results = talk.messages.flatMap((message) => (message.role === 'tool' ? [message.text] : []));
    expect(results).toEqual(['Looked.', expect.stringContaining('b.txt created')]);
    expect((await open(bench, model)).talk.messages).toEqual(talk.messages);
  });
});

describe('a turn that was cut off', () => {
  test('after its last word is told to the end without asking the model again', async () => {
    await using bench = await workbench();
    const model = scriptedModel([{ text: 'The answer.' }]);
    const { agent, talk } = await open(bench, model);
    const { record } = agent.log;
    // As if the process had died right after the reply.
    agent.log.record = async (bodies) => {
      if (bodies.some(({ type }) => type === 'turn.ended')) throw new Error('gone');
      return await record(bodies);
    };
    await expect(runTurn(agent, talk, { text: 'ask' }, forever())).rejects.toThrow('gone');
    const reopened = await open(bench, model);
    expect(await finishTurn(reopened.agent, reopened.talk, forever())).toEqual({
      turn: 1,
      end: 'completed',
      text: 'The answer.',
    });
    expect(model.requests).toHaveLength(1);
  });

  test('is given up when another follows: its calls get results before what is said next', async () => {
    await using bench = await workbench();
    const first = await open(bench, scriptedModel([{ calls: [['write_file', { path: 'b', content: '' }]] }]));
    const approvalRequested = Promise.withResolvers<void>();
    bench.human(() => approvalRequested.resolve() as undefined);
    void runTurn(first.agent, first.talk, { text: 'write' }, forever()).catch(() => undefined);
    await approvalRequested.promise;
    await bench.restart();
    const next = await open(bench, scriptedModel([{ text: 'fine' }]));
    await runTurn(next.agent, next.talk, { text: 'never mind' }, forever());
    expect(shortly(next.talk.messages)).toEqual(['write', 'call', 'result', 'never mind', 'fine']);
    expect(shortly((await open(bench, scriptedModel([]))).talk.messages)).toEqual(
      shortly(next.talk.messages),
    );
  });
});

describe('instructions of the project', () => {
  const systemOf = async (bench: Workbench): Promise<string> => {
    const model = scriptedModel([]);
    await setInstructionTrust(bench.home, bench.root, 'trusted');
    const { agent, talk } = await open(bench, model);
    await runTurn(agent, talk, { text: 'hello' }, forever());
    return model.requests[0]?.system ?? '';
  };

  test('that are a link to a secret are not shown; a link to another text is', async () => {
    await using bench = await workbench({ files: { '.env': 'KEY=hunter2', 'RULES.md': 'Be brief.' } });
    symlinkSync('.env', join(bench.root, 'AGENTS.md'));
    expect(await systemOf(bench)).not.toContain('hunter2');
    await using other = await workbench({ files: { 'RULES.md': 'Be brief.' } });
    symlinkSync('RULES.md', join(other.root, 'AGENTS.md'));
    expect(await systemOf(other)).toContain('Be brief.');
  });

  test('that are long are cut, not left out', async () => {
    await using bench = await workbench({
      files: { 'AGENTS.md': `First.\n${'words '.repeat(20_000)}\nLast.` },
    });
    const system = await systemOf(bench);
    expect(system).toMatch(/First\..*characters left out.*Last\./s);
    expect(system.length).toBeLessThan(45_000);
  });
});

test('a session that is deleted under an agent ends its turn', async () => {
  await using bench = await workbench();
  const model = scriptedModel([]);
  const { agent, talk } = await open(bench, model);
  await runTurn(agent, talk, { text: 'one' }, forever());
  await bench.log.delete('s1');
  const next = runTurn(agent, talk, { text: 'two' }, forever());
  await expect(next).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
});

test('hundreds of reads in one reply are all carried out', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'one\n' } });
  const reads = Array.from({ length: 300 }, (): [string, object] => ['read_file', { path: 'a.txt' }]);
  const model = scriptedModel([{ calls: reads as [string, Record<string, unknown>][] }]);
  const { agent, talk } = await open(bench, model);
  await runTurn(agent, talk, { text: 'read' }, forever());
  const results = talk.messages.filter((message) => message.role === 'tool');
  expect(results).toHaveLength(300);
  expect(results.filter(({ isError }) => isError)).toEqual([]);
});
