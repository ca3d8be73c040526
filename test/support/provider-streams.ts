// The same reply as servers stream it over chat completions, each in the shape that its documentation shows.
import type { Reply } from '@codelab/protocol';
import { chatStream } from './model-server.ts';

type Shape = { name: string; stream: string; expected: Partial<Reply> };

const chunk = (delta: unknown, finish_reason: string | null = null, fields: object = {}) => ({
  id: 'x1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason, ...fields }],
});
const call = (fields: object) => ({ tool_calls: [{ index: 0, type: 'function', ...fields }] });
const wholeCall = (id: string) => call({ id, function: { name: 'read_file', arguments: '{"path":"ä"}' } });
const counts = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 };
const calls = (id: string) => [{ id, tool: 'read_file', args: { path: 'ä' } }];
const usage = { inputTokens: 10, outputTokens: 4 };

const details = [
  { type: 'reasoning.text', text: 'Hm', format: 'anthropic-claude-v1', index: 0 },
  { type: 'reasoning.text', text: '.', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 },
];

export const providerStreams: readonly Shape[] = [
  {
    name: 'DeepSeek: reasoning_content, counts in the last chunk with a choice',
    stream: chatStream([
      chunk({ role: 'assistant', content: null, reasoning_content: '' }),
      chunk({ content: null, reasoning_content: 'Hm' }),
      chunk({ content: 'Hi', reasoning_content: null }),
      chunk(call({ id: 'call_00_a', function: { name: 'read_file', arguments: '' } })),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"ä"}' } }] }),
      { ...chunk({ content: '' }, 'tool_calls'), usage: { ...counts, prompt_cache_hit_tokens: 8 } },
    ]),
    expected: {
      text: 'Hi',
      reasoning: 'Hm',
      opaque: { field: 'reasoning_content' },
      calls: calls('call_00_a'),
      usage: { ...usage, cachedTokens: 8 },
    },
  },
  {
    name: 'OpenRouter: comments, signed reasoning in pieces, its own price',
    stream: `: OPENROUTER PROCESSING\n\n${chatStream([
      chunk({ role: 'assistant', content: '', reasoning: 'Hm', reasoning_details: [details[0]] }),
      chunk({ role: 'assistant', content: '', reasoning: '.', reasoning_details: [details[1]] }),
      chunk({ role: 'assistant', content: 'Hi' }),
      chunk(wholeCall('toolu_1')),
      chunk({ role: 'assistant', content: '' }, 'tool_calls', { native_finish_reason: 'tool_use' }),
      { ...chunk({ role: 'assistant', content: '' }), usage: { ...counts, cost: 0.25 } },
    ])}`,
    expected: {
      text: 'Hi',
      reasoning: 'Hm.',
      opaque: {
        field: 'reasoning',
        details: [
          { type: 'reasoning.text', text: 'Hm.', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 },
        ],
      },
      calls: calls('toolu_1'),
      usage: { ...usage, cost: 0.25 },
    },
  },
  {
    name: 'Gemini: a signature beside the call, and `stop` though there is one',
    stream: chatStream([
      chunk({ role: 'assistant', content: 'Hi' }),
      chunk({
        role: 'assistant',
        tool_calls: [
          {
            index: 0,
            id: 'function-call-1',
            type: 'function',
            function: { name: 'default_api:read_file', arguments: '{"path":"ä"}' },
            extra_content: { google: { thought_signature: 'c2ln' } },
          },
        ],
      }),
      { ...chunk({ role: 'assistant' }, 'stop'), usage: counts },
    ]),
    expected: {
      text: 'Hi',
      opaque: { extra: { 0: { google: { thought_signature: 'c2ln' } } } },
      calls: calls('function-call-1'),
      usage,
    },
  },
  {
    name: 'Mistral: reasoning as a part of the content, the whole call with the end',
    stream: chatStream([
      chunk({ role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }),
      chunk({ content: 'Hi' }),
      {
        ...chunk(
          {
            content: '',
            tool_calls: [
              { id: 'D681PevKs', index: 0, function: { name: 'read_file', arguments: '{"path":"ä"}' } },
            ],
          },
          'tool_calls',
        ),
        usage: counts,
      },
    ]),
    expected: { text: 'Hi', reasoning: 'Hm', calls: calls('D681PevKs'), usage },
  },
  {
    name: 'Groq: counts in a field of its own',
    stream: chatStream([
      { ...chunk({ role: 'assistant', content: '' }), x_groq: { id: 'req_1' } },
      chunk({ reasoning: 'Hm', channel: 'analysis' }),
      chunk({ content: 'Hi' }),
      chunk(wholeCall('fc_1')),
      { ...chunk({}, 'tool_calls'), x_groq: { id: 'req_1', usage: counts } },
    ]),
    expected: { text: 'Hi', reasoning: 'Hm', opaque: { field: 'reasoning' }, calls: calls('fc_1'), usage },
  },
  {
    name: 'Azure: filters before and beside the text',
    stream: chatStream([
      {
        id: '',
        object: '',
        created: 0,
        model: '',
        choices: [],
        prompt_filter_results: [{ prompt_index: 0 }],
      },
      chunk({ role: 'assistant', content: '', refusal: null }, null, { content_filter_results: {} }),
      chunk({ content: 'Hi' }, null, { content_filter_results: { hate: { filtered: false } } }),
      chunk(wholeCall('call_1')),
      chunk({}, 'tool_calls', { content_filter_results: {} }),
      { ...chunk({}), choices: [], usage: counts },
    ]),
    expected: { text: 'Hi', calls: calls('call_1'), usage },
  },
  {
    name: 'xAI: reasoning first, the call whole in one chunk',
    stream: chatStream([
      chunk({ role: 'assistant', reasoning_content: 'Hm' }),
      chunk({ role: 'assistant', content: 'Hi' }),
      chunk({ role: 'assistant', ...wholeCall('call_1') }),
      { ...chunk({}, 'tool_calls'), usage: { ...counts, prompt_tokens_details: { cached_tokens: 2 } } },
    ]),
    expected: {
      text: 'Hi',
      reasoning: 'Hm',
      opaque: { field: 'reasoning_content' },
      calls: calls('call_1'),
      usage: { ...usage, cachedTokens: 2 },
    },
  },
  {
    name: 'a proxy: input without what was cached',
    stream: chatStream([
      chunk({ role: 'assistant', content: 'Hi' }),
      chunk(wholeCall('call_1')),
      { ...chunk({}, 'tool_calls'), usage: { ...counts, prompt_tokens_details: { cached_tokens: 90 } } },
    ]),
    expected: {
      text: 'Hi',
      calls: calls('call_1'),
      usage: { ...usage, inputTokens: 100, cachedTokens: 90 },
    },
  },
  {
    name: 'Ollama: `stop` though there is a call, no [DONE] in some versions',
    stream: chatStream([
      chunk({ role: 'assistant', content: '', reasoning: 'Hm' }),
      chunk({ role: 'assistant', content: 'Hi' }),
      chunk({ role: 'assistant', content: '', ...wholeCall('call_1') }),
      chunk({ role: 'assistant', content: '' }, 'stop'),
      { ...chunk({}), choices: [], usage: counts },
    ]).replace('data: [DONE]\n\n', ''),
    expected: { text: 'Hi', reasoning: 'Hm', opaque: { field: 'reasoning' }, calls: calls('call_1'), usage },
  },
  {
    name: 'llama.cpp: times beside the counts, CR LF',
    stream: chatStream([
      chunk({ role: 'assistant', content: null }),
      chunk({ content: 'Hi' }),
      chunk(call({ id: 'a1', function: { name: 'read_file', arguments: '{' } })),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"path":"ä"}' } }] }),
      chunk({}, 'tool_calls'),
      { ...chunk({}), choices: [], usage: counts, timings: { prompt_n: 10 } },
    ]).replaceAll('\n', '\r\n'),
    expected: { text: 'Hi', calls: calls('a1'), usage },
  },
  {
    name: 'vLLM: counts in every chunk, the name repeated, a stop reason of its own',
    stream: chatStream([
      { ...chunk({ role: 'assistant', content: '' }), usage: { prompt_tokens: 10, completion_tokens: 0 } },
      { ...chunk({ content: 'Hi' }), usage: { prompt_tokens: 10, completion_tokens: 1 } },
      chunk(call({ id: 'chatcmpl-tool-1', function: { name: 'read_file' } })),
      chunk({ tool_calls: [{ index: 0, function: { name: 'read_file', arguments: '{"path":"ä"}' } }] }),
      { ...chunk({ content: '' }, 'tool_calls', { stop_reason: 128008 }), usage: counts },
    ]),
    expected: { text: 'Hi', calls: calls('chatcmpl-tool-1'), usage },
  },
];
