// Replies as the providers stream them, by their documentation: reasoning, text with multi-byte characters, two parallel calls.
import { chatStream, messageStream } from './model-server.ts';

const chunk = (delta: unknown, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});
const call = (index: number, fields: Record<string, unknown>) => ({ tool_calls: [{ index, ...fields }] });

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
const delta = (index: number, content: unknown) => ({ type: 'content_block_delta', index, delta: content });
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

let sequence = 0;
const event = (type: string, fields: Record<string, unknown>) => ({
  type,
  sequence_number: sequence++,
  ...fields,
});
const reasoning = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [
    { type: 'summary_text', text: 'Hmm, é' },
    { type: 'summary_text', text: 'Then' },
  ],
  encrypted_content: 'Z0FB',
};
const messageItem = (text: string, status: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status,
  phase: 'commentary',
  content: text === '' ? [] : [{ type: 'output_text', text, annotations: [], logprobs: [] }],
});
const callItem = (at: number, name: string, args: string, status: string) => ({
  type: 'function_call',
  id: `fc_${at}`,
  call_id: `call_${at}`,
  name,
  arguments: args,
  status,
});
const response = (status: string, fields: Record<string, unknown>) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status,
  model: 'm',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  top_p: 1,
  tool_choice: 'auto',
  tools: [],
  output: [],
  ...fields,
});
const output = [
  reasoning,
  messageItem('Grüße 🚀', 'completed'),
  callItem(2, 'read_file', '{"path":"ä.txt"}', 'completed'),
  callItem(3, 'list_files', '{}', 'completed'),
];
const summary = (summary_index: number) => ({ item_id: 'rs_1', output_index: 0, summary_index });
const part = { item_id: 'msg_1', output_index: 1, content_index: 0 };
const args = (output_index: number) => ({ item_id: `fc_${output_index}`, output_index });
const text = (content: string) => ({ type: 'output_text', text: content, annotations: [], logprobs: [] });

export const responsesBytes = Buffer.from(
  messageStream([
    event('response.created', { response: response('in_progress', {}) }),
    event('response.in_progress', { response: response('in_progress', {}) }),
    event('response.output_item.added', {
      output_index: 0,
      item: { type: 'reasoning', id: 'rs_1', summary: [] },
    }),
    ...['Hmm, é', 'Then'].flatMap((summaryText, at) => [
      event('response.reasoning_summary_part.added', {
        ...summary(at),
        part: { type: 'summary_text', text: '' },
      }),
      event('response.reasoning_summary_text.delta', { ...summary(at), delta: summaryText }),
      event('response.reasoning_summary_text.done', { ...summary(at), text: summaryText }),
    ]),
    event('response.output_item.done', { output_index: 0, item: reasoning }),
    event('response.output_item.added', { output_index: 1, item: messageItem('', 'in_progress') }),
    event('response.content_part.added', { ...part, part: text('') }),
    event('response.output_text.delta', { ...part, delta: 'Grüße', logprobs: [] }),
    event('response.output_text.delta', { ...part, delta: ' 🚀', logprobs: [] }),
    event('response.output_text.done', { ...part, text: 'Grüße 🚀', logprobs: [] }),
    event('response.content_part.done', { ...part, part: text('Grüße 🚀') }),
    event('response.output_item.done', { output_index: 1, item: output[1] }),
    event('response.output_item.added', {
      output_index: 2,
      item: callItem(2, 'read_file', '', 'in_progress'),
    }),
    event('response.function_call_arguments.delta', { ...args(2), delta: '{"path":"ä' }),
    event('response.output_item.added', {
      output_index: 3,
      item: callItem(3, 'list_files', '', 'in_progress'),
    }),
    event('response.function_call_arguments.delta', { ...args(2), delta: '.txt"}' }),
    event('response.function_call_arguments.done', { ...args(2), arguments: '{"path":"ä.txt"}' }),
    event('response.output_item.done', { output_index: 2, item: output[2] }),
    event('response.function_call_arguments.done', { ...args(3), arguments: '{}' }),
    event('response.output_item.done', { output_index: 3, item: output[3] }),
    event('response.completed', {
      response: response('completed', {
        output,
        usage: {
          input_tokens: 100,
          input_tokens_details: { cached_tokens: 60 },
          output_tokens: 7,
          output_tokens_details: { reasoning_tokens: 3 },
          total_tokens: 107,
        },
      }),
    }),
  ]),
);

export const responsesReply = {
  model: 'openai/m',
  text: 'Grüße 🚀',
  reasoning: 'Hmm, é\n\nThen',
  opaque: { items: [{ reasoning }, { text: 8, phase: 'commentary' }, { call: 0 }, { call: 1 }] },
  calls: [
    { id: 'call_2', tool: 'read_file', args: { path: 'ä.txt' } },
    { id: 'call_3', tool: 'list_files', args: {} },
  ],
  usage: { inputTokens: 100, outputTokens: 7, cachedTokens: 60 },
  stop: 'calls',
};
