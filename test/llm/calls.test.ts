// Calls as models write them: in pieces, or broken.
import { describe, expect, test } from 'vitest';
import { ask, modelAt, question } from '../support/ask-model.ts';
import { chatStream, messageStream, modelServer } from '../support/model-server.ts';

type CallPiece = { index?: number; id?: string; name?: string; args?: unknown };

/** A stream in which each piece is a chunk of its own. */
function callStream(pieces: readonly CallPiece[], finish = 'tool_calls'): string {
  const deltas = pieces.map(({ index, id, name, args }) => ({
    tool_calls: [
      {
        ...(index !== undefined && { index }),
        ...(id !== undefined && { id }),
        function: { name, arguments: args },
      },
    ],
  }));
  const chunks = deltas.map((delta) => ({ choices: [{ delta }] }));
  return chatStream([...chunks, { choices: [{ delta: {}, finish_reason: finish }] }]);
}

async function callsOf(stream: string, request = question) {
  await using server = await modelServer([{ pieces: [stream] }]);
  return (await ask(await modelAt(server.url), request)).reply;
}

describe('pieces of calls', () => {
  test('without ids, or with one id for all, every call gets its own', async () => {
    const { calls } = await callsOf(
      callStream([
        { index: 0, name: 'read_file', args: '{"path":"a"}' },
        { index: 1, id: 'x', name: 'read_file', args: '{"path":"b"}' },
        { index: 2, id: 'x', name: 'read_file', args: '{"path":"c"}' },
      ]),
    );
    expect(calls.map(({ args }) => args.path)).toEqual(['a', 'b', 'c']);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
  });

  test('an id that an earlier reply used is not used again', async () => {
    const first = await callsOf(callStream([{ index: 0, id: 'call_0', name: 'list_files', args: '{}' }]));
    const result = { role: 'tool' as const, callId: 'call_0', tool: 'list_files', text: '', isError: false };
    const request = {
      ...question,
      messages: [...question.messages, { role: 'assistant' as const, reply: first }, result],
    };
    const second = await callsOf(
      callStream([{ index: 0, id: 'call_0', name: 'list_files', args: '{}' }]),
      request,
    );
    expect(first.calls[0]?.id).toBe('call_0');
    expect(second.calls[0]?.id).toMatch(/^call_.{8,}/);
  });

  test('without an index, or always with the first one, calls are told apart', async () => {
    for (const index of [undefined, 0]) {
      const place = index === undefined ? {} : { index };
      const { calls } = await callsOf(
        callStream([
          { ...place, id: 'one-one-one', name: 'read_file', args: '{"path":' },
          { ...place, args: '"a"}' },
          { ...place, id: 'two-two-two', name: 'list_files', args: {} },
          { ...place, name: 'read_file', args: '{"path":"c"}' },
        ]),
      );
      expect(calls.map(({ tool, args }) => [tool, args])).toEqual([
        ['read_file', { path: 'a' }],
        ['list_files', {}],
        ['read_file', { path: 'c' }],
      ]);
    }
  });

  test('a name that is repeated with every piece is one name', async () => {
    const { calls } = await callsOf(
      callStream([
        { index: 0, id: 'same-same', name: 'read_file', args: '' },
        { index: 0, id: 'same-same', name: 'read_file', args: '{"path":' },
        { index: 0, id: 'same-same', name: 'read_file', args: '"a"}' },
      ]),
    );
    expect(calls).toEqual([{ id: 'same-same', tool: 'read_file', args: { path: 'a' } }]);
  });
});

describe('broken arguments are told to the model', () => {
  test.each([
    ['{"path": "a', 'tool_calls', /can't be read.*Make the call again with valid JSON/s],
    ['{"path": "a', 'length', /ran out of room/],
    ['', 'length', /ran out of room/],
    ['[1]', 'tool_calls', /must be one JSON object, not an array/],
    ['7', 'tool_calls', /not a number/],
    ['{"__proto__": {"a": 1}}', 'tool_calls', /__proto__/],
    [`{"a":${'['.repeat(100)}${']'.repeat(100)}}`, 'tool_calls', /nested deeper/],
    [`{"a":"${'x'.repeat(10 * 1024 * 1024)}"}`, 'tool_calls', /longer than/],
  ])('%.30s (%s)', async (args, finish, problem) => {
    const { calls, stop } = await callsOf(
      callStream([{ index: 0, id: 'some-call', name: 'read_file', args }], finish),
    );
    expect(calls).toMatchObject([{ id: 'some-call', tool: 'read_file', args: {} }]);
    expect(calls[0]?.problem).toMatch(problem);
    expect(stop).toBe('calls');
  });

  test('only the last call of a cut reply is suspected; nothing and a string in a string are read', async () => {
    const { calls } = await callsOf(
      callStream(
        [
          { index: 0, name: 'list_files', args: '' },
          { index: 1, name: 'read_file', args: JSON.stringify('{"path":"a"}') },
          { index: 2, name: 'list_files', args: '' },
        ],
        'length',
      ),
    );
    expect(calls.map(({ args, problem }) => [args, problem === undefined])).toEqual([
      [{}, true],
      [{ path: 'a' }, true],
      [{}, false],
    ]);
  });

  test('a call without a name, and one of a tool nobody offered', async () => {
    const { calls } = await callsOf(
      callStream([
        { index: 0, args: '{}' },
        { index: 1, name: 'fly', args: '{}' },
      ]),
    );
    expect(calls).toMatchObject([{ tool: 'unknown', problem: 'The call names no tool.' }, { tool: 'fly' }]);
  });

  test('what the provider filtered is not run', async () => {
    const stream = callStream([{ index: 0, name: 'list_files', args: '{}' }], 'content_filter');
    expect(await callsOf(stream)).toMatchObject({ calls: [], stop: 'refused' });
  });

  test('Anthropic: cut in the middle of its input', async () => {
    const stream = messageStream([
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"pa' } },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 3 } },
      { type: 'message_stop' },
    ] as { type: string }[]);
    await using server = await modelServer([{ pieces: [stream] }]);
    const { reply } = await ask(await modelAt(server.url, 'anthropic'));
    expect(reply.calls).toMatchObject([{ args: {}, problem: expect.stringContaining('ran out of room') }]);
  });
});
