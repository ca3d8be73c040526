// Malicious messages to a socket: they are refused cleanly, the process stays up, and other clients are not affected.
import { randomBytes } from 'node:crypto';
import { connect as connectPlain, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Client, type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';

async function isWell(client: Client): Promise<boolean> {
  const id = Math.random();
  client.send({ type: 'ping', id });
  await client.next('pong', (message) => message.id === id);
  return true;
}

const deep = (open: string, count: number): string => open.repeat(count);

test.each([
  ['nothing', '', 'INVALID_FORMAT'],
  ['no JSON', '{"type":', 'INVALID_FORMAT'],
  ['an array', '[]', 'INVALID_FORMAT'],
  ['null', 'null', 'INVALID_FORMAT'],
  ['a number', '1', 'INVALID_FORMAT'],
  ['no type', '{}', 'INVALID_FORMAT'],
  ['an unknown type', '{"type":"launch"}', 'INVALID_FORMAT'],
  ['a type that is none', '{"type":{"a":1}}', 'INVALID_FORMAT'],
  ['a message without content', '{"type":"user_message"}', 'INVALID_ARGUMENTS'],
  ['content of another type', '{"type":"user_message","content":{"a":1}}', 'INVALID_ARGUMENTS'],
  ['another role', '{"type":"user_message","content":"x","role":"system"}', 'INVALID_ARGUMENTS'],
  [
    'too long a message',
    JSON.stringify({ type: 'user_message', content: 'x'.repeat(10_001) }),
    'INVALID_ARGUMENTS',
  ],
  [
    'a prototype',
    '{"type":"user_message","content":"x","__proto__":{"isOperator":true}}',
    'INVALID_ARGUMENTS',
  ],
  ['half a character', '{"type":"user_message","content":"\\ud800"}', 'INVALID_ARGUMENTS'],
  [
    'a decision about nothing',
    '{"type":"hitl_decision","call_id":"no","decision":"approve"}',
    'APPROVAL_NOT_FOUND',
  ],
  ['a decision without a word', '{"type":"hitl_decision","call_id":"no"}', 'INVALID_ARGUMENTS'],
  ['a result nobody asked for', '{"type":"tool_result","call_id":"no","result":{}}', 'INVALID_ARGUMENTS'],
  [
    'a plan nobody made',
    '{"type":"plan_decision","approval_request_id":"no","decision":"approve"}',
    'APPROVAL_NOT_FOUND',
  ],
  ['an unknown agent', '{"type":"switch_agent","agent_type":"../x","content":"x"}', 'INVALID_ARGUMENTS'],
  ['brackets', deep('[', 5_000_000), 'INVALID_FORMAT'],
  ['objects', deep('{"a":', 1_000_000), 'INVALID_FORMAT'],
])('%s: an error with a code, and the socket stays open', async (_name, text, code) => {
  await using bench = await gatewayBench();
  const client = await bench.connect('s1');
  client.send(text);
  expect(await client.next('error')).toMatchObject({
    type: 'error',
    error_code: code,
    message: expect.any(String),
  });
  expect(await isWell(client)).toBe(true);
  expect(bench.faults).toEqual([]);
});

test('a call that can’t be read is answered as a call', async () => {
  await using bench = await gatewayBench();
  const client = await bench.connect('s1');
  client.send({ type: 'tool_call', call_id: 'c1', tool_name: 'launch', arguments: {} });
  expect(await client.next('tool_result')).toMatchObject({ call_id: 'c1', error_code: 'TOOL_NOT_FOUND' });
  client.send({
    type: 'tool_call',
    call_id: 'c2',
    tool_name: 'read_file',
    args: { path: 'a' },
    arguments: { path: 'b' },
  });
  expect(await client.next('tool_result')).toMatchObject({ call_id: 'c2', error_code: 'INVALID_ARGUMENTS' });
  client.send({ type: 'tool_call', call_id: 'c3', tool_name: 'read_file', args: { path: '../x' } });
  expect(await client.next('tool_result')).toMatchObject({
    call_id: 'c3',
    error: { code: expect.stringMatching(/PATH/) },
  });
});

test('a message over the limit is refused; one far over it, or swollen when unpacked, ends the line', async () => {
  await using bench = await gatewayBench();
  const quiet = await bench.connect('s2');
  const client = await bench.connect('s1');
  const messageOfSize = (bytes: number): string => JSON.stringify({ type: 'ping', id: 'x'.repeat(bytes) });
  client.send(messageOfSize(10 * 1024 * 1024));
  expect(await client.next('error')).toMatchObject({ error_code: 'FILE_TOO_LARGE' });
  expect(await isWell(client)).toBe(true);
  client.socket.send(messageOfSize(20 * 1024 * 1024), { compress: false });
  expect((await client.closed).code).toBe(1009);
  const bomb = await bench.connect('s1');
  bomb.socket.send('x'.repeat(64 * 1024 * 1024), { compress: true });
  expect((await bomb.closed).code).toBe(1009);
  expect(await isWell(quiet)).toBe(true);
});

/** A socket by hand, to send frames that no library sends. */
async function byHand(bench: GatewayBench): Promise<{ line: Socket; ended: Promise<Buffer> }> {
  const { port, host } = new URL(bench.running.url);
  const line = connectPlain(Number(port), '127.0.0.1');
  const chunks: Buffer[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  line.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    open();
  });
  line.on('error', () => undefined);
  const ended = new Promise<Buffer>((resolve) => line.on('close', () => resolve(Buffer.concat(chunks))));
  line.write(
    `GET /ws/s1 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer secret-token\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
  );
  await opened;
  return { line, ended };
}

test.each([
  ['2^63 bytes announced', Buffer.from([0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]), [1009, 1002]],
  ['an unmasked frame', Buffer.from([0x81, 0x02, 0x7b, 0x7d]), [1002]],
  ['an unknown opcode', Buffer.from([0x8b, 0x80, 0, 0, 0, 0]), [1002]],
  ['bytes that are no UTF-8', Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28]), [1007]],
  ['a binary frame where text is promised', Buffer.from([0x82, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]), [1003]],
  ['reserved bits', Buffer.from([0xb1, 0x80, 0, 0, 0, 0]), [1002]],
])('%s: the line is closed with a code', async (_name, frame, codes) => {
  await using bench = await gatewayBench();
  const quiet = await bench.connect('s2');
  const { line, ended } = await byHand(bench);
  line.write(frame);
  const bytes = await ended;
  const at = bytes.lastIndexOf(0x88);
  expect(codes).toContain(bytes.readUInt16BE(at + 2));
  expect(await isWell(quiet)).toBe(true);
  expect(bench.faults).toEqual([]);
});

test('a message with the same key twice is refused by its name, at any depth', async () => {
  await using bench = await gatewayBench();
  const client = await bench.connect('s1');
  const spelled = String.raw`{"type":"tool_call","call_id":"c1","name":"read_file","arguments":{"path":"a.txt","p\u0061th":".env"}}`;
  client.send(spelled);
  expect(await client.next('error')).toMatchObject({
    error_code: 'INVALID_ARGUMENTS',
    message: 'The key `path` is given twice. Give it once.',
    details: { field: 'path' },
  });
  expect(await isWell(client)).toBe(true);
});

test('a flood is refused, then cut off; a quiet peer is answered meanwhile', async () => {
  await using bench = await gatewayBench();
  const quiet = await bench.connect('s2');
  const client = await bench.connect('s1');
  for (let i = 0; i < 10_000; i++) client.send({ type: 'ping', id: i });
  const before = performance.now();
  expect(await isWell(quiet)).toBe(true);
  expect(performance.now() - before).toBeLessThan(2000);
  expect(await client.closed).toEqual({ code: 1008, reason: 'RATE_LIMITED' });
  expect(client.received.some((message) => message.error_code === 'RATE_LIMITED')).toBe(true);
});

test('who does not read is cut off, loses nothing, and holds nobody up', async () => {
  const socketLimits = { highBytes: 64 * 1024, slowMs: 3000, maxBytes: 4 * 1024 * 1024 };
  await using bench = await gatewayBench({
    socketLimits,
    files: { 'big.txt': randomBytes(600_000).toString('base64') },
  });
  const slow = await bench.connect('s1');
  await slow.next('session_info');
  slow.socket.pause();
  const client = await bench.connect('s1');
  const rounds = 30;
  for (let i = 0; i < rounds; i++) {
    client.send({ type: 'tool_call', tool_name: 'read_file', call_id: `c${i}`, args: { path: 'big.txt' } });
    await client.next('tool_result', (message) => message.call_id === `c${i}`);
  }
  const { promise: disconnected, resolve } = Promise.withResolvers<void>();
  const timer = setInterval(() => bench.running.sockets.count === 1 && resolve(), 20);
  await disconnected;
  clearInterval(timer);
  slow.socket.terminate();
  const reconnected = await bench.connect('s1', { query: '?since=0' });
  await reconnected.next('tool_result', (message) => message.call_id === `c${rounds - 1}`);
  expect(reconnected.received.filter((message) => message.type === 'tool_result')).toHaveLength(rounds);
  expect(bench.faults).toEqual([]);
});

test('a line whose other end is gone without a word is closed', async () => {
  await using bench = await gatewayBench({ socketLimits: { heartbeatMs: 500, answerMs: 400 } });
  const alive = await bench.connect('s2');
  const url = `${bench.running.url.replace('http', 'ws')}/ws/s1?token=secret-token`;
  const dead = new WebSocket(url, { autoPong: false });
  const code = await new Promise((resolve) => dead.on('close', resolve));
  expect(code).toBe(1006);
  expect(await isWell(alive)).toBe(true);
});

test('no more sockets than there may be', async () => {
  await using bench = await gatewayBench({ socketLimits: { sockets: 2 } });
  const first = await bench.connect('s1');
  await bench.connect('s1');
  await expect(bench.connect('s1')).rejects.toThrow('refused: 429');
  expect(await isWell(first)).toBe(true);
});

test('of many decisions at once the first counts, and the call runs once', async () => {
  await using bench = await gatewayBench();
  const clients = await Promise.all(Array.from({ length: 5 }, () => bench.connect('s1')));
  const [first] = clients;
  const args = { command: 'echo once >> ran.txt' };
  first?.send({ type: 'tool_call', tool_name: 'run_command', call_id: 'c1', args });
  await Promise.all(clients.map((message) => message.next('tool_call')));
  for (let i = 0; i < 20; i++)
    for (const client of clients) client.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
  await Promise.all(clients.map((message) => message.next('tool_result', ({ seq }) => seq !== undefined)));
  const events = await bench.running.gateway.host.log.read('s1');
  const kinds = events.map(({ body }) => body.type);
  for (const kind of ['approval.decided', 'call.started', 'call.finished'])
    expect(kinds.filter((candidate) => candidate === kind)).toHaveLength(1);
});

test('a decision reaches only the session it was made in', async () => {
  await using bench = await gatewayBench();
  const [ownClient, other] = [await bench.connect('s1'), await bench.connect('s2')];
  ownClient.send({
    type: 'tool_call',
    tool_name: 'write_file',
    call_id: 'c1',
    args: { path: 'a', content: '' },
  });
  const { approval_id } = await ownClient.next('tool_call');
  other.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve', approval_id });
  expect(await other.next('error')).toMatchObject({ error_code: 'APPROVAL_NOT_FOUND' });
  other.send({ type: 'plan_decision', approval_request_id: approval_id, decision: 'approve' });
  expect(await other.next('error')).toMatchObject({ error_code: 'APPROVAL_NOT_FOUND' });
  ownClient.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve', approval_id: 'apr_other' });
  expect(await ownClient.next('error')).toMatchObject({ error_code: 'APPROVAL_NOT_FOUND' });
  expect(await bench.running.gateway.host.session('s1').then((live) => live.openCalls.get('c1')?.state)).toBe(
    'awaiting_approval',
  );
});
