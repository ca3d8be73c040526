// Which models can be named: what servers of every kind list, what is left out, and who gets to see a key.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { findModels, listModels, providers } from '@codelab/agent';
import { expect, test } from 'vitest';
import { failure, secret } from '../support/ask-model.ts';
import { json, modelServer } from '../support/model-server.ts';

const [openai, anthropic, vllm, custom] = ['openai', 'anthropic', 'vllm', 'custom'].map((name) =>
  providers.find((provider) => provider.name === name),
);

test('names, and windows as each server calls them; what can’t answer or can’t be a name is left out', async () => {
  await using server = await modelServer(
    [
      json({
        data: [
          { id: 'models/gemini-x' },
          { id: 'router/a', context_length: 1000 },
          { id: 'served', max_model_len: 2000 },
          { id: 'groq', context_window: 3000 },
          { id: 'studio', max_context_length: 4000 },
          { id: 'gguf', meta: { n_ctx: 5000 } },
          { id: 'text-embedding-3' },
          { id: 'whisper-1' },
          { id: 'a b' },
          { id: 7 },
          null,
        ],
      }),
    ],
    { answersGet: true },
  );
  const env = { OPENAI_BASE_URL: `${server.url}/v1` };
  expect(openai && (await listModels(openai, { env }))).toEqual([
    { name: 'openai/gemini-x', id: 'gemini-x' },
    { name: 'openai/router/a', id: 'router/a', window: 1000 },
    { name: 'openai/served', id: 'served', window: 2000 },
    { name: 'openai/groq', id: 'groq', window: 3000 },
    { name: 'openai/studio', id: 'studio', window: 4000 },
    { name: 'openai/gguf', id: 'gguf', window: 5000 },
  ]);
});

test('any other server is asked at its address, with a key or without one', async () => {
  await using server = await modelServer(() => json({ data: [{ id: 'large' }] }), { answersGet: true });
  for (const key of [undefined, secret]) {
    const ownProviders = { custom: { base_url: server.url, ...(key && { key }) } };
    expect(custom && (await listModels(custom, { env: {}, own: ownProviders }))).toEqual([
      { name: 'custom/large', id: 'large' },
    ]);
    expect(server.requests.at(-1)).toMatchObject({ path: '/v1/models' });
    expect(server.requests.at(-1)?.headers.authorization).toBe(key && `Bearer ${key}`);
  }
});

test('Anthropic is asked in its own manner', async () => {
  await using server = await modelServer(() => json({ data: [{ id: 'claude-x' }] }));
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: secret };
  expect(anthropic && (await listModels(anthropic, { env }))).toEqual([
    { name: 'anthropic/claude-x', id: 'claude-x' },
  ]);
  expect(server.requests[0]).toMatchObject({
    path: '/v1/models?limit=1000',
    headers: { 'x-api-key': secret },
  });
});

test('a key is not carried to where a server sends on, nor shown when one repeats it', async () => {
  await using otherServer = await modelServer(() => json({ data: [{ id: 'x' }] }));
  await using server = await modelServer(
    [
      { status: 302, headers: { location: `${otherServer.url}/v1/models` }, pieces: [] },
      json({ error: { message: `wrong key ${secret}` } }, 401),
    ],
    { answersGet: true },
  );
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: secret };
  if (openai === undefined) throw new Error('no such provider');
  expect((await failure(listModels(openai, { env }))).message).toContain('sends elsewhere');
  expect(otherServer.requests).toEqual([]);
  const refused = await failure(listModels(openai, { env }));
  expect(refused).toMatchObject({ code: 'LLM_ERROR', details: { status: 401, reason: 'key' } });
});

test('a server that lists none, answers with a page, or not at all', async () => {
  await using server = await modelServer(
    [
      json({ error: 'no such route' }, 404),
      { headers: { 'content-type': 'text/html' }, pieces: ['<html>a dev server</html>'] },
      { pieces: ['{'], after: 'hang' },
    ],
    { answersGet: true },
  );
  const env = { OPENAI_BASE_URL: `${server.url}/v1` };
  if (openai === undefined) throw new Error('no such provider');
  expect(await listModels(openai, { env })).toEqual([]);
  expect(await listModels(openai, { env })).toEqual([]);
  expect(await failure(listModels(openai, { env }, 100))).toMatchObject({
    details: { reason: 'connection' },
  });
});

test('who listens at a usual port of this machine is asked without a key', async ({ skip }) => {
  const authorizations: unknown[] = [];
  const server = createServer((request, response) => {
    authorizations.push(request.headers.authorization);
    response.end(JSON.stringify({ data: [{ id: 'local' }] }));
  });
  const port = Number(new URL(vllm?.url ?? '').port);
  server.listen(port, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) skip(`port ${port} is taken`);
  try {
    const offers = await findModels({ env: { VLLM_API_KEY: secret } });
    expect(offers.find(({ provider }) => provider.name === 'vllm')?.models).toEqual([
      { name: 'vllm/local', id: 'local' },
    ]);
    expect(authorizations).toEqual([undefined]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
