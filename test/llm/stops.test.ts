// Every reason for which a provider ends a reply, over every wire.
import type { Reply } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { chatStream, messageStream } from '../support/model-server.ts';
import { readStream, type WireUnderTest } from '../support/wire-reader.ts';

describe('every reason to stop', () => {
  const chat = (finish: string, delta: unknown = { content: 'Hi' }) =>
    chatStream([{ choices: [{ delta }] }, { choices: [{ delta: {}, finish_reason: finish }] }]);
  const message = (stop: string) =>
    messageStream([
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } },
      { type: 'message_delta', delta: { stop_reason: stop } },
      { type: 'message_stop' },
    ] as unknown as { type: string }[]);
  const response = (type: string, extra: object, content: object = { type: 'output_text', text: 'Hi' }) =>
    messageStream([
      { type: 'response.output_item.done', output_index: 0, item: { type: 'message', content: [content] } },
      { type, response: { status: type.slice('response.'.length), ...extra } },
    ] as unknown as { type: string }[]);
  const incomplete = (reason: string) => response('response.incomplete', { incomplete_details: { reason } });

  test.each<[WireUnderTest, string, string, Reply['stop']]>([
    ['openai', 'stop', chat('stop'), 'end'],
    ['openai', 'tool_calls without any', chat('tool_calls'), 'calls'],
    ['openai', 'length', chat('length'), 'length'],
    ['openai', 'model_length (Mistral)', chat('model_length'), 'length'],
    ['openai', 'MAX_TOKENS (Gemini)', chat('MAX_TOKENS'), 'length'],
    ['openai', 'content_filter', chat('content_filter'), 'refused'],
    [
      'openai',
      'content_filter: PROHIBITED_CONTENT (Gemini)',
      chat('content_filter: PROHIBITED_CONTENT'),
      'refused',
    ],
    ['openai', 'sensitive (GLM)', chat('sensitive'), 'refused'],
    ['openai', 'a refusal', chat('stop', { refusal: 'Hi' }), 'refused'],
    ['anthropic', 'end_turn', message('end_turn'), 'end'],
    ['anthropic', 'stop_sequence', message('stop_sequence'), 'end'],
    ['anthropic', 'tool_use without any', message('tool_use'), 'calls'],
    ['anthropic', 'max_tokens', message('max_tokens'), 'length'],
    ['anthropic', 'model_context_window_exceeded', message('model_context_window_exceeded'), 'length'],
    ['anthropic', 'pause_turn', message('pause_turn'), 'paused'],
    ['anthropic', 'refusal', message('refusal'), 'refused'],
    ['responses', 'completed', response('response.completed', {}), 'end'],
    ['responses', 'max_output_tokens', incomplete('max_output_tokens'), 'length'],
    ['responses', 'content_filter', incomplete('content_filter'), 'refused'],
    [
      'responses',
      'a refusal',
      response('response.completed', {}, { type: 'refusal', refusal: 'Hi' }),
      'refused',
    ],
  ])('%s: %s', (wire, _name, stream, stop) => {
    expect(readStream(wire, stream).reply).toMatchObject({ text: 'Hi', calls: [], stop });
  });

  test.each<[WireUnderTest, string, string, boolean]>([
    ['openai', 'error (OpenRouter)', chat('error'), true],
    ['openai', 'insufficient_system_resource (DeepSeek)', chat('insufficient_system_resource'), true],
    ['openai', 'abort (vLLM)', chat('abort'), true],
    [
      'openai',
      'MALFORMED_FUNCTION_CALL (Gemini)',
      chat('function_call_filter: MALFORMED_FUNCTION_CALL'),
      true,
    ],
    [
      'openai',
      'an error event',
      'event: error\ndata: {"message":"Overloaded","type":"server_error"}\n\n',
      true,
    ],
    ['openai', 'an error object', 'data: {"object":"error","message":"bad","code":400}\n\n', false],
    [
      'responses',
      'failed',
      response('response.failed', { error: { code: 'server_error', message: 'x' } }),
      true,
    ],
    [
      'responses',
      'failed for good',
      response('response.failed', { error: { code: 'invalid_prompt', message: 'x' } }),
      false,
    ],
    ['responses', 'cancelled', response('response.cancelled', {}), true],
    [
      'responses',
      'an error event',
      'event: error\ndata: {"type":"error","code":"rate_limit_exceeded","message":"x"}\n\n',
      true,
    ],
    [
      'anthropic',
      'overloaded',
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"x"}}\n\n',
      true,
    ],
  ])('%s: %s is no end of a reply', (wire, _name, stream, mayPass) => {
    expect(() => readStream(wire, stream)).toThrow(
      expect.objectContaining({ facts: expect.objectContaining({ mayPass }) }),
    );
  });

  test('what a filter stopped is not carried out', () => {
    const stream = messageStream([
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'function_call', call_id: 'c1', name: 'list_files', arguments: '{}' },
      },
      { type: 'response.incomplete', response: { incomplete_details: { reason: 'content_filter' } } },
    ] as unknown as { type: string }[]);
    expect(readStream('responses', stream).reply).toMatchObject({ calls: [], stop: 'refused' });
  });
});
