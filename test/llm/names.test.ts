// Names of models, addresses and keys; and what a reply costs.
import { chooseModel, openModel } from '@codelab/agent';
import { expect, test } from 'vitest';
import {
  findProvider,
  type ModelSources,
  modelFacts,
  ollamaUrl,
  providerConnection,
} from '../../packages/agent/src/llm/connection.ts';
import { providers } from '../../packages/agent/src/llm/providers.ts';
import { costOf } from '../../packages/agent/src/llm/wires/usage.ts';
import { ask, failure, secret } from '../support/ask-model.ts';
import { json, modelServer } from '../support/model-server.ts';
import { chatBytes } from '../support/model-streams.ts';

test.each(['x-5', 'openai/', 'nobody/x', ''])('%j is no model', async (name) => {
  expect(await failure(openModel(name, { env: {} }))).toMatchObject({
    code: 'INVALID_ARGUMENTS',
    message: expect.stringMatching(/anthropic\/NAME.*openai\/NAME.*ollama\/NAME.*demo/),
  });
});

test('what is missing or wrong is said before anything is sent', async () => {
  expect((await failure(openModel('openai/gpt-5', { env: {} }))).message).toContain('set OPENAI_API_KEY');
  expect((await failure(openModel('anthropic/x', { env: {} }))).message).toContain('set ANTHROPIC_API_KEY');
  const oddKey = { OPENAI_API_KEY: `${secret}\u200b` };
  expect((await failure(openModel('openai/x', { env: oddKey }))).message).toContain('OPENAI_API_KEY holds');
  for (const bad of ['localhost:8000', 'http://a:%zz@b/', 'nonsense'])
    expect((await failure(openModel('openai/x', { env: { OPENAI_BASE_URL: bad } }))).message).toContain(
      'OPENAI_BASE_URL is not',
    );
});

test.each([
  ['gpt-5', 'openai/gpt-5'],
  ['claude-opus-4-5', 'anthropic/claude-opus-4-5'],
  ['opnai/gpt-5', 'openai/gpt-5'],
  ['open-router/x', 'openrouter/x'],
  ['dmeo', 'demo'],
])('who says %s is asked whether %s was meant', async (typed, expected) => {
  const { message } = await failure(openModel(typed, { env: {} }));
  expect(message).toContain(`Did you mean \`${expected}\`?`);
});

