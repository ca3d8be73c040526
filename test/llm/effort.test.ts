// The user's settings for every reply: the reasoning effort, and the length. And the wire of each provider.
import { type ModelMessage, openModel } from '@codelab/agent';
import { describe, expect, test } from 'vitest';
import { ask, failure, modelAt, question, secret } from '../support/ask-model.ts';
import { json, messageStream, modelServer } from '../support/model-server.ts';
import { messageBytes, messageReply } from '../support/model-streams.ts';
import { readStream } from '../support/wire-reader.ts';

describe('how much Claude thinks', () => {
  async function thinking(id: string, env: NodeJS.ProcessEnv, messages = question.messages) {
    await using server = await modelServer([{ pieces: [messageBytes] }]);
    const model = await openModel(`anthropic/${id}`, { env: { ANTHROPIC_BASE_URL: server.url, ...env } });
    await ask(model, { ...question, messages });
    const { thinking, output_config, max_tokens } = server.requests[0]?.body ?? {};
    return [thinking, output_config, max_tokens];
  }

  test.each([
    ['claude-sonnet-4-5', {}, [undefined, undefined, 32_000]],
    ['claude-sonnet-4-5', { CODELAB_EFFORT: 'none' }, [undefined, undefined, 32_000]],
    [
      'claude-opus-4-20250514',
      { CODELAB_EFFORT: 'max' },
      [{ type: 'enabled', budget_tokens: 28_000 }, undefined, 32_000],
    ],
    [
      'claude-sonnet-4-5',
      { CODELAB_EFFORT: 'high', CODELAB_MAX_TOKENS: '4000' },
      [{ type: 'enabled', budget_tokens: 2976 }, undefined, 4000],
    ],
    [
      'claude-sonnet-4-5',
      { CODELAB_EFFORT: 'high', CODELAB_MAX_TOKENS: '1500' },
      [undefined, undefined, 1500],
    ],
    [
      'claude-opus-4-6',
      { CODELAB_EFFORT: 'minimal' },
      [{ type: 'adaptive', display: 'summarized' }, { effort: 'low' }, 32_000],
    ],
    ['claude-sonnet-5', { CODELAB_EFFORT: 'none' }, [{ type: 'disabled' }, undefined, 32_000]],
    ['claude-3-5-haiku-latest', { CODELAB_EFFORT: 'high' }, [undefined, undefined, 8192]],
    ['claude-x', { CODELAB_CONTEXT_TOKENS: '8000' }, [undefined, undefined, 2000]],
  ])('%s with %j', async (id, env, expected) => {
    expect(await thinking(id, env)).toEqual(expected);
  });

  test('not amid calls of a reply that was made without', async () => {
    const reply = { ...messageReply, stop: 'calls' as const, opaque: undefined };
    const messages: ModelMessage[] = [
      ...question.messages,
      { role: 'assistant', reply },
      ...reply.calls.map(
        ({ id, tool }): ModelMessage => ({ role: 'tool', callId: id, tool, text: 'x', isError: false }),
      ),
    ];
    expect(await thinking('claude-sonnet-4-5', { CODELAB_EFFORT: 'high' }, messages)).toEqual([
      undefined,
      undefined,
      32_000,
    ]);
  });

  test('a thought that was cut off has no signature and does not go back', () => {
    const stream = messageStream([
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' } },
      { type: 'message_stop' },
    ] as { type: string }[]);
    const { reply } = readStream('anthropic', stream);
    expect(reply).toMatchObject({ reasoning: 'Hm', stop: 'length' });
    expect(reply.opaque).toBeUndefined();
  });
});

test.each([
  [{ CODELAB_EFFORT: 'much' }, 'CODELAB_EFFORT must be one of: none, minimal, low'],
  [{ CODELAB_MAX_TOKENS: '-1' }, 'CODELAB_MAX_TOKENS must be a positive integer'],
])('%j is refused before anything is sent', async (env, message) => {
  expect((await failure(modelAt('http://127.0.0.1:9', 'openai', {}, env))).message).toContain(message);
});

test('the environment counts more than what is set for a model, and that more than what is set for its provider', async () => {
  await using server = await modelServer([{ pieces: [messageBytes] }]);
  const ownProviders = {
    acme: {
      base_url: server.url,
      wire: 'responses' as const,
      effort: 'low' as const,
      max_tokens: 7,
      models: { large: { effort: 'high' as const } },
    },
  };
  const send = async (name: string, env: NodeJS.ProcessEnv) => {
    await failure(ask(await openModel(name, { env, own: ownProviders, patience: { attempts: 1 } })));
    const { reasoning, max_output_tokens } = server.requests.at(-1)?.body ?? {};
    return [(reasoning as { effort: string }).effort, max_output_tokens];
  };
  expect(await send('acme/small', {})).toEqual(['low', 7]);
  expect(await send('acme/large', {})).toEqual(['high', 7]);
  expect(await send('acme/large', { CODELAB_EFFORT: 'none', CODELAB_MAX_TOKENS: '9' })).toEqual(['none', 9]);
});

test('OpenAI itself is asked over responses; a server of one’s own over chat completions', async () => {
  const at = async (name: string, env: NodeJS.ProcessEnv) => {
    await using proxy = await modelServer([json({ error: { message: 'no' } }, 400)]);
    const all = { HTTP_PROXY: proxy.url, OPENAI_API_KEY: secret, ...env };
    await failure(ask(await openModel(name, { env: all })));
    return proxy.requests[0]?.path;
  };
  expect(await at('openai/gpt-5', { OPENAI_BASE_URL: 'http://api.openai.com/v1' })).toBe(
    'http://api.openai.com/v1/responses',
  );
  expect(await at('openai/gpt-5', { OPENAI_BASE_URL: 'http://models.invalid/v1' })).toBe(
    'http://models.invalid/v1/chat/completions',
  );
});
