// Ends of turns after a reply without a proper end: cut off, paused, empty, refused or interrupted. And that no request is too long.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { estimateTokens, type Model, type ModelRequest } from '@codelab/agent';
import { ToolError } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { model, play, type Told, usage } from '../support/told-model.ts';
import { approveAll, workbench } from '../support/workbench.ts';

function asksForNotes({ messages }: ModelRequest): boolean {
  const last = messages.at(-1);
  return last?.role === 'user' && last.text.includes('notes an engineer needs');
}

describe('a reply without an end', () => {
  test('that was cut off is gone on with, and the answer is all of it', async () => {
    await using bench = await workbench({ files: {} });
    const testModel = model((step) => (step === 0 ? { text: 'One, ', stop: 'length' } : { text: 'two.' }));
    const { result } = await play(bench, testModel, 'Count.');
    expect(result).toEqual({ turn: 1, end: 'completed', text: 'One, two.' });
    const { messages = [] } = testModel.requests[1] ?? {};
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[2]).toMatchObject({ text: expect.stringContaining('cut off') });
  });

  test.each([
    ['length', { text: 'on and on ', stop: 'length' }, 'cut_off', 4, 'Send “continue”'],
    ['paused', { text: 'wait ', stop: 'paused' }, 'cut_off', 9, 'Send “continue”'],
    ['empty', { stop: 'end' }, 'empty', 2, 'Rephrase'],
    ['uncalled', { text: 'I will read it.', stop: 'calls' }, 'cut_off', 3, 'Send “continue”'],
    ['refused', { text: 'I won’t.', stop: 'refused' }, 'refused', 1, 'Rephrase'],
    ['filtered', { stop: 'refused' }, 'refused', 1, 'Rephrase'],
  ] as const)(
    '%s: told as what it is, after a bounded number of requests',
    async (_, scripted, end, requests, next) => {
      await using bench = await workbench({ files: {} });
      const testModel = model(() => scripted);
      const { result } = await play(bench, testModel, 'Go.');
      expect(result).toMatchObject({ end, message: expect.stringContaining(next) });
      expect(testModel.requests).toHaveLength(requests);
    },
  );

  test('an empty answer is asked for once more, and nothing empty is sent back', async () => {
    await using bench = await workbench({ files: {} });
    const testModel = model((step) => (step === 0 ? {} : { text: 'Here.' }));
    expect((await play(bench, testModel, 'Go.')).result).toMatchObject({ end: 'completed', text: 'Here.' });
    expect(testModel.requests[1]?.messages).toEqual([
      { role: 'user', text: 'Go.' },
      { role: 'user', text: expect.stringContaining('empty') },
    ]);
  });

  test('what was said before it was stopped stays, and the model hears of it in the next turn', async () => {
    await using bench = await workbench({ files: {} });
    const stop = new AbortController();
    const stopped: Model = {
      name: 'stopped',
      contextTokens: 100_000,
      async *stream() {
        yield { type: 'text', delta: 'First I will' };
        stop.abort();
        throw new ToolError('CANCELLED', 'It was cancelled.');
      },
    };
    expect((await play(bench, stopped, 'Plan.', stop.signal)).result.end).toBe('cancelled');
    const testModel = model(() => ({ text: 'Good.' }));
    await play(bench, testModel, 'Otherwise.');
    expect(testModel.requests[0]?.messages).toMatchObject([
      { role: 'user', text: 'Plan.' },
      { role: 'assistant', reply: { text: 'First I will', stop: 'interrupted' } },
      { role: 'user', text: expect.stringContaining('interrupted') },
      { role: 'user', text: 'Otherwise.' },
    ]);
  });
});

describe('the same calls over and over', () => {
  const reading = (path: string) => ({ tool: 'read_file', args: { path } });

  test.each([
    ['a call that succeeds', () => [reading('a.txt')], 6],
    ['a call that fails', () => [reading('none.txt')], 6],
    ['two in turns', (step: number) => [reading(step % 2 === 0 ? 'a.txt' : 'b.txt')], 11],
    ['two at once', () => [reading('a.txt'), reading('b.txt')], 6],
    ['a call whose results differ', () => [reading('clock.txt')], 30],
  ] as const)('%s: the model is told, then the turn stops and asks', async (_, calls, steps) => {
    await using bench = await workbench({ files: { 'a.txt': 'a', 'b.txt': 'b' }, mode: 'trusted' });
    const testModel = model((step) => {
      writeFileSync(join(bench.root, 'clock.txt'), `${step}`);
      return { calls: calls(step).map((call, at) => ({ id: `c${step}.${at}`, ...call })) };
    });
    const { result } = await play(bench, testModel, 'Go.');
    expect(result).toMatchObject({
      end: 'loop_detected',
      message: expect.stringMatching(/The model called \w+ \d+ times.*Send “continue”/),
    });
    expect(testModel.requests).toHaveLength(steps);
    expect(JSON.stringify(testModel.requests.at(-1)?.messages)).toMatch(
      /This same call has now (failed|been made)/,
    );
    // A message of the user ends the repetition.
    const next = model(() => ({ text: 'Understood.' }));
    expect((await play(bench, next, 'Stop reading.')).result).toMatchObject({ end: 'completed' });
  });

  test('a test that is run after each of many edits is no repetition', async () => {
    await using bench = await workbench({ files: { 'a.txt': '0' }, mode: 'trusted' });
    bench.human(approveAll);
    const testModel = model((step) => {
      if (step === 40) return { text: 'Done.' };
      const edit = { tool: 'write_file', args: { path: 'a.txt', content: `${step}` } };
      return { calls: [{ id: `c${step}`, ...(step % 2 === 0 ? edit : reading('b.txt')) }] };
    });
    expect((await play(bench, testModel, 'Go.')).result).toMatchObject({ end: 'completed' });
  });
});

