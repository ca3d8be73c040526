// Request bodies of both wires: names and ids that providers accept, and how often parts are serialized.
import { type ModelMessage, openModel } from '@codelab/agent';
import type { Reply } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { ask, modelAt, question, secret, tools } from '../support/ask-model.ts';
import { type Asked, modelServer } from '../support/model-server.ts';
import { chatBytes, messageBytes, messageReply, responsesBytes } from '../support/model-streams.ts';

const usage = { inputTokens: 0, outputTokens: 0 };

function reply(extra: Partial<Reply>): ModelMessage {
  return {
    role: 'assistant',
    reply: { model: 'openai/m', text: '', calls: [], usage, stop: 'end', ...extra },
  };
}

function result(callId: string, text: string, isError = false): ModelMessage {
  return { role: 'tool', callId, tool: 'read_file', text, isError };
}

const call = (id: string) => ({ id, tool: 'read_file', args: { path: id } });

const bytesOf = { openai: chatBytes, responses: responsesBytes, anthropic: messageBytes };

async function capture(wire: keyof typeof bytesOf, request: Partial<typeof question>): Promise<Asked> {
  await using server = await modelServer([{ pieces: [bytesOf[wire]] }]);
  await ask(await modelAt(server.url, wire), { ...question, ...request });
  const [modelRequest] = server.requests;
  if (modelRequest === undefined) throw new Error('Nothing was asked.');
  return modelRequest;
}

describe('OpenAI', () => {
  test('a whole conversation', async () => {
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Hello' },
      reply({ calls: [call('a'), call('b')], reasoning: 'Hm', opaque: { field: 'reasoning_content' } }),
      result('a', 'A'),
      result('b', 'no', true),
      reply({ text: 'Done' }),
      { role: 'user', text: 'Half \ud83d a character' },
    ];
    const { path, headers, body } = await capture('openai', { messages, maxTokens: 5 });
    expect([path, headers.authorization]).toEqual(['/v1/chat/completions', `Bearer ${secret}`]);
    const used = (id: string) => ({
      id,
      type: 'function',
      function: { name: 'read_file', arguments: JSON.stringify({ path: id }) },
    });
    expect(body).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 5,
      tools: tools.map(({ name, summary, input }) => ({
        type: 'function',
        function: { name, description: summary, parameters: input },
      })),
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: null, reasoning_content: 'Hm', tool_calls: [used('a'), used('b')] },
        { role: 'tool', tool_call_id: 'a', content: 'A' },
        { role: 'tool', tool_call_id: 'b', content: 'no' },
        { role: 'assistant', content: 'Done' },
        { role: 'user', content: 'Half \ufffd a character' },
      ],
    });
  });

  test('no tools, no system, no key', async () => {
    await using server = await modelServer([{ pieces: [chatBytes] }]);
    const model = await openModel('openai/m', { env: { OPENAI_BASE_URL: `${server.url}/v1/` } });
    await ask(model, { system: '', messages: question.messages, tools: [] });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
    expect(server.requests[0]?.path).toBe('/v1/chat/completions');
    expect(Object.keys(server.requests[0]?.body ?? {})).toEqual([
      'model',
      'stream',
      'stream_options',
      'messages',
    ]);
  });

  test('names that providers refuse are written otherwise, and understood when they come back', async () => {
    const oddTools = [
      { name: 'mcp:x:read_file', summary: '', input: {} },
      ...tools,
      { name: 'list/files', summary: '', input: {} },
    ];
    const messages: ModelMessage[] = [
      ...question.messages,
      reply({ calls: [{ id: 'c', tool: 'fly to/moon', args: {} }] }),
    ];
    const { body } = await capture('openai', { tools: oddTools, messages });
    const names = (body.tools as { function: { name: string } }[]).map((tool) => tool.function.name);
    expect(names).toEqual(['mcp_x_read_file', 'read_file', 'list_files', 'list_files_2']);
    expect(JSON.stringify(body.messages)).toContain('"name":"fly_to_moon"');
  });

  test('a call without a result gets one, a result without a call becomes text', async () => {
    const messages: ModelMessage[] = [
      result('gone', 'old'),
      ...question.messages,
      reply({ calls: [call('a'), call('b')] }),
      result('b', 'B'),
      result('b', 'B again'),
    ];
    const { body } = await capture('openai', { messages, system: '' });
    expect(
      (body.messages as { role: string; content: unknown }[]).map(({ role, content }) => [role, content]),
    ).toEqual([
      ['user', 'read_file: old\n\nHello'],
      ['assistant', null],
      ['tool', 'The call was not run: the turn was interrupted.'],
      ['tool', 'B'],
    ]);
  });
});

