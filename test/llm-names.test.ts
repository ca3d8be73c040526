// Names of models, addresses and keys; and what a reply costs.
import { chooseModel, openModel } from '@codelab/agent';
import { expect, test } from 'vitest';
import { ollamaUrl } from '../packages/agent/src/llm/ollama-url.ts';
import { costOf } from '../packages/agent/src/llm/prices.ts';
import type { Site } from '../packages/agent/src/llm/site.ts';
import { ask, failure, secret } from './support/ask-model.ts';
import { json, modelServer } from './support/model-server.ts';
import { chatBytes } from './support/model-streams.ts';

test.each(['gpt-5', 'openai/', 'nobody/x', ''])('%j is no model', async (name) => {
  expect(await failure(openModel(name, { env: {} }))).toMatchObject({
    code: 'INVALID_ARGUMENTS',
    message: expect.stringMatching(/openai\/NAME.*anthropic\/NAME.*ollama\/NAME.*demo/),
  });
});

test('what is missing or wrong is said before anything is sent', async () => {
  expect((await failure(openModel('openai/gpt-5', { env: {} }))).message).toContain('set OPENAI_API_KEY');
  expect((await failure(openModel('anthropic/x', { env: {} }))).message).toContain('set ANTHROPIC_API_KEY');
  const odd = { OPENAI_API_KEY: `${secret}\u200b` };
  expect((await failure(openModel('openai/x', { env: odd }))).message).toContain('OPENAI_API_KEY holds');
  for (const bad of ['localhost:8000', 'http://a:%zz@b/', 'nonsense'])
    expect((await failure(openModel('openai/x', { env: { OPENAI_BASE_URL: bad } }))).message).toContain(
      'OPENAI_BASE_URL is not',
    );
});

test('which one when nobody says', () => {
  expect(chooseModel({})).toBe('demo');
  expect(chooseModel({ CODELAB_MODEL: 'ollama/x', OPENAI_API_KEY: 'k' })).toBe('ollama/x');
  expect(chooseModel({ OPENAI_API_KEY: 'k' })).toBe('openai/gpt-5');
  expect(chooseModel({ ANTHROPIC_API_KEY: 'k' })).toMatch(/^anthropic\//);
  expect(chooseModel({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1' })).toBe('demo');
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
  expect(server.asked).toMatchObject([{ path: '/v1/chat/completions', body: { model: 'qwen3:8b' } }]);
  expect(JSON.stringify(server.asked[0]?.headers)).not.toContain(secret);
});

test('a proxy is asked when one is set', async () => {
  await using proxy = await modelServer([{ pieces: [chatBytes] }]);
  const env = { HTTP_PROXY: proxy.url, OPENAI_BASE_URL: 'http://models.invalid/v1' };
  await ask(await openModel('openai/m', { env }));
  expect(proxy.asked).toMatchObject([{ path: 'http://models.invalid/v1/chat/completions' }]);
});

test('a key of a few letters is no secret that could be hidden', async () => {
  await using server = await modelServer([json({ error: { message: 'no such key: e' } }, 401)]);
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'e' };
  expect((await failure(ask(await openModel('openai/m', { env })))).message).toContain('no such key: e.');
});

test('what it costs is told only where it is known', () => {
  const counts = { fresh: 1_000_000, cacheRead: 1_000_000, cacheWrite: 1_000_000, output: 1_000_000 };
  const site = (id: string, isOfficial = true): Site => ({ id, isOfficial }) as Site;
  expect(costOf(site('claude-sonnet-4-5-20250929'), counts)).toBeCloseTo(3 + 0.3 + 3.75 + 15);
  expect(costOf(site('gpt-5', false), counts)).toBeUndefined();
  expect(costOf(site('constructor'), counts)).toBeUndefined();
});