describe('the window', () => {
  /** Counts as strictly as our own estimate, and refuses what is too long as a provider does. */
  function limited(window: number, contextTokens: number, isTold: boolean): Told {
    const testModel = model((step) => ({ text: `done ${step}` }), contextTokens);
    const { stream } = testModel;
    testModel.stream = (request, signal) => {
      const size = estimateTokens(JSON.stringify(request));
      if (size <= window) return stream(request, signal);
      throw new ToolError('LLM_ERROR', 'too long', {
        reason: 'context_length',
        ...(isTold && { limit: window }),
      });
    };
    return testModel;
  }

  const pastes = {
    log: 'error: something 12:04:55 failed\n'.repeat(25_000),
    chinese: '这是一个很长的中文文本，用来测试窗口。'.repeat(20_000),
    base64: 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0NTY3ODk'.repeat(8000),
  };

  test.each(
    Object.entries(pastes).flatMap(([name, text]) =>
      [true, false].flatMap((isTold) =>
        [16_000, 128_000].map((window) => [name, isTold, window, text] as const),
      ),
    ),
  )('%s, told %s, of %i tokens: the turn and all later ones fit', async (_name, isTold, window, text) => {
    await using bench = await workbench({ files: {} });
    const testModel = limited(window, 128_000, isTold);
    for (const messageText of [text, 'hi', 'hi again'])
      expect((await play(bench, testModel, messageText)).result).toMatchObject({ end: 'completed' });
  });

  test('one reply that reads ten large files', async () => {
    const files = Object.fromEntries(
      [...'abcdefghij'].map((name) => [`${name}.txt`, `${name} line\n`.repeat(9000)]),
    );
    await using bench = await workbench({ files, mode: 'balanced' });
    const testModel = limited(32_000, 32_000, true);
    const { stream } = testModel;
    const calls = Object.keys(files).map((path) => ({
      id: path[0] ?? '',
      tool: 'read_file',
      args: { path },
    }));
    let step = 0;
    testModel.stream = async function* (request, signal) {
      if (step++ > 0) return yield* stream(request, signal);
      yield { type: 'reply', reply: { model: 'told', text: '', calls, usage, stop: 'calls' } };
    };
    expect((await play(bench, testModel, 'Read them.')).result).toMatchObject({ end: 'completed' });
    expect((await play(bench, testModel, 'And now?')).result).toMatchObject({ end: 'completed' });
  });

  test('what the user asked for is still there, word for word, after many summaries', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'x'.repeat(20_000) }, mode: 'balanced' });
    const requirements = Array.from(
      { length: 20 },
      (_, at) => `Requirement ${at}: never touch legacy/${at}.`,
    );
    const testModel = model((step, request) => {
      if (asksForNotes(request)) return { text: 'Notes.' };
      const id = `c${step}`;
      return step < 40
        ? { calls: [{ id, tool: 'read_file', args: { path: 'a.txt', max_lines: step + 1 } }] }
        : { text: 'Done.' };
    }, 24_000);
    const { result } = await play(bench, testModel, requirements.join('\n'));
    expect(result.end).toBe('completed');
    const summaries = testModel.requests.filter(asksForNotes).length;
    expect(summaries).toBeGreaterThan(0);
    expect(summaries).toBeLessThanOrEqual(2);
    // Asked over the prefix that the provider knows from the request before.
    const at = testModel.requests.findIndex(asksForNotes);
    const [before, notes] = [testModel.requests[at - 1], testModel.requests[at]];
    expect([notes?.system, notes?.tools]).toEqual([before?.system, before?.tools]);
    expect(notes?.messages[0]).toEqual(before?.messages[0]);
    const last = JSON.stringify(testModel.requests.at(-1)?.messages);
    expect(requirements.filter((requirement) => last.includes(requirement))).toEqual(requirements);
  });
});
