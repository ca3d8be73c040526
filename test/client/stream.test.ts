// StreamingClient against real gateways: lines that are cut anywhere, gateways that go and come back, and those that say no.
import { ApiError, StreamingClient } from '@codelab/client';
import { expect, test } from 'vitest';
import { cuttingProxy, freePort, strangeGateway } from '../support/bad-lines.ts';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

type Json = Record<string, unknown>;

const backoff = { firstMs: 10, mostMs: 50 };
const token = 'secret-token';

const talking = () =>
  scriptedModel([
    { text: 'I read it.', calls: [['read_file', { path: 'a.txt' }]] },
    { text: 'And again.', calls: [['list_files', { path: '.' }]] },
    { text: 'Done.' },
  ]);

/** A session in which a turn has ended. */
async function spokenIn(bench: Awaited<ReturnType<typeof gatewayBench>>): Promise<void> {
  const client = await bench.connect('s1');
  client.send({ type: 'user_message', content: 'Read it.' });
  await client.next('done');
  await client.close();
}

const lasting = (frame: Json): boolean =>
  !['session_info', 'agent_status', 'heartbeat'].includes(String(frame.type));

// A result is spelled like its call, and after a break the call may not have been heard.
function placeOf({ result: _spelled, ...frame }: Json): Json {
  return frame;
}

test.each([
  ['agent', 'websocket', 'done'],
  ['codelab', 'websocket', 'done'],
  ['plugin', 'sse', 'task_completed'],
  ['plugin', 'ndjson', 'task_completed'],
  ['neutral', 'sse', ''],
] as const)(
  '%s over %s, cut anywhere, is told whole and once',
  async (wire, transport, last) => {
    await using bench = await gatewayBench({ script: talking(), files: { 'a.txt': 'hello\n' } });
    await spokenIn(bench);
    const hear = async (url: string): Promise<Json[]> => {
      const received: Json[] = [];
      using client = new StreamingClient({ url, session: 's1', wire, transport, token, since: 0, backoff });
      for await (const frame of client as AsyncIterable<Json>) {
        if (lasting(frame)) received.push(frame);
        const { body } = (frame.event ?? {}) as { body?: { type: string } };
        if (last === '' ? body?.type === 'turn.ended' : frame.type === last) break;
      }
      return received;
    };
    const direct = await hear(bench.running.url);
    expect(direct.length).toBeGreaterThan(4);
    // Each line lets a little more through, so that it breaks in another place every time.
    let length = 150;
    await using proxy = await cuttingProxy(bench.running.port, () => (length += 41));
    expect((await hear(proxy.url)).map(placeOf)).toEqual(direct.map(placeOf));
    expect(proxy.cuts).toBeGreaterThan(10);
  },
  60_000,
);

test('a gateway that is stopped and started again is found, and nothing of what happened is missing', async () => {
  const port = await freePort();
  await using bench = await gatewayBench({ port, files: { 'a.txt': 'hello\n' } });
  const { url } = bench.running;
  using client = new StreamingClient({ url, session: 's1', wire: 'agent', token, since: 0, backoff });
  const states: string[] = [];
  client.onState(({ name }) => states.push(name));
  const results: unknown[] = [];
  client.on('tool_result', ({ call_id }) => results.push(call_id));
  await client.connect();
  const call = (call_id: string): object => ({
    type: 'tool_call',
    call_id,
    tool_name: 'read_file',
    arguments: { path: '/a.txt' },
  });
  expect(client.send(call('c1'))).toBe(true);
  await expect.poll(() => results).toEqual(['c1']);
  await bench.running[Symbol.asyncDispose]();
  await expect.poll(() => client.state.name).not.toBe('open');
  expect(client.send(call('not-kept'))).toBe(false);
  await bench.restart();
  const other = await bench.connect('s1');
  other.send(call('c2'));
  await expect.poll(() => results, { timeout: 10_000 }).toEqual(['c1', 'c2']);
  expect(states.slice(0, 4)).toEqual(['connecting', 'open', 'waiting', 'connecting']);
});

test('a wrong token and a foreign session are not tried again, and the error says why but not the token', async () => {
  await using bench = await gatewayBench();
  const { url } = bench.running;
  for (const wire of ['agent', 'plugin'] as const) {
    const wrong = new StreamingClient({ url, session: 's1', wire, token: 'not-the-token', backoff });
    const error = await wrong.connect().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(String(error)).not.toContain('not-the-token');
    expect(wrong.state).toMatchObject({ name: 'closed' });
    const read = async (): Promise<void> => {
      for await (const frame of wrong) expect(frame).toBe('nothing');
    };
    await expect(read()).rejects.toThrow();
  }
  const nowhere = new StreamingClient({ url, session: 's2', wire: 'plugin', token, backoff });
  await expect(nowhere.connect()).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  const ownClient = await bench.connect('of-the-gateway');
  await ownClient.close();
  const session = 'of-the-gateway';
  const useless = new StreamingClient({ url, session, wire: 'agent', token, backoff, role: 'executor' });
  await expect(useless.connect()).rejects.toMatchObject({ status: 400, code: 'INVALID_ARGUMENTS' });
});

