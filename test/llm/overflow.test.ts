// Recognizing that a request is too long, and messages that only look like it; ids that fit each wire.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { overflowOf, overflowSources } from '../../packages/agent/src/llm/http/overflow.ts';
import { wireId } from '../../packages/agent/src/llm/request/call-ids.ts';
import { ask, modelAt } from '../support/ask-model.ts';
import { modelServer } from '../support/model-server.ts';

test.each([
  [
    'OpenAI',
    'This model’s maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.',
    128_000,
  ],
  ['OpenAI Responses', 'Your input exceeds the context window of this model.', undefined],
  ['Anthropic', 'prompt is too long: 210000 tokens > 200000 maximum', 200_000],
  ['Anthropic', 'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000', 200_000],
  [
    'Gemini',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    1_048_576,
  ],
  ['xAI', 'This model’s maximum prompt length is 131072 but the request contains 537812 tokens.', 131_072],
  ['Bedrock', 'Input is too long for requested model.', undefined],
  ['Copilot', 'prompt token count of 130000 exceeds the limit of 128000', 128_000],
  ['Moonshot', 'Your request exceeded model token limit: 131072', 131_072],
  ['Together', '`inputs` tokens + `max_new_tokens` must be <= 32769. Given: 40000 `inputs` tokens', 32_769],
  ['vLLM', 'The decoder prompt (length 50000) is longer than the maximum model length of 32768.', 32_768],
  ['vLLM', 'You passed 40961 input tokens. However, the model’s context length is only 40960 tokens', 40_960],
  ['DashScope', 'Range of input length should be [1, 98304]', 98_304],
  ['llama.cpp', 'the request exceeds the available context size', undefined],
  ['LM Studio', 'tokens to keep from the initial prompt is greater than the context length', undefined],
  [
    'LM Studio',
    'Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough.',
    32_768,
  ],
  ['LM Studio', 'Context size has been exceeded.', undefined],
  [
    'vLLM, SGLang',
    'The input (1492905 tokens) is longer than the model’s context length (1048576 tokens).',
    1_048_576,
  ],
  ['Groq, Cerebras', 'Please reduce the length of the messages or completion.', undefined],
  [
    'Groq, Cerebras',
    'Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000',
    40_000,
  ],
  [
    'Cohere',
    'too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354. Try using a shorter prompt',
    2048,
  ],
  ['Mistral', 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length', 32_768],
  ['Cohere', 'too many tokens: total number of tokens in the prompt cannot exceed 4081', 4081],
  [
    'Vertex AI',
    'Unable to submit request because the input token count is 1251952 but model only supports up to 1048576.',
    1_048_576,
  ],
  ['Zhipu', 'Prompt exceeds max length', undefined],
  ['Zhipu', 'Prompt 超长', undefined],
  ['Volcengine', 'Input length 300000 exceeds the maximum length 229376. Request id: 1', 229_376],
  ['SiliconFlow', 'length of prompt_tokens (57535) must be less than max_seq_len (32768).', 32_768],
  [
    'watsonx',
    'the number of input tokens 9000 cannot exceed the total tokens limit 8192 for this model',
    8192,
  ],
  ['Fireworks', 'The prompt is too long: 300000, model maximum context length: 131071', 131_071],
  ['servers in general', 'Request exceeds model max context length of 8192', 8192],
  ['Ollama', 'input length exceeds maximum context length', undefined],
  ['servers in general', 'Context window exceeded', undefined],
  ['servers in general', 'The context is too long: 9000 tokens', undefined],
])('%s: "%s" is an overflow', (_from, message, limit) => {
  expect(overflowOf({ message, type: '', code: '' })).toEqual(limit === undefined ? {} : { limit });
});

test.each([
  'Too many tokens, please wait before trying again.',
  'Rate limit reached for tokens per min. Please try again in 8.2s.',
  'The context of this request is not allowed.',
])('"%s" is none', (message) => {
  expect(overflowOf({ message, type: '', code: '' })).toBeUndefined();
});

test('a throttle that says in words how long to wait is waited for', async () => {
  const busy = { error: { message: 'Rate limit reached. Please try again in 20ms.' } };
  const headers = { 'content-type': 'application/json' };
  await using server = await modelServer([
    { status: 429, headers, pieces: [JSON.stringify(busy)] },
    {
      headers,
      pieces: [JSON.stringify({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] })],
    },
  ]);
  const { events, reply } = await ask(await modelAt(server.url));
  expect(events[0]).toMatchObject({ type: 'retry', afterMs: 20 });
  expect(reply.text).toBe('Hi');
});

test('ids fit each wire, are the same every time, and differ', () => {
  const long = `call_${'a'.repeat(24)}.call_${'b'.repeat(24)}`;
  for (const form of [{ maxLength: 40 }, { maxLength: 64 }, { maxLength: 9, isExact: true }]) {
    expect(wireId(long, form)).toBe(wireId(long, form));
    expect(wireId(long, form)).not.toBe(wireId(`${long}c`, form));
    expect(wireId(long, form).length).toBeLessThanOrEqual(form.maxLength);
  }
  expect(wireId('abc', { maxLength: 9, isExact: true })).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(wireId('call_1', { maxLength: 40 })).toBe('call_1');
});

test('the documentation lists everyone whose words are recognised', () => {
  const docs = readFileSync(join(import.meta.dirname, '../..', 'docs', 'models.md'), 'utf8');
  expect(overflowSources().filter((from) => !docs.includes(`| ${from} |`))).toEqual([]);
});
