// Two replies as the providers stream them: reasoning, text with characters of several bytes, and two calls at once.
import { chatStream, messageStream } from './model-server.ts';

const chunk = (delta: unknown, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});
const call = (index: number, more: Record<string, unknown>) => ({ tool_calls: [{ index, ...more }] });

export const chatBytes = Buffer.from(
  `: ping\n\n${chatStream([
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Grüße' }),
    chunk({ content: ' 🚀\n' }),
    chunk(call(0, { id: 'call_aaaaaaaaa', type: 'function', function: { name: 'read_', arguments: '' } })),
    chunk(call(0, { function: { name: 'file', arguments: '' } })),
    chunk(call(0, { function: { arguments: '{"path":"ä' } })),
    chunk(
      call(1, { id: 'call_bbbbbbbbb', type: 'function', function: { name: 'list_files', arguments: '{}' } }),
    ),
    chunk(call(0, { function: { arguments: '.txt"}' } })),
    chunk({}, 'tool_calls'),
    {
      ...chunk({}),
      choices: [],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 7,
        total_tokens: 107,
        prompt_tokens_details: { cached_tokens: 60 },
      },
    },
  ])}`,
);

export const chatReply = {
  model: 'openai/m',
  text: 'Grüße 🚀\n',
  calls: [
    { id: 'call_aaaaaaaaa', tool: 'read_file', args: { path: 'ä.txt' } },
    { id: 'call_bbbbbbbbb', tool: 'list_files', args: {} },
  ],
  usage: { inputTokens: 100, outputTokens: 7, cachedTokens: 60 },
  stop: 'calls',
};

const block = (index: number, content_block: unknown) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const delta = (index: number, more: unknown) => ({ type: 'content_block_delta', index, delta: more });
const stop = (index: number) => ({ type: 'content_block_stop', index });

export const messageBytes = Buffer.from(
  messageStream([
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: 10,
          cache_read_input_tokens: 80,
          cache_creation_input_tokens: 5,
          output_tokens: 1,
        },
      },
    } as { type: string },
    block(0, { type: 'thinking', thinking: '', signature: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'Hmm, é' }),
    delta(0, { type: 'signature_delta', signature: 'c2ln' }),
    stop(0),
    { type: 'ping' },
    block(1, { type: 'text', text: '' }),
    delta(1, { type: 'text_delta', text: 'Grüße 🚀' }),
    stop(1),
    block(2, { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} }),
    delta(2, { type: 'input_json_delta', partial_json: '' }),
    delta(2, { type: 'input_json_delta', partial_json: '{"path":' }),
    delta(2, { type: 'input_json_delta', partial_json: '"ä.txt"}' }),
    stop(2),
    block(3, { type: 'tool_use', id: 'toolu_2', name: 'list_files', input: {} }),
    stop(3),
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 42 },
    } as { type: string },
    { type: 'message_stop' },
  ]),
);

export const messageReply = {
  model: 'anthropic/m',
  text: 'Grüße 🚀',
  reasoning: 'Hmm, é',
  opaque: {
    blocks: [
      { thought: { type: 'thinking', thinking: 'Hmm, é', signature: 'c2ln' } },
      { text: 8 },
      { call: 0 },
      { call: 1 },
    ],
  },
  calls: [
    { id: 'toolu_1', tool: 'read_file', args: { path: 'ä.txt' } },
    { id: 'toolu_2', tool: 'list_files', args: {} },
  ],
  usage: { inputTokens: 95, outputTokens: 42, cachedTokens: 80 },
  stop: 'calls',
};