test('a line on which nothing is heard is asked for a sign of life, and given up without one', async () => {
  await using gateway = await strangeGateway(({ send }) => send({ type: 'session_info', last_seq: 0 }));
  using client = new StreamingClient({ url: gateway.url, session: 's1', wire: 'agent', beatMs: 40, backoff });
  await client.connect();
  await expect.poll(() => gateway.lines, { timeout: 5000 }).toBeGreaterThan(1);
  expect(gateway.pings[0]).toBe('{"type":"ping"}');
});

test.each([
  [1008, 'TOKEN_EXPIRED', { name: 'closed', error: { code: 'TOKEN_EXPIRED' } }],
  [1000, 'The session is over.', { name: 'closed', why: 'The session is over.', error: undefined }],
])('closed with %i, a line is not opened again', async (code, reason, state) => {
  await using gateway = await strangeGateway(({ socket }) => socket.close(code, reason));
  using client = new StreamingClient({ url: gateway.url, session: 's1', wire: 'neutral', backoff });
  await client.connect();
  await expect.poll(() => client.state).toMatchObject(state);
  expect(gateway.lines).toBe(1);
});

test('a reader that does not keep up holds a bounded number of messages and misses none', async () => {
  const total = 500;
  await using gateway = await strangeGateway(({ send, since }) => {
    for (let seq = Number(since) + 1; seq <= total; seq++) send({ type: 'status', content: 'x', seq });
  });
  using client = new StreamingClient({
    url: gateway.url,
    session: 's1',
    wire: 'agent',
    backoff,
    since: 0,
    bufferedFrames: 20,
  });
  const seqs: unknown[] = [];
  for await (const frame of client) {
    seqs.push((frame as Json).seq);
    await new Promise((resolve) => setImmediate(resolve));
    if (seqs.length === total) break;
  }
  expect(seqs).toEqual(Array.from({ length: total }, (_, i) => i + 1));
  expect(gateway.lines).toBeGreaterThan(1);
});

test('what can’t be read is told and left out', async () => {
  await using gateway = await strangeGateway(({ send, socket }) => {
    socket.send('not json');
    socket.send('[1]');
    send({ type: 'notice', text: 'hello' });
  });
  const unreadable: string[] = [];
  using client = new StreamingClient({
    url: gateway.url,
    session: 's1',
    wire: 'neutral',
    backoff,
    onUnreadable: ({ code }) => unreadable.push(code),
  });
  const { promise, resolve } = Promise.withResolvers<string>();
  client.on('notice', ({ text }) => resolve(text));
  await client.connect();
  expect(await promise).toBe('hello');
  expect(unreadable).toEqual(['INVALID_FORMAT', 'INVALID_FORMAT']);
});

test('messages of the neutral wire are read at the edge: more than is known passes, other than is known does not', async () => {
  await using gateway = await strangeGateway(({ send }) => {
    send({ type: 'event', event: { seq: 'three' } });
    send({ type: 'signal', signal: { type: 'text', delta: 7 } });
    send({ type: 'signal', signal: { type: 'humming', tune: 1 } });
    send({ type: 'notice', text: 'hello', colour: 'red' });
  });
  const unreadable: string[] = [];
  using client = new StreamingClient({
    url: gateway.url,
    session: 's1',
    wire: 'neutral',
    backoff,
    onUnreadable: ({ message }) => unreadable.push(message.replace(/^.*left out\. /, '')),
  });
  const received: object[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  client.on('event', (frame) => received.push(frame));
  client.on('signal', (frame) => received.push(frame));
  client.on('notice', (frame) => {
    received.push(frame);
    resolve();
  });
  await client.connect();
  await promise;
  expect(received).toEqual([
    { type: 'signal', signal: { type: 'humming', tune: 1 } },
    { type: 'notice', text: 'hello', colour: 'red' },
  ]);
  expect(unreadable).toEqual(['`event.session` does not fit.', '`signal.delta` does not fit.']);
});

test('without a place to begin at, what happens while the line is down is told when it stands again', async () => {
  let line = 0;
  const places: (string | null)[] = [];
  await using gateway = await strangeGateway(({ send, socket, since }) => {
    places.push(since);
    send({ type: 'session_info', last_seq: 7 });
    if (line++ === 0) setTimeout(() => socket.terminate(), 2100);
  });
  using client = new StreamingClient({ url: gateway.url, session: 's1', wire: 'agent', backoff });
  await client.connect();
  await expect.poll(() => places, { timeout: 8000 }).toEqual([null, '7']);
});
