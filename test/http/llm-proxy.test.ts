import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { httpBench } from '../support/http-bench.ts';
import { chatStream, json, messageStream, modelServer } from '../support/model-server.ts';

const messages = [{ role: 'user' as const, content: 'hello' }];

const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'get_weather',
      description: 'The weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
];

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-x' };
const delta = (part: object, finish: string | null = null) => ({
  ...head,
  choices: [{ index: 0, delta: part, finish_reason: finish }],
});
const call = (part: object) => delta({ tool_calls: [{ index: 0, ...part }] });

function client({ url, token }: { url: string; token: string }): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: token, maxRetries: 0 });
}

test('the openai SDK: a stream with tool calls passes through byte by byte', async () => {
  const streamText = chatStream([
    delta({ role: 'assistant', content: null }),
    call({ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '' } }),
    call({ function: { arguments: '{"city":' } }),
    call({ function: { arguments: '"Köln"}' } }),
    delta({}, 'tool_calls'),
    { ...head, choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } },
  ]);
  // Cut in the midst of a character.
  const bytes = Buffer.from(streamText);
  const at = bytes.indexOf('ö') + 1;
  await using server = await modelServer([{ pieces: [bytes.subarray(0, at), bytes.subarray(at)] }]);
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'the-key-upstream' };
  await using http = await httpBench({ env });
  const raw = {
    model: 'openai/gpt-x',
    messages,
    tools,
    stream: true,
    seed: 7,
    extra_field: { kept: [1, 2.5] },
  };
  const lines = await http.open('/v1/chat/completions', { method: 'POST', body: raw });
  expect(`${(await lines.rest()).join('\n\n')}\n\n`).toBe(streamText);
  const [request] = server.requests;
  expect(request?.body).toEqual({ ...raw, model: 'gpt-x' });
  expect(request?.headers.authorization).toBe('Bearer the-key-upstream');
  const stream = await client(http).chat.completions.create({
    model: 'gpt-x',
    messages,
    tools,
    stream: true,
  });
  let args = '';
  let finish: string | null = null;
  for await (const { choices } of stream) {
    args += choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? '';
    finish = choices[0]?.finish_reason ?? finish;
  }
  expect([args, finish]).toEqual(['{"city":"Köln"}', 'tool_calls']);
  expect((await http.get('/v1/usage')).body).toEqual({
    data: [
      { model: 'openai/gpt-x', requests: 2, prompt_tokens: 14, completion_tokens: 6, unmetered_requests: 0 },
    ],
  });
});

test('the openai SDK: a whole answer passes through', async () => {
  const message = { role: 'assistant', content: 'Hi' };
  const completeReply = {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
  };
  await using server = await modelServer([json(completeReply)]);
  await using http = await httpBench({ env: { OPENAI_BASE_URL: server.url } });
  const answer = await client(http).chat.completions.create({ model: 'gpt-x', messages });
  expect(answer).toMatchObject(completeReply);
});

test('an Anthropic model is translated, tool calls and results as well', async () => {
  const stream = messageStream([
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [],
        usage: { input_tokens: 5, output_tokens: 1 },
      },
    } as { type: string },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as { type: string },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Look:' } } as {
      type: string;
    },
    { type: 'content_block_stop', index: 0 } as { type: string },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} },
    } as { type: string },
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '{"city":"Bonn"}' },
    } as { type: string },
    { type: 'content_block_stop', index: 1 } as { type: string },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } } as {
      type: string;
    },
    { type: 'message_stop' },
  ]);
  await using server = await modelServer([{ pieces: [stream] }]);
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-ant-secret' };
  await using http = await httpBench({ env });
  const openai = client(http);
  const history = [
    { role: 'system' as const, content: 'Be short.' },
    ...messages,
    {
      role: 'assistant' as const,
      content: null,
      tool_calls: [
        {
          id: 't0',
          type: 'function' as const,
          function: { name: 'get_weather', arguments: '{"city":"Ulm"}' },
        },
      ],
    },
    { role: 'tool' as const, tool_call_id: 't0', content: 'rain' },
  ];
  const answer = await openai.chat.completions.create({ model: 'claude-x', messages: history, tools });
  expect(answer.choices).toMatchObject([
    {
      finish_reason: 'tool_calls',
      message: {
        content: 'Look:',
        tool_calls: [
          {
            id: 'toolu_1',
            type: 'function',
            function: { name: 'get_weather', arguments: '{"city":"Bonn"}' },
          },
        ],
      },
    },
  ]);
  expect(answer.usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 });
  expect(JSON.stringify(server.requests[0]?.body)).toContain('"tool_use_id":"t0"');
  const streamed = await openai.chat.completions
    .stream({ model: 'anthropic/claude-x', messages, tools, stream_options: { include_usage: true } })
    .finalChatCompletion();
  expect(streamed.choices[0]?.message.tool_calls?.[0]).toMatchObject({ id: 'toolu_1' });
  expect(streamed.usage?.total_tokens).toBe(14);
});

test('the demo model, and the lists of models', async () => {
  await using http = await httpBench();
  const openai = client(http);
  const answer = await openai.chat.completions.create({ model: 'demo', messages });
  expect(answer.choices[0]?.message.content).toContain('demo model');
  let text = '';
  for await (const { choices } of await openai.chat.completions.create({
    model: 'default',
    messages,
    stream: true,
  }))
    text += choices[0]?.delta.content ?? '';
  expect(text).toBe(answer.choices[0]?.message.content);
  expect((await openai.models.list()).data).toEqual([
    { id: 'demo', object: 'model', created: 0, owned_by: 'codelab' },
  ]);
  const { body } = await http.get('/v1/llm/models');
  expect(body).toEqual([
    { id: 'demo', name: 'demo', provider: 'codelab', context_length: 128_000, is_available: true },
  ]);
});