describe('Anthropic', () => {
  const keep = { cache_control: { type: 'ephemeral' } };

  test('results of parallel calls and what the user adds are one message; marks are on what is kept', async () => {
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Hello' },
      reply({ text: 'Look', calls: [call('a.1'), call('b')] }),
      result('a.1', 'A'),
      result('b', 'no', true),
      { role: 'user', text: 'And?' },
      reply({ text: ' ' }),
      { role: 'user', text: '' },
    ];
    const { path, headers, body } = await capture('anthropic', { messages });
    expect([path, headers['x-api-key'], headers['anthropic-version']]).toEqual([
      '/v1/messages',
      secret,
      '2023-06-01',
    ]);
    const use = (id: string, path: string) => ({
      type: 'tool_use',
      id,
      name: 'read_file',
      input: { path },
    });
    expect(body).toEqual({
      model: 'm',
      max_tokens: 32_000,
      stream: true,
      system: [{ type: 'text', text: 'Be short.', ...keep }],
      tools: [
        { name: 'read_file', description: 'Reads.', input_schema: tools[0]?.input },
        { name: 'list_files', description: 'Lists.', input_schema: tools[1]?.input, ...keep },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'Look' }, use('a_1_4a5f06ec', 'a.1'), use('b', 'b')],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a_1_4a5f06ec', content: 'A' },
            { type: 'tool_result', tool_use_id: 'b', content: 'no', is_error: true },
            { type: 'text', text: 'And?', ...keep },
            { type: 'text', text: '(nothing)', ...keep },
          ],
        },
      ],
    });
  });

  test('signed reasoning goes back unchanged and in its place, to the model that made it', async () => {
    const calls = messageReply.calls.map((one) => ({ ...one, id: `${one.id}.renamed` }));
    const answers = calls.map(({ id }) => result(id, 'ok'));
    const back = { ...messageReply, stop: 'calls' as const, calls };
    const { body } = await capture('anthropic', {
      messages: [...question.messages, { role: 'assistant', reply: back }, ...answers],
    });
    expect((body.messages as { content: unknown[] }[])[1]?.content).toEqual([
      { type: 'thinking', thinking: 'Hmm, é', signature: 'c2ln' },
      { type: 'text', text: 'Grüße 🚀' },
      { type: 'tool_use', id: 'toolu_1_renamed_50acb8c4', name: 'read_file', input: { path: 'ä.txt' } },
      { type: 'tool_use', id: 'toolu_2_renamed_30a4c5fb', name: 'list_files', input: {} },
    ]);
    const other: ModelMessage = { role: 'assistant', reply: { ...back, model: 'anthropic/another' } };
    const mixed = await capture('anthropic', { messages: [...question.messages, other, ...answers] });
    expect(JSON.stringify(mixed.body)).not.toContain('thinking');
  });

  test('a conversation that begins with a reply', async () => {
    const { body } = await capture('anthropic', {
      messages: [reply({ text: 'So far' }), { role: 'user', text: 'On' }],
    });
    expect((body.messages as { role: string }[]).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
  });
});

test.each([
  ['openai', /^[\w-]{1,40}$/],
  ['responses', /^[\w-]{1,64}$/],
  ['anthropic', /^[\w-]{1,64}$/],
] as const)(
  '%s: ids of any length and letters fit the wire, and a result still finds its call',
  async (wire, form) => {
    const ids = ['call_1', 'x'.repeat(160), `toolu_01.call_${'é'.repeat(30)}.3.1`, `${'x'.repeat(159)}y`];
    const messages = [
      ...question.messages,
      reply({ calls: ids.map(call) }),
      ...ids.map((id) => result(id, id)),
    ];
    const { body } = await capture(wire, { messages });
    const idPattern = /"(?:id|call_id|tool_call_id|tool_use_id)":"([^"]+)"/g;
    const sentIds = [...JSON.stringify(body).matchAll(idPattern)].map(([, id = '']) => id);
    expect(sentIds).toHaveLength(8);
    expect(sentIds.slice(4)).toEqual(sentIds.slice(0, 4));
    expect(new Set(sentIds).size).toBe(4);
    for (const id of sentIds) expect(id).toMatch(form);
  },
);

test.each(['openai', 'anthropic'] as const)('%s: an old message is not written again', async (wire) => {
  await using server = await modelServer([{ pieces: [wire === 'openai' ? chatBytes : messageBytes] }]);
  const model = await modelAt(server.url, wire);
  let reads = 0;
  const old = {
    role: 'user' as const,
    get text() {
      reads++;
      return 'old';
    },
  };
  const messages: ModelMessage[] = [old, { role: 'user', text: 'new' }];
  await ask(model, { ...question, messages });
  const once = reads;
  for (let turn = 0; turn < 5; turn++) {
    messages.push(reply({ text: `${turn}` }), { role: 'user', text: `${turn}` });
    await ask(model, { ...question, messages });
  }
  expect(reads).toBe(once);
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('old');
});
