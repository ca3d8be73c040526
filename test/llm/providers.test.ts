// Streams in the shape of each provider: the same reply, wherever the bytes are cut.
import { expect, test } from 'vitest';
import { sseReader } from '../../packages/agent/src/llm/http/sse-reader.ts';
import { providerStreams } from '../support/provider-streams.ts';
import { readerOf } from '../support/wire-reader.ts';

function read(pieces: readonly Buffer[]): unknown {
  const reader = readerOf('openai');
  const sse = sseReader();
  for (const event of [...pieces.flatMap((piece) => sse.push(piece)), ...sse.end()]) reader.event(event);
  return reader.isEnough() ? reader.finish().reply : 'incomplete';
}

test.each(providerStreams)('$name', ({ stream, expected }) => {
  const bytes = Buffer.from(stream);
  const uncut = read([bytes]);
  expect(uncut).toEqual({ model: 'openai/m', stop: 'calls', ...expected });
  const cuts = Array.from(bytes.keys(), (at) => read([bytes.subarray(0, at), bytes.subarray(at)]));
  expect(new Set(cuts.map((reply) => JSON.stringify(reply)))).toEqual(new Set([JSON.stringify(uncut)]));
});
