// A reader of one wire without a server: its result is a function of the stream's bytes.
import type { ModelEvent, ModelRequest } from '@codelab/agent';
import type { Reply } from '@codelab/protocol';
import { keepAliveAgent } from '../../packages/agent/src/llm/http/post.ts';
import { sseReader } from '../../packages/agent/src/llm/http/sse-reader.ts';
import type { ReplyReader, Site } from '../../packages/agent/src/llm/wire.ts';
import { anthropicWire } from '../../packages/agent/src/llm/wires/anthropic.ts';
import { openaiWire } from '../../packages/agent/src/llm/wires/openai.ts';
import { responsesWire } from '../../packages/agent/src/llm/wires/responses.ts';
import { question } from './ask-model.ts';

export type WireUnderTest = 'openai' | 'responses' | 'anthropic';

const wires = { openai: openaiWire, responses: responsesWire, anthropic: anthropicWire };

export function readerOf(
  wire: WireUnderTest,
  { request = question, quirks = {} }: { request?: ModelRequest; quirks?: Site['quirks'] } = {},
): ReplyReader {
  const url = new URL('http://127.0.0.1/v1');
  const model = wire === 'anthropic' ? 'anthropic/m' : 'openai/m';
  return wires[wire]({
    id: 'm',
    quirks,
    price: undefined,
    origin: { model, url, urlFrom: 'BASE_URL', keyFrom: 'API_KEY', secrets: [] },
    endpoint: { url, headers: {}, agent: keepAliveAgent(url, {}) },
  }).read(request);
}

/** Throws what the reader throws. */
export function readStream(
  wire: WireUnderTest,
  stream: string,
  options?: Parameters<typeof readerOf>[1],
): { events: ModelEvent[]; reply: Reply } {
  const reader = readerOf(wire, options);
  const sse = sseReader();
  const streamed = [...sse.push(Buffer.from(stream)), ...sse.end()].flatMap((event) => reader.event(event));
  if (!reader.isEnough()) throw new Error('The stream ended before the reply did.');
  const { events, reply } = reader.finish();
  return { events: [...streamed, ...events], reply };
}
