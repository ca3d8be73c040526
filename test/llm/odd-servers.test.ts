// Servers that do it their own way: reasoning in the text, names and arguments with remains, compressed or mislabelled answers.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ask, failure, modelAt } from '../support/ask-model.ts';
import { chatStream, modelServer } from '../support/model-server.ts';
import {
  chatBytes,
  chatReply,
  messageBytes,
  messageReply,
  responsesBytes,
  responsesReply,
} from '../support/model-streams.ts';
import { readStream } from '../support/wire-reader.ts';

describe('servers that do it their own way', () => {
  const textStream = (...parts: unknown[]) =>
    chatStream([
      ...parts.map((content) => ({ choices: [{ delta: { content } }] })),
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
    ]);
  const called = (name: string, args: string) =>
    chatStream([
      { choices: [{ delta: { tool_calls: [{ index: 0, id: 'c1', function: { name, arguments: args } }] } }] },
      { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
    ]);

  test.each([
    [['<think>', 'Hm.\n</thi', 'nk>\n\nHi'], 'Hm.\n', 'Hi'],
    [['\n<thinking>Hm.</thinking>Hi'], 'Hm.', 'Hi'],
    [
      ['<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>fi', 'nal<|message|>Hi'],
      'Hm.',
      'Hi',
    ],
    [['<|channel|>final<|message|>Hi'], undefined, 'Hi'],
    [['Hm.\n</think>\n\nHi'], 'Hm.\n', 'Hi'],
    [['<think>never closed'], 'never closed', ''],
    [['  <t', 'able>Hi'], undefined, '  <table>Hi'],
    [['Use `</think>` here'], undefined, 'Use `</think>` here'],
    [
      [[{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }], [{ type: 'text', text: 'Hi' }]],
      'Hm.',
      'Hi',
    ],
  ])('reasoning in the text: %j', (parts, reasoning, text) => {
    const { reply } = readStream('openai', textStream(...parts));
    expect([reply.reasoning, reply.text]).toEqual([reasoning, text]);
  });

  test.each([7, null, undefined, ''])('an id that is no text (%j) is replaced', (id) => {
    const calls = [{ index: 0, id, function: { name: 'read_file', arguments: '{"path":"a"}' } }];
    const item = { type: 'function_call', call_id: id, name: 'read_file', arguments: '{"path":"a"}' };
    const block = { type: 'tool_use', id, name: 'read_file', input: { path: 'a' } };
    const replies = [
      readStream(
        'openai',
        chatStream([{ choices: [{ delta: { tool_calls: calls }, finish_reason: 'stop' }] }]),
      ),
      readStream(
        'responses',
        `data: ${JSON.stringify({ type: 'response.completed', response: { status: 'completed', output: [item] } })}\n\n`,
      ),
      readStream(
        'anthropic',
        [
          { type: 'content_block_start', index: 0, content_block: block },
          { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
          { type: 'message_stop' },
        ]
          .map((event) => `data: ${JSON.stringify(event)}\n\n`)
          .join(''),
      ),
    ];
    for (const { reply } of replies) {
      expect(reply.calls).toMatchObject([{ tool: 'read_file', args: { path: 'a' } }]);
      expect(reply.calls[0]?.id).toMatch(/^\w+$/);
    }
  });

  test('reasoning in the text is the same wherever it is cut, and OpenAI’s own text is left alone', () => {
    const completeReply = '<think>Hm.</think>\n\nHi <b>';
    for (let at = 0; at <= completeReply.length; at++) {
      const { reply, events } = readStream(
        'openai',
        textStream(completeReply.slice(0, at), completeReply.slice(at)),
      );
      expect([reply.reasoning, reply.text], `cut at ${at}`).toEqual(['Hm.', 'Hi <b>']);
      const text = events.map((event) => (event.type === 'text' ? event.delta : '')).join('');
      expect(text, `shown, cut at ${at}`).toBe('Hi <b>');
    }
    expect(readStream('openai', textStream(completeReply), { quirks: { isNative: true } }).reply.text).toBe(
      completeReply,
    );
  });

  test.each([
    'functions.read_file',
    'read_file<|channel|>commentary',
    'functions.read_file<|constrain|>json',
    'default_api:read_file',
  ])('the name %s', (name) => {
    expect(readStream('openai', called(name, '{"path":"a"}')).reply.calls).toEqual([
      { id: 'c1', tool: 'read_file', args: { path: 'a' } },
    ]);
  });

  test.each([
    ['{"path":"a\nb\tc"}', 'a\nb\tc'],
    ['```json\n{"path":"a"}\n```', 'a'],
    ['{}{"path":"a"}', 'a'],
    ['{"path":"say \\"a\nb\\""}', 'say "a\nb"'],
  ])('arguments that mean only one thing: %j', (args, path) => {
    expect(readStream('openai', called('read_file', args)).reply.calls).toEqual([
      { id: 'c1', tool: 'read_file', args: { path } },
    ]);
  });

  test('a second choice is not mixed in, and `function_call` is a call', () => {
    const stream = chatStream([
      {
        choices: [
          { index: 1, delta: { content: 'BAD' } },
          { index: 0, delta: { content: 'Hi' } },
        ],
      },
      { choices: [{ index: 0, delta: { function_call: { name: 'list_files', arguments: '{}' } } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'function_call' }] },
    ]);
    expect(readStream('openai', stream).reply).toMatchObject({
      text: 'Hi',
      calls: [{ tool: 'list_files', args: {} }],
    });
  });

  test('no [DONE], no message_stop, no usage', () => {
    const chat = textStream('Hi').replace('data: [DONE]\n\n', '');
    const message = messageBytes
      .toString()
      .replace('event: message_stop\ndata: {"type":"message_stop"}\n\n', '');
    expect(readStream('openai', chat).reply).toMatchObject({
      text: 'Hi',
      usage: { inputTokens: 0, outputTokens: 0 },
    });
    expect(readStream('anthropic', message).reply).toEqual(messageReply);
  });

  test('a server that sends only the last event of a response', () => {
    const [last = ''] = responsesBytes.toString().split('\n\n').slice(-2);
    expect(readStream('responses', `${last}\n\n`).reply).toEqual(responsesReply);
  });

  test('compressed answers, a stream called JSON, and JSON called text', async () => {
    const completeReply = JSON.stringify({
      choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }],
    });
    const compressed = gzipSync(chatBytes);
    await using server = await modelServer([
      {
        headers: { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' },
        pieces: [compressed.subarray(0, 100), compressed.subarray(100)],
      },
      { headers: { 'content-type': 'application/json' }, pieces: [chatBytes] },
      { headers: { 'content-type': 'text/plain' }, pieces: [` ${completeReply}`] },
      { headers: { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }, pieces: ['not gzip'] },
    ]);
    const model = await modelAt(server.url, 'openai', { attempts: 1 });
    expect((await ask(model)).reply).toEqual(chatReply);
    expect((await ask(model)).reply).toEqual(chatReply);
    expect((await ask(model)).reply.text).toBe('Hi');
    expect((await failure(ask(model))).message).toContain('The compressed answer is broken.');
  });
});