test('which one when nobody says', () => {
  const choose = (env: NodeJS.ProcessEnv): string | undefined => chooseModel({ env });
  expect(choose({})).toBeUndefined();
  expect(choose({ CODELAB_MODEL: 'ollama/x', OPENAI_API_KEY: 'k' })).toBe('ollama/x');
  expect(choose({ OPENAI_API_KEY: 'k' })).toBe('openai/gpt-5');
  expect(choose({ ANTHROPIC_API_KEY: 'k' })).toMatch(/^anthropic\//);
  expect(choose({ GOOGLE_API_KEY: 'k' })).toMatch(/^gemini\//);
  expect(choose({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1' })).toBeUndefined();
});

/** The endpoint of a model, its credentials, and its limits. */
function requestFor(name: string, sources: ModelSources): { url: string; headers: object; window: number } {
  const [provider = '', ...id] = name.split('/');
  const row = findProvider(provider, sources);
  if (row === undefined) throw new Error(`no provider ${provider}`);
  const connection = providerConnection(row, sources);
  const { 'user-agent': _, ...headers } = connection.headers;
  const { window } = modelFacts(connection, id.join('/'), sources);
  return { url: connection.base.href, headers, window };
}

test.each([
  ['openai/gpt-5-mini', { OPENAI_API_KEY: 'k' }, 'https://api.openai.com/v1', 272_000],
  [
    'gemini/gemini-3',
    { GEMINI_API_KEY: 'k' },
    'https://generativelanguage.googleapis.com/v1beta/openai',
    1_000_000,
  ],
  ['openrouter/openai/gpt-5', { OPENROUTER_API_KEY: 'k' }, 'https://openrouter.ai/api/v1', 272_000],
  ['deepseek/deepseek-chat', { DEEPSEEK_API_KEY: 'k' }, 'https://api.deepseek.com/v1', 128_000],
  ['mistral/devstral', { MISTRAL_API_KEY: 'k' }, 'https://api.mistral.ai/v1', 128_000],
  ['groq/x', { GROQ_API_KEY: 'k' }, 'https://api.groq.com/openai/v1', 131_072],
  ['xai/grok-4', { XAI_API_KEY: 'k' }, 'https://api.x.ai/v1', 256_000],
])('%s is asked with its own key at its own address', (name, env, url, window) => {
  expect(requestFor(name, { env })).toEqual({ url, headers: { authorization: 'Bearer k' }, window });
});

test('Azure takes the address of a resource and its own header; local servers need no key', () => {
  const azure = { AZURE_OPENAI_ENDPOINT: 'https://r.openai.azure.com/', AZURE_OPENAI_API_KEY: 'k' };
  expect(requestFor('azure/mine', { env: azure })).toEqual({
    url: 'https://r.openai.azure.com/openai/v1',
    headers: { 'api-key': 'k' },
    window: 128_000,
  });
  for (const [name, url] of [
    ['ollama/x', 'http://127.0.0.1:11434/v1'],
    ['lmstudio/x', 'http://127.0.0.1:1234/v1'],
    ['llamacpp/x', 'http://127.0.0.1:8080/v1'],
    ['vllm/x', 'http://127.0.0.1:8000/v1'],
  ] as const)
    expect(requestFor(name, { env: {} })).toEqual({ url, headers: {}, window: 32_768 });
});

test('a provider of one’s own has its address, key, window and price; what is set counts more than the environment', async () => {
  await using server = await modelServer([{ pieces: [chatBytes] }]);
  const ownProviders = {
    acme: {
      base_url: `${server.url}/api`,
      key: secret,
      context_window: 64_000,
      models: { big: { context_window: 500_000, price: { input: 1, output: 2 } } },
    },
    openai: { key: 'stored' },
  };
  const model = await openModel('acme/big', { env: {}, own: ownProviders });
  expect(model.contextTokens).toBe(500_000);
  const { reply } = await ask(model);
  expect(reply.usage.cost).toBeGreaterThan(0);
  expect(server.requests[0]).toMatchObject({
    path: '/api/chat/completions',
    headers: { authorization: `Bearer ${secret}` },
  });
  expect((await openModel('acme/small', { env: {}, own: ownProviders })).contextTokens).toBe(64_000);
  const env = { OPENAI_API_KEY: 'environment' };
  expect(requestFor('openai/x', { env, own: ownProviders }).headers).toEqual({
    authorization: 'Bearer stored',
  });
});

test('every provider is complete, and no two share a name or a variable', () => {
  const names = providers.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const variables = providers.flatMap(({ keys, urls }) => [...keys, ...urls]);
  expect(new Set(variables).size).toBe(variables.length);
  // No other server has a known page for its key.
  const withKeys = providers.filter(({ name, isLocal }) => !isLocal && name !== 'custom');
  expect(withKeys.filter(({ keys, keyPage }) => keys.length === 0 || keyPage === undefined)).toEqual([]);
  expect(providers.filter(({ url, urls }) => url === undefined && urls.length === 0)).toEqual([]);
});

test.each([
  [undefined, 'http://127.0.0.1:11434/'],
  ['0.0.0.0', 'http://127.0.0.1:11434/'],
  [':9', 'http://127.0.0.1:9/'],
  ['box:9', 'http://box:9/'],
  ['http://box', 'http://box/'],
  ['https://box:9/ollama', 'https://box:9/ollama'],
  ['[::1]:9', 'http://[::1]:9/'],
])('OLLAMA_HOST=%s is %s', (host, url) => {
  expect(ollamaUrl(host)).toBe(url);
});

test('Ollama is asked without a key', async () => {
  await using server = await modelServer([{ pieces: [chatBytes] }]);
  await ask(await openModel('ollama/qwen3:8b', { env: { OLLAMA_HOST: server.url, OPENAI_API_KEY: secret } }));
  expect(server.requests).toMatchObject([{ path: '/v1/chat/completions', body: { model: 'qwen3:8b' } }]);
  expect(JSON.stringify(server.requests[0]?.headers)).not.toContain(secret);
});

test('a proxy is asked when one is set', async () => {
  await using proxy = await modelServer([{ pieces: [chatBytes] }]);
  const env = { HTTP_PROXY: proxy.url, OPENAI_BASE_URL: 'http://models.invalid/v1' };
  await ask(await openModel('openai/m', { env }));
  expect(proxy.requests).toMatchObject([{ path: 'http://models.invalid/v1/chat/completions' }]);
});

test('a key of a few letters is no secret that could be hidden', async () => {
  await using server = await modelServer([json({ error: { message: 'no such key: e' } }, 401)]);
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'e' };
  expect((await failure(ask(await openModel('openai/m', { env })))).message).toContain('no such key: e.');
});

test('what it costs is told only where it is known', () => {
  const counts = { fresh: 1_000_000, cacheRead: 1_000_000, cacheWrite: 1_000_000, output: 1_000_000 };
  const cost = (name: string, env: NodeJS.ProcessEnv = {}): number | undefined => {
    const [provider = '', id = ''] = name.split('/');
    const row = findProvider(provider, {});
    return row && costOf(modelFacts(providerConnection(row, { env }), id, { env }), counts);
  };
  expect(cost('anthropic/claude-sonnet-4-5-20250929')).toBeCloseTo(3 + 0.3 + 3.75 + 15);
  expect(cost('openai/gpt-5')).toBeCloseTo(1.25 + 0.125 + 1.25 + 10);
  expect(cost('openai/gpt-5', { OPENAI_BASE_URL: 'http://127.0.0.1/v1' })).toBeUndefined();
  expect(cost('openai/gpt-5-other')).toBeUndefined();
  expect(cost('openai/constructor')).toBeUndefined();
});
