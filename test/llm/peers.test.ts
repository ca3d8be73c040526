// Tests the wires against a mock server that others wrote.
import { openModel } from '@codelab/agent';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, question } from '../support/ask-model.ts';

const mock = new LLMock({ port: 0, chunkSize: 3 });

beforeAll(async () => {
  mock.onMessage('Hello', { content: 'Grüße to you', reasoning: 'Polite.' });
  mock.onMessage('Look', {
    toolCalls: [
      { name: 'read_file', arguments: '{"path":"a"}' },
      { name: 'list_files', arguments: '{}' },
    ],
  });
  await mock.start();
});
afterAll(() => mock.stop());

const names = ['openai/gpt-4o', 'responses/gpt-5', 'anthropic/claude-sonnet-4-5', 'ollama/llama3'];

test.each(names)('%s', async (name) => {
  const env = {
    OPENAI_BASE_URL: `${mock.url}/v1`,
    ANTHROPIC_BASE_URL: mock.url,
    ANTHROPIC_API_KEY: 'none',
    OLLAMA_HOST: mock.url,
  };
  const ownProviders = { responses: { base_url: `${mock.url}/v1`, wire: 'responses' as const } };
  const model = await openModel(name, { env, own: ownProviders });
  const { reply } = await ask(model);
  expect(reply).toMatchObject({ text: 'Grüße to you', calls: [], stop: 'end' });
  const lookReply = await ask(model, { ...question, messages: [{ role: 'user', text: 'Look' }] });
  expect(lookReply.reply.calls.map(({ tool, args }) => [tool, args])).toEqual([
    ['read_file', { path: 'a' }],
    ['list_files', {}],
  ]);
});
