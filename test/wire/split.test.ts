// A stream says the same wherever the network cuts it: between any two bytes, in the midst of a character, a line or an escape.
import { encodePluginEvent, type Framing, type PluginEvent } from '@codelab/dialects';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventStreamConnection } from '../../packages/client/src/stream/event-stream.ts';
import { gatewayBench } from '../support/gateway-bench.ts';
import { streamEvents } from '../support/wire-arbitraries.ts';

const common = { timestamp: '2026-01-09T10:00:00.000Z', session_id: 's1' };
const examples: PluginEvent[] = [
  {
    ...common,
    type: 'message_created',
    seq: 7,
    role: 'user',
    content: 'Прочитай «a.txt»\r\n\n\u2028😀\ud800',
  },
  { ...common, type: 'heartbeat' },
  {
    ...common,
    type: 'tool.approval_request',
    seq: 8,
    tool_id: 'c1',
    tool_name: 'write_file',
    args: { path: 'ä', content: 'data: x\n\nid: 9\nevent: y' },
    risk_level: 'high',
  },
];

describe.each(['sse', 'ndjson'] as const)('%s', (framing) => {
  test('cut in two at every byte, and into single bytes', async () => {
    const bytes = bytesOf(examples, framing);
    for (const at of bytes.keys())
      expect(await read([bytes.subarray(0, at), bytes.subarray(at)], framing), `cut at ${at}`).toEqual(
        examples,
      );
    expect(
      await read(
        [...bytes].map((byte) => Uint8Array.of(byte)),
        framing,
      ),
    ).toEqual(examples);
  });

  test('any events, cut anywhere', async () => {
    const any = fc.array(fc.oneof(...streamEvents.map(([, arbitrary]) => arbitrary)), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(any, fc.array(fc.nat(4000)), async (events, cuts) => {
        const bytes = bytesOf(events, framing);
        const places = [0, ...cuts.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
        expect(await read(pieces, framing)).toEqual(events);
      }),
    );
  });

  test('what breaks off in the midst is not told', async () => {
    const bytes = bytesOf(examples, framing);
    for (const at of bytes.keys()) {
      const events = await read([bytes.subarray(0, at)], framing);
      expect(events).toEqual(examples.slice(0, events.length));
      expect(events.length).toBeLessThan(examples.length);
    }
  });
});

test('a message at a socket, cut into two fragments at every byte', async () => {
  await using bench = await gatewayBench({ files: { 'ä😀.txt': 'да\n' } });
  const { socket, received } = await bench.connect('s1');
  const call = (id: number): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: 'tool_call',
        call_id: `c${id}`,
        tool_name: 'read_file',
        args: { path: 'ä😀.txt' },
      }),
    );
  const count = call(1).length;
  const answer = new Promise<void>((resolve) => {
    socket.on('message', () => received.filter(isResult).length === count && resolve());
  });
  for (let at = 0; at < count; at++) {
    const bytes = call(at);
    socket.send(bytes.subarray(0, at), { binary: false, fin: false });
    socket.send(bytes.subarray(at), { binary: false, fin: true });
  }
  await answer;
  for (const { call_id, result, error } of received.filter(isResult))
    expect(result ?? error, String(call_id)).toEqual({ content: 'да\n', encoding: 'utf-8' });
  expect(bench.faults).toEqual([]);
});

const isResult = ({ type }: { type?: unknown }): boolean => type === 'tool_result';

const bytesOf = (events: PluginEvent[], framing: Framing): Uint8Array =>
  new TextEncoder().encode(events.map((event) => encodePluginEvent(event, framing)).join(''));

/** The events that our client reads from a body in these pieces. */
async function read(pieces: Uint8Array[], framing: Framing): Promise<unknown[]> {
  const frames: unknown[] = [];
  const unreadable: unknown[] = [];
  await eventStreamConnection({
    fetch: async () => new Response(ReadableStream.from(pieces)),
    url: 'http://127.0.0.1/',
    headers: {},
    framing,
    beatMs: 60_000,
    signal: new AbortController().signal,
    onOpen: () => undefined,
    onFrame: ({ frame, seq }) => frames.push(seq === undefined ? frame : { ...frame, seq }),
    onUnreadable: (error) => unreadable.push(error),
  });
  expect(unreadable).toEqual([]);
  return frames;
}
