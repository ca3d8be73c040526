// Streams of all wires, cut into pieces wherever a network may cut them.
import Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { sseReader } from '../../packages/agent/src/llm/http/sse-reader.ts';
import { ask, modelAt, secret, shownText } from '../support/ask-model.ts';
import { json, type ModelAnswer, modelServer } from '../support/model-server.ts';
import {
  chatBytes,
  chatReply,
  messageBytes,
  messageReply,
  responsesBytes,
  responsesReply,
} from '../support/model-streams.ts';
import { readerOf } from '../support/wire-reader.ts';

const wires = [
  { wire: 'openai' as const, bytes: chatBytes, expected: chatReply },
  { wire: 'responses' as const, bytes: responsesBytes, expected: responsesReply },
  { wire: 'anthropic' as const, bytes: messageBytes, expected: messageReply },
];

function cutAt(bytes: Buffer, at: number): ModelAnswer {
  return { pieces: [bytes.subarray(0, at), bytes.subarray(at)] };
}

describe.each(wires)('a reply of $wire', ({ wire, bytes, expected }) => {
  test('is the same wherever its bytes are cut in two', () => {
    for (const at of bytes.keys()) {
      const reader = readerOf(wire);
      const sse = sseReader();
      const pieces = [bytes.subarray(0, at), bytes.subarray(at)];
      for (const event of [...pieces.flatMap((piece) => sse.push(piece)), ...sse.end()]) reader.event(event);
      expect(reader.isComplete(), `cut at ${at}`).toBe(true);
      expect(reader.finish().reply, `cut at ${at}`).toEqual(expected);
    }
  });

  test('is the same over a connection, which is kept', async () => {
    const places = Array.from(bytes.keys()).filter((at) => at % 41 === 0);
    await using server = await modelServer(places.map((at) => cutAt(bytes, at)));
    const model = await modelAt(server.url, wire);
    for (const at of places) expect((await ask(model)).reply, `cut at ${at}`).toEqual(expected);
    expect(server.requests).toHaveLength(places.length);
    // A second one while the first has not ended its answer.
    expect(server.connections, 'connections are kept').toBeLessThanOrEqual(2);
  });

  test('is the same when every byte comes alone', async () => {
    await using server = await modelServer([{ pieces: Array.from(bytes, (byte) => Buffer.from([byte])) }]);
    const { reply, events } = await ask(await modelAt(server.url, wire));
    expect(reply).toEqual(expected);
    expect(shownText(events)).toBe(expected.text);
    expect(events.filter(({ type }) => type === 'call')).toEqual(
      expected.calls.map(({ id, tool }) => ({ type: 'call', id, tool })),
    );
  });

  test('is the same with lines that end in CR LF or CR', async () => {
    for (const end of ['\r\n', '\r']) {
      const text = bytes.toString().replaceAll('\n', end);
      await using server = await modelServer([{ pieces: [text.slice(0, 300), text.slice(300)] }]);
      expect((await ask(await modelAt(server.url, wire))).reply).toEqual(expected);
    }
  });

  test('cut off at any place is an error or whole, never a half reply', async () => {
    const cuts = Array.from(bytes.keys()).filter((at) => at % 23 === 0);
    await using server = await modelServer(
      cuts.map((at): ModelAnswer => ({ pieces: [bytes.subarray(0, at)], after: 'cut' })),
    );
    const model = await modelAt(server.url, wire, { attempts: 1 });
    for (const at of cuts) {
      const result = await ask(model).then(
        ({ reply }) => reply,
        (error: { code: string }) => error.code,
      );
      expect(result, `cut at ${at}`).toEqual(result === 'LLM_ERROR' ? 'LLM_ERROR' : expected);
    }
  });
});

test('the official client of OpenAI reads the same from the same bytes', async () => {
  await using server = await modelServer([{ pieces: [chatBytes] }]);
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: secret, maxRetries: 0 });
  const stream = client.chat.completions.stream({
    model: 'm',
    messages: [{ role: 'user', content: 'Hello' }],
  });
  const { choices, usage } = await stream.finalChatCompletion();
  const ourReply = (await ask(await modelAt(server.url))).reply;
  const calls = (choices[0]?.message.tool_calls ?? []).map((call) =>
    'function' in call ? [call.id, JSON.parse(call.function.arguments)] : [],
  );
  expect(ourReply.text).toBe(choices[0]?.message.content);
  expect(ourReply.calls.map(({ id, args }) => [id, args])).toEqual(calls);
  expect([ourReply.usage.inputTokens, ourReply.usage.outputTokens]).toEqual([
    usage?.prompt_tokens,
    usage?.completion_tokens,
  ]);
});

