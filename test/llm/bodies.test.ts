// The request bodies of each wire, in the official clients' types.
import Anthropic from '@anthropic-ai/sdk';
import type { ModelMessage } from '@codelab/agent';
import type { Reply } from '@codelab/protocol';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { ask, modelAt, question, secret, tools } from '../support/ask-model.ts';
import { type Asked, modelServer } from '../support/model-server.ts';
import {
  chatBytes,
  chatReply,
  messageBytes,
  messageReply,
  responsesBytes,
  responsesReply,
} from '../support/model-streams.ts';
import type { WireUnderTest } from '../support/wire-reader.ts';

const bytesOf = { openai: chatBytes, responses: responsesBytes, anthropic: messageBytes };
const png = { mediaType: 'image/png' as const, data: 'iVBORw0KGgo=' };
const url = `data:image/png;base64,${png.data}`;

/** One of everything: an image, a reply with reasoning and calls of this very model, results with an image and an error. */
function conversation(reply: Omit<Reply, 'stop'> & { stop: string }): ModelMessage[] {
  const [first, second] = reply.calls;
  return [
    { role: 'user', text: 'Look', images: [png] },
    { role: 'assistant', reply: { ...reply, stop: 'calls' } },
    { role: 'tool', callId: first?.id ?? '', tool: 'read_file', text: 'A', isError: false, images: [png] },
    { role: 'tool', callId: second?.id ?? '', tool: 'list_files', text: 'no', isError: true },
    { role: 'user', text: 'And?' },
  ];
}

async function sentRequest(
  wire: WireUnderTest,
  messages: ModelMessage[],
  env: NodeJS.ProcessEnv = {},
): Promise<Asked> {
  await using server = await modelServer([{ pieces: [bytesOf[wire]] }]);
  const model = await modelAt(
    server.url,
    wire,
    {},
    { CODELAB_EFFORT: 'high', CODELAB_MAX_TOKENS: '20000', ...env },
  );
  await ask(model, { ...question, messages, cacheKey: 's1' });
  const [request] = server.requests;
  if (request === undefined) throw new Error('Nothing was asked.');
  return request;
}

