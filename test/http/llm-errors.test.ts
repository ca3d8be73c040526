import OpenAI, { APIError, RateLimitError } from 'openai';
import { expect, test } from 'vitest';
import { httpBench } from '../support/http-bench.ts';
import { json, modelServer } from '../support/model-server.ts';

const messages = [{ role: 'user' as const, content: 'hello' }];

const hello = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-x',
  choices: [{ index: 0, delta: { content: 'Hal' }, finish_reason: null }],
};

function client({ url, token }: { url: string; token: string }): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: token, maxRetries: 0 });
}

test.each([
  [400, { error: { message: 'bad `temperature`' } }, 400, 'INVALID_REQUEST'],
  [404, { error: { message: 'no such model' } }, 400, 'INVALID_MODEL'],
  [401, { error: { message: 'wrong key the-key-upstream' } }, 502, 'PROVIDER_ERROR'],
  [402, { error: { message: 'pay' } }, 402, 'INSUFFICIENT_QUOTA'],
  [429, { error: { message: 'quota', code: 'insufficient_quota' } }, 402, 'INSUFFICIENT_QUOTA'],
  [429, { error: { message: 'slow down' } }, 429, 'RATE_LIMIT_EXCEEDED'],
  [500, 'oops', 502, 'PROVIDER_ERROR'],
  [504, 'late', 504, 'TIMEOUT'],
])('the provider answers %i %j: the client reads %i %s', async (status, body, expectedStatus, code) => {
  await using server = await modelServer([json(body, status, { 'retry-after': '7' })]);
  await using http = await httpBench({
    env: { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'the-key-upstream' },
  });
  const failed = client(http).chat.completions.create({ model: 'gpt-x', messages });
  const error = (await failed.catch((reason: unknown) => reason)) as APIError;
  expect(error).toBeInstanceOf(APIError);
  expect([error.status, error.code]).toEqual([expectedStatus, code]);
  expect(error.message).not.toContain('the-key-upstream');
  if (error instanceof RateLimitError) expect(error.headers.get('retry-after')).toBe('7');
  // Asked once: trying again is the client's to decide.
  expect(server.requests).toHaveLength(1);
});

test('a provider that is not there, one that is a web page, and one that breaks off', async () => {
  await using unreachable = await httpBench({ env: { OPENAI_BASE_URL: 'http://127.0.0.1:9' } });
  const refused = await unreachable.post('/v1/chat/completions', { model: 'gpt-x', messages });
  expect([refused.status, refused.body.error]).toMatchObject([502, { code: 'PROVIDER_ERROR' }]);
  await using server = await modelServer([{ pieces: [`data: ${JSON.stringify(hello)}\n\n`], after: 'cut' }]);
  await using http = await httpBench({ env: { OPENAI_BASE_URL: server.url } });
  const stream = await client(http).chat.completions.create({ model: 'gpt-x', messages, stream: true });
  let text = '';
  const read = async (): Promise<void> => {
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
  };
  await expect(read()).rejects.toBeInstanceOf(APIError);
  expect(text).toBe('Hal');
});

test('a client that hangs up ends the request to the provider', async () => {
  await using server = await modelServer([{ pieces: [`data: ${JSON.stringify(hello)}\n\n`], after: 'hang' }]);
  await using http = await httpBench({ env: { OPENAI_BASE_URL: server.url } });
  const lines = await http.open('/v1/chat/completions', {
    method: 'POST',
    body: { model: 'gpt-x', messages, stream: true },
  });
  await lines.until((line) => line.includes('Hal'));
  const closed = server.closed();
  lines.close();
  await closed;
});

test.each([
  ['{"model":', 400, 'INVALID_REQUEST'],
  [{ messages }, 400, 'INVALID_REQUEST'],
  [{ model: 'demo', messages: 'hello' }, 400, 'INVALID_REQUEST'],
  [{ model: 'demo', messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] }, 400, 'INVALID_REQUEST'],
  [
    { model: 'demo', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] },
    400,
    'INVALID_REQUEST',
  ],
  [{ model: 'openai/gpt-x', messages }, 400, 'INVALID_MODEL'],
  ['['.repeat(100_000), 400, 'INVALID_REQUEST'],
])('%j is refused', async (body, status, code) => {
  await using http = await httpBench();
  const answer = await http.post('/v1/chat/completions', body);
  expect([answer.status, answer.body.error]).toMatchObject([status, { code }]);
  expect(http.faults).toEqual([]);
});

test('each key has so many requests a minute', async () => {
  await using http = await httpBench({ llmRate: { perMinute: 1, burst: 2 } });
  const ask = () => http.post('/v1/chat/completions', { model: 'demo', messages });
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
  const third = await ask();
  expect([third.status, third.body.error]).toMatchObject([
    429,
    {
      code: 'RATE_LIMIT_EXCEEDED',
      type: 'rate_limit_error',
      message: expect.stringContaining('At most 2 requests at once and 1 a minute'),
    },
  ]);
  expect(third.headers.get('retry-after')).toBe('60');
  expect((await http.get('/v1/models', { authorization: 'Bearer no' })).body.error).toMatchObject({
    code: 'UNAUTHORIZED',
  });
});
