// The window of a model as servers say it, each in its own place; what the user said counts more.
import { openModel } from '@codelab/agent';
import { expect, test } from 'vitest';
import { json, modelServer } from '../support/model-server.ts';

type Answers = Record<string, unknown>;

const servers: [string, string, Answers, number][] = [
  [
    'Ollama, by its settings',
    'ollama/m',
    { '/api/show': { parameters: 'stop "x"\nnum_ctx                        16384' } },
    16_384,
  ],
  [
    'Ollama, as it is loaded',
    'ollama/m',
    { '/api/ps': { models: [{ name: 'm:latest', context_length: 4096 }] } },
    4096,
  ],
  [
    'Ollama, not loaded yet',
    'ollama/m',
    { '/api/show': { model_info: { 'llama.context_length': 131_072 } } },
    32_768,
  ],
  [
    'LM Studio',
    'openai/m',
    { '/api/v0/models': { data: [{ id: 'm', max_context_length: 131_072, loaded_context_length: 8192 }] } },
    8192,
  ],
  [
    'llama.cpp',
    'openai/m',
    { '/props': { default_generation_settings: { n_ctx: 10_240 } }, '/v1/models': { data: [{ id: 'm' }] } },
    10_240,
  ],
  [
    'vLLM',
    'openai/m',
    {
      '/v1/models': {
        data: [
          { id: 'other', max_model_len: 1 },
          { id: 'm', max_model_len: 40_960 },
        ],
      },
    },
    40_960,
  ],
  ['OpenRouter', 'openai/a/m', { '/v1/models': { data: [{ id: 'a/m', context_length: 262_144 }] } }, 262_144],
  ['a server that says nothing', 'openai/m', {}, 128_000],
  [
    'a server that says nonsense',
    'openai/m',
    {
      '/v1/models': [],
      '/props': 'x',
      '/api/v0/models': { data: [null, { id: 'm', loaded_context_length: -1 }] },
    },
    128_000,
  ],
];

test.each(servers)('%s', async (_, name, answers, window) => {
  await using server = await modelServer(({ path }) =>
    json(answers[path] ?? {}, path in answers ? 200 : 404),
  );
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OLLAMA_HOST: server.url };
  const model = await openModel(name, { env });
  await model.learnWindow?.(20_000);
  expect(model.contextTokens).toBe(window);
  const set = await openModel(name, { env: { ...env, CODELAB_CONTEXT_TOKENS: '5000' } });
  expect([set.contextTokens, set.learnWindow]).toEqual([5000, undefined]);
});

test('a small request is not held up by the question, and a server is asked a few times at most', async () => {
  await using server = await modelServer(() => json({}, 404));
  const model = await openModel('openai/m', { env: { OPENAI_BASE_URL: `${server.url}/v1` } });
  await model.learnWindow?.(7000);
  expect(server.requests).toHaveLength(0);
  for (let n = 0; n < 10; n++) await model.learnWindow?.(20_000);
  expect(server.requests).toHaveLength(9);
});