describe('a request has the form that the official client types', () => {
  const [read, list] = tools;
  const schema = (tool: typeof read) => tool?.input as { type: 'object' };

  test('Responses: nothing is stored, so encrypted reasoning goes back before what it led to', async () => {
    const expected = {
      model: 'm',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'high', summary: 'auto' },
      max_output_tokens: 20_000,
      instructions: 'Be short.',
      tools: [
        {
          type: 'function',
          name: 'read_file',
          description: 'Reads.',
          parameters: schema(read),
          strict: false,
        },
        {
          type: 'function',
          name: 'list_files',
          description: 'Lists.',
          parameters: schema(list),
          strict: false,
        },
      ],
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look' },
            { type: 'input_image', detail: 'auto', image_url: url },
          ],
        },
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [
            { type: 'summary_text', text: 'Hmm, é' },
            { type: 'summary_text', text: 'Then' },
          ],
          encrypted_content: 'Z0FB',
        },
        { role: 'assistant', content: 'Grüße 🚀', phase: 'commentary' },
        { type: 'function_call', call_id: 'call_2', name: 'read_file', arguments: '{"path":"ä.txt"}' },
        { type: 'function_call', call_id: 'call_3', name: 'list_files', arguments: '{}' },
        {
          type: 'function_call_output',
          call_id: 'call_2',
          output: [
            { type: 'input_text', text: 'A' },
            { type: 'input_image', detail: 'auto', image_url: url },
          ],
        },
        { type: 'function_call_output', call_id: 'call_3', output: 'no' },
        { role: 'user', content: 'And?' },
      ],
    } satisfies OpenAI.Responses.ResponseCreateParamsStreaming;
    const { path, body } = await sentRequest('responses', conversation(responsesReply));
    expect([path, body]).toEqual(['/v1/responses', expected]);
  });

  test('Responses: another model’s reasoning, and reasoning that led to nothing, stay here', async () => {
    const cut = {
      ...responsesReply,
      calls: [],
      text: '',
      opaque: { items: responsesReply.opaque.items.slice(0, 1) },
    };
    const messages: ModelMessage[] = [
      { role: 'assistant', reply: { ...responsesReply, stop: 'calls', model: 'openai/other' } },
      { role: 'assistant', reply: { ...cut, stop: 'length' } },
      { role: 'user', text: 'On' },
    ];
    expect(JSON.stringify((await sentRequest('responses', messages)).body.input)).not.toContain(
      '"reasoning"',
    );
  });

  test('chat completions', async () => {
    const expected = {
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 20_000,
      reasoning_effort: 'high',
      tools: [read, list].map((tool) => ({
        type: 'function' as const,
        function: { name: tool?.name ?? '', description: tool?.summary ?? '', parameters: schema(tool) },
      })),
      messages: [
        { role: 'system', content: 'Be short.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url } },
          ],
        },
        {
          role: 'assistant',
          content: 'Grüße 🚀\n',
          tool_calls: [
            {
              id: 'call_aaaaaaaaa',
              type: 'function',
              function: { name: 'read_file', arguments: '{"path":"ä.txt"}' },
            },
            { id: 'call_bbbbbbbbb', type: 'function', function: { name: 'list_files', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_aaaaaaaaa', content: 'A' },
        { role: 'tool', tool_call_id: 'call_bbbbbbbbb', content: 'no' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Images of the result of read_file:\n\nAnd?' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
    } satisfies OpenAI.ChatCompletionCreateParamsStreaming;
    expect((await sentRequest('openai', conversation(chatReply))).body).toEqual(expected);
  });

  test('messages: thinking has a budget, and the end of the request before is marked as well', async () => {
    const keep = { cache_control: { type: 'ephemeral' as const } };
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: png.data },
    };
    const expected = {
      model: 'm',
      max_tokens: 20_000,
      stream: true,
      thinking: { type: 'enabled', budget_tokens: 16_000 },
      system: [{ type: 'text', text: 'Be short.', ...keep }],
      tools: [
        { name: 'read_file', description: 'Reads.', input_schema: schema(read) },
        { name: 'list_files', description: 'Lists.', input_schema: schema(list), ...keep },
      ],
      messages: [
        { role: 'user', content: [image, { type: 'text', text: 'Look', ...keep }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hmm, é', signature: 'c2ln' },
            { type: 'text', text: 'Grüße 🚀' },
            { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { path: 'ä.txt' } },
            { type: 'tool_use', id: 'toolu_2', name: 'list_files', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'A' }, image] },
            { type: 'tool_result', tool_use_id: 'toolu_2', content: 'no', is_error: true },
            { type: 'text', text: 'And?', ...keep },
          ],
        },
      ],
    } satisfies Anthropic.MessageCreateParamsStreaming;
    expect((await sentRequest('anthropic', conversation(messageReply))).body).toEqual(expected);
  });

  test('the official clients send our bodies as they are', async () => {
    await using server = await modelServer(({ path }) => ({
      pieces: [
        path.endsWith('messages') ? messageBytes : path.endsWith('responses') ? responsesBytes : chatBytes,
      ],
    }));
    const openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: secret, maxRetries: 0 });
    const anthropic = new Anthropic({ baseURL: server.url, apiKey: secret, maxRetries: 0 });
    const bodies = {
      responses: (await sentRequest('responses', conversation(responsesReply))).body,
      chat: (await sentRequest('openai', conversation(chatReply))).body,
      messages: (await sentRequest('anthropic', conversation(messageReply))).body,
    };
    await openai.responses.create(
      bodies.responses as unknown as OpenAI.Responses.ResponseCreateParamsStreaming,
    );
    await openai.chat.completions.create(
      bodies.chat as unknown as OpenAI.ChatCompletionCreateParamsStreaming,
    );
    await anthropic.messages.create(bodies.messages as unknown as Anthropic.MessageCreateParamsStreaming);
    expect(server.requests.map(({ body }) => body)).toEqual([bodies.responses, bodies.chat, bodies.messages]);
  });
});
