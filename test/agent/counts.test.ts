// Conclusions about a server's window from its count of tokens.
import { estimateTokens } from '@codelab/agent';
import { expect, test } from 'vitest';
import { model, play } from '../support/told-model.ts';
import { workbench } from '../support/workbench.ts';

const chinese = '这是一个很长的中文文本，用来测试窗口。'.repeat(2000);

test.each([
  ['that cuts requests without a word is found out by its counts', 4096, 4096],
  ['that counts something else is not', 10, 128_000],
])('a server %s', async (_, inputTokens, window) => {
  await using bench = await workbench({ files: {} });
  const testModel = model(() => ({ text: 'Yes.' }), 128_000);
  const { stream } = testModel;
  testModel.stream = async function* (request, signal) {
    for await (const event of stream(request, signal))
      yield event.type === 'reply'
        ? { ...event, reply: { ...event.reply, usage: { inputTokens, outputTokens: 1 } } }
        : event;
  };
  for (const text of [chinese.slice(0, 30_000), 'hi', 'and now?']) await play(bench, testModel, text);
  expect(testModel.contextTokens).toBe(window);
});

test.each([
  ['only what is new', (added: number) => added],
  ['all but a cached beginning', (_added: number, all: number) => all - 16_500],
])('a server that counts %s is not taken for one that cuts', async (_, count) => {
  await using bench = await workbench({ files: {} });
  const testModel = model(() => ({ text: 'Yes.' }), 128_000);
  const { stream } = testModel;
  let before = 0;
  testModel.stream = async function* (request, signal) {
    const all = estimateTokens(request.system + JSON.stringify(request.messages));
    const inputTokens = count(all - before, all);
    before = all;
    for await (const event of stream(request, signal))
      yield event.type === 'reply'
        ? { ...event, reply: { ...event.reply, usage: { inputTokens, outputTokens: 1 } } }
        : event;
  };
  const long = chinese.slice(0, 16_000);
  const short = chinese.slice(0, 2500);
  for (const text of [long, 'hi', 'and now?', short, short, 'hi']) await play(bench, testModel, text);
  expect(testModel.contextTokens).toBe(128_000);
});
