// Parts of a request that a server refuses: they are left out from then on, and the user is told where it matters.
import { type ModelEvent, type ModelMessage, openModel } from '@codelab/agent';
import { describe, expect, test } from 'vitest';
import { ask, modelAt, question, secret } from '../support/ask-model.ts';
import { json, type ModelAnswer, modelServer } from '../support/model-server.ts';
import { chatBytes, messageBytes, responsesBytes } from '../support/model-streams.ts';
import type { WireUnderTest } from '../support/wire-reader.ts';

const png = { mediaType: 'image/png' as const, data: 'iVBORw0KGgo=' };

describe('what a server refuses is left out from then on', () => {
  const good: Record<WireUnderTest, ModelAnswer> = {
    openai: { pieces: [chatBytes] },
    responses: { pieces: [responsesBytes] },
    anthropic: { pieces: [messageBytes] },
  };
  const has = (body: object, text: string) => JSON.stringify(body).includes(text);
  const noticeTexts = (events: readonly ModelEvent[]) =>
    events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));

  test.each<[WireUnderTest, string, string, number, string | undefined]>([
    ['openai', 'stream_options', 'Unknown field: stream_options', 422, undefined],
    [
      'openai',
      'reasoning_effort',
      "Unsupported parameter: 'reasoning_effort'",
      400,
      'openai/m does not take the reasoning effort',
    ],
    [
      'openai',
      'image_url',
      'image input is not supported - you may need to provide the mmproj',
      500,
      'openai/m takes no images',
    ],
    [
      'responses',
      '"summary"',
      'Your organization must be verified to generate reasoning summaries.',
      400,
      undefined,
    ],
    ['responses', 'encrypted_content', 'Encrypted content is not supported with this model.', 400, undefined],
    [
      'responses',
      '"effort"',
      "Unsupported parameter: 'reasoning.effort'",
      400,
      'openai/m does not take the reasoning effort',
    ],
    ['anthropic', '"thinking"', 'thinking: Extra inputs are not permitted', 400, 'anthropic/m does not take'],
    ['anthropic', 'cache_control', 'tools.0.cache_control: Extra inputs are not permitted', 400, undefined],
    ['openai', '"stream":true', 'Your organization must be verified to stream this model.', 400, undefined],
    [
      'responses',
      '"stream":true',
      'Your organization must be verified to stream this model.',
      400,
      undefined,
    ],
    ['anthropic', '"stream":true', 'Streaming is not supported for this model.', 400, undefined],
    [
      'anthropic',
      '"max_tokens":32000',
      'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens',
      400,
      undefined,
    ],
  ])('%s: %s', async (wire, field, message, status, notice) => {
    const messages: ModelMessage[] = [{ role: 'user', text: 'Look', images: [png] }];
    await using server = await modelServer(({ body }) =>
      has(body, field) ? json({ error: { message } }, status) : good[wire],
    );
    const model = await modelAt(server.url, wire, {}, { CODELAB_EFFORT: 'high' });
    const { events } = await ask(model, { ...question, messages });
    expect(noticeTexts(events).join()).toContain(notice ?? '');
    expect(noticeTexts(events)).toHaveLength(notice === undefined ? 0 : 1);
    expect((await ask(model, { ...question, messages })).events.some(({ type }) => type === 'notice')).toBe(
      false,
    );
    expect(server.requests.map(({ body }) => has(body, field))).toEqual([true, false, false]);
  });

  test('a value that only the field beside the message names', async () => {
    const error = { message: "Unsupported value: 'high' is not supported.", param: 'reasoning.effort' };
    await using server = await modelServer(({ body }) =>
      has(body, '"effort"') ? json({ error }, 400) : good.responses,
    );
    const { events } = await ask(await modelAt(server.url, 'responses', {}, { CODELAB_EFFORT: 'high' }));
    expect(noticeTexts(events)).toEqual([
      'openai/m does not take the reasoning effort that is set. Its default is used.',
    ]);
  });

  test('what a provider behind OpenRouter said counts', async () => {
    const raw = JSON.stringify({ error: { message: 'Unknown field: stream_options' } });
    const error = { message: 'Provider returned error', code: 400, metadata: { raw } };
    await using server = await modelServer(({ body }) =>
      has(body, 'stream_options') ? json({ error }, 400) : good.openai,
    );
    expect((await ask(await modelAt(server.url))).reply.stop).toBe('calls');
  });

  test.each<[WireUnderTest, string, string]>([
    [
      'openai',
      "'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
      'max_completion_tokens":9000',
    ],
    [
      'openai',
      'max_tokens is too large: 9000. This model supports at most 4096 completion tokens',
      'max_tokens":4096',
    ],
    ['openai', 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', 'max_tokens":8192'],
    ['openai', '`max_tokens` must be less than or equal to `8192`', 'max_tokens":8192'],
    ['responses', 'max_output_tokens must be at most 4096', 'max_output_tokens":4096'],
  ])('%s: the length of a reply follows “%s”', async (wire, message, written) => {
    await using server = await modelServer(({ body }) =>
      has(body, written) ? good[wire] : json({ error: { message } }, 400),
    );
    const model = await modelAt(server.url, wire, {}, { CODELAB_MAX_TOKENS: '9000' });
    await ask(model);
    await ask(model);
    expect(server.requests).toHaveLength(3);
  });

  test.each<[WireUnderTest, object, string]>([
    [
      'responses',
      { items: [{ reasoning: { type: 'reasoning', id: 'rs_1', encrypted_content: 'SIGNED' } }, { call: 0 }] },
      'The encrypted content gAAA…c90= could not be verified.',
    ],
    [
      'anthropic',
      { blocks: [{ thought: { type: 'thinking', thinking: 'Hm.', signature: 'SIGNED' } }, { call: 0 }] },
      'messages.1.content.0: Invalid `signature` in `thinking` block',
    ],
  ])('%s: reasoning that its provider does not take back is left out', async (wire, opaque, message) => {
    await using server = await modelServer(({ body }) =>
      has(body, 'SIGNED') ? json({ error: { message } }, 400) : good[wire],
    );
    const model = await modelAt(server.url, wire);
    const calls = [{ id: 'c1', tool: 'read_file', args: { path: 'a' } }];
    const usage = { inputTokens: 1, outputTokens: 1 };
    const name = wire === 'anthropic' ? 'anthropic/m' : 'openai/m';
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Look' },
      { role: 'assistant', reply: { model: name, text: '', calls, usage, stop: 'calls', opaque } },
      { role: 'tool', callId: 'c1', tool: 'read_file', text: 'seen', isError: false },
    ];
    expect(noticeTexts((await ask(model, { ...question, messages })).events)).toEqual([]);
    await ask(model, { ...question, messages });
    expect(server.requests.map(({ body }) => [has(body, 'SIGNED'), has(body, 'seen')])).toEqual([
      [true, true],
      [false, true],
      [false, true],
    ]);
  });

  test('an image that is left out is named in its place', async () => {
    await using server = await modelServer(({ body }) =>
      has(body, 'image_url')
        ? json({ error: { message: 'This model does not support image input' } }, 404)
        : good.openai,
    );
    const messages: ModelMessage[] = [{ role: 'user', text: 'Look', images: [{ ...png, name: 'a.png' }] }];
    await ask(await modelAt(server.url), { ...question, messages });
    expect(JSON.stringify(server.requests[1]?.body)).toContain(
      '[a.png: not shown: this model takes no images]',
    );
  });

  const many = Array.from({ length: 140 }, (_, at) => ({ name: `mcp:x:t${at}`, summary: '', input: {} }));

  test('more tools than the provider takes: the last are left out, and the user is told which', async () => {
    await using proxy = await modelServer([{ pieces: [responsesBytes] }]);
    const env = {
      HTTP_PROXY: proxy.url,
      OPENAI_API_KEY: secret,
      OPENAI_BASE_URL: 'http://api.openai.com/v1',
    };
    const model = await openModel('openai/gpt-5', { env });
    const { events } = await ask(model, { ...question, tools: many, cacheKey: 's1' });
    expect(proxy.requests[0]?.body).toMatchObject({ prompt_cache_key: 's1' });
    expect(proxy.requests[0]?.body.tools).toHaveLength(128);
    expect(noticeTexts(events)).toEqual([
      'openai/gpt-5 takes at most 128 tools and there are 140. Left out: mcp:x:t128, mcp:x:t129, mcp:x:t130, mcp:x:t131, mcp:x:t132, mcp:x:t133, mcp:x:t134, mcp:x:t135, mcp:x:t136, mcp:x:t137 and 2 more. Turn off MCP servers that you do not need.',
    ]);
    expect(noticeTexts((await ask(model, { ...question, tools: many })).events)).toEqual([]);
  });

  test('a limit of tools that nobody knew is learned from the refusal', async () => {
    const message =
      "Invalid 'tools': array too long. Expected an array with maximum length 64, but got 140 instead.";
    await using server = await modelServer(({ body }) =>
      (body.tools as unknown[]).length > 64 ? json({ error: { message } }, 400) : good.openai,
    );
    const { events } = await ask(await modelAt(server.url), { ...question, tools: many });
    expect(server.requests.map(({ body }) => (body.tools as unknown[]).length)).toEqual([140, 64]);
    expect(noticeTexts(events)).toEqual([
      expect.stringContaining('takes at most 64 tools and there are 140. Left out: mcp:x:t64'),
    ]);
  });
});