test('the official client of OpenAI reads the same response from the same bytes', async () => {
  await using server = await modelServer([{ pieces: [responsesBytes] }]);
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: secret, maxRetries: 0 });
  const sdkReply = await client.responses.stream({ model: 'm', input: 'Hello' }).finalResponse();
  const ourReply = (await ask(await modelAt(server.url, 'responses'))).reply;
  const calls = sdkReply.output.filter((item) => item.type === 'function_call');
  expect(ourReply.text).toBe(sdkReply.output_text);
  expect(ourReply.calls.map(({ id, tool, args }) => [id, tool, args])).toEqual(
    calls.map((call) => [call.call_id, call.name, JSON.parse(call.arguments)]),
  );
  expect(ourReply.opaque).toMatchObject({ items: [{ reasoning: sdkReply.output[0] }, {}, {}, {}] });
  expect([ourReply.usage.inputTokens, ourReply.usage.outputTokens]).toEqual([
    sdkReply.usage?.input_tokens,
    sdkReply.usage?.output_tokens,
  ]);
});

test('the official client of Anthropic reads the same from the same bytes', async () => {
  await using server = await modelServer([{ pieces: [messageBytes] }]);
  const client = new Anthropic({ baseURL: server.url, apiKey: secret, maxRetries: 0 });
  const sdkReply = await client.messages
    .stream({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] })
    .finalMessage();
  const ourReply = (await ask(await modelAt(server.url, 'anthropic'))).reply;
  const blocksOfType = <T extends string>(type: T) => sdkReply.content.filter((block) => block.type === type);
  expect(blocksOfType('text').map((block) => 'text' in block && block.text)).toEqual([ourReply.text]);
  expect(blocksOfType('thinking')).toEqual([messageReply.opaque.blocks[0]?.thought]);
  expect(
    blocksOfType('tool_use').map((block) => 'input' in block && [block.id, block.name, block.input]),
  ).toEqual(ourReply.calls.map(({ id, tool, args }) => [id, tool, args]));
  expect(sdkReply.usage.output_tokens).toBe(ourReply.usage.outputTokens);
});

test('events are the same however the bytes are cut', () => {
  const text = fc.array(fc.constantFrom('data: é', 'data:🚀x', 'data', 'event: a', ': no', '', 'id: 1'));
  const end = fc.constantFrom('\n', '\r\n', '\r');
  const cuts = fc.array(fc.nat(200));
  fc.assert(
    fc.property(text, end, cuts, (lines, lineEnd, places) => {
      const bytes = Buffer.from(`${lines.join(lineEnd)}${lineEnd}`);
      const read = (pieces: Buffer[]) => {
        const reader = sseReader();
        return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
      };
      const sorted = [
        0,
        ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b),
        bytes.length,
      ];
      const pieces = sorted.slice(1).map((to, i) => bytes.subarray(sorted[i] ?? 0, to));
      expect(read(pieces)).toEqual(read([bytes]));
    }),
  );
});

test('a mark at the beginning, comments, fields without a colon and data of several lines', () => {
  const reader = sseReader();
  const bytes = Buffer.from(
    '\ufeffevent: a\ndata: 1\n:x\ndata\ndata:  2\nretry: 5\n\nevent: b\n\ndata: last',
  );
  expect([...reader.push(bytes), ...reader.end()]).toEqual([
    { type: 'a', data: '1\n\n 2' },
    { type: '', data: 'last' },
  ]);
});

test('a server that does not stream is understood', async () => {
  const chat = {
    choices: [
      {
        message: {
          content: 'Hi',
          tool_calls: [{ id: 'x1', function: { name: 'read_file', arguments: { path: 'a' } } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 2 },
  };
  await using server = await modelServer([json(chat)]);
  expect((await ask(await modelAt(server.url))).reply).toEqual({
    model: 'openai/m',
    text: 'Hi',
    calls: [{ id: 'x1', tool: 'read_file', args: { path: 'a' } }],
    usage: { inputTokens: 3, outputTokens: 2 },
    stop: 'calls',
  });
  const message = {
    content: [
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 'x1', name: 'read_file', input: { path: 'a' } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 3, output_tokens: 2 },
  };
  await using other = await modelServer([json(message)]);
  const { reply } = await ask(await modelAt(other.url, 'anthropic'));
  expect([reply.text, reply.calls]).toEqual(['Hi', [{ id: 'x1', tool: 'read_file', args: { path: 'a' } }]]);
});
