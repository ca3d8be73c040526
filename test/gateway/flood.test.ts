// Strangers and friends that send too much, too fast, too slowly or nonsense to a real gateway: it refuses, stays up, and stays as small as it was.
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { freePort } from '../support/bad-lines.ts';
import { type ChaosServe, chaosServe, chaosToken as token } from '../support/chaos-serve.ts';
import { spawnPeer } from '../support/chaos-spawn-peer.ts';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { socketTo } from '../support/spawn-gateway.ts';

const megabytes = ({ pid }: ChaosServe): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
const openFiles = ({ pid }: ChaosServe): number => readdirSync(`/proc/${pid}/fd`).length;

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = AbortSignal.timeout(15_000);
  while (!(await isSo())) {
    deadline.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Sends so many messages as fast as it can; who is cut off comes again. */
async function flood({ url }: ChaosServe, messages: number): Promise<{ cuts: number }> {
  const text = JSON.stringify({ type: 'ping', id: 'x'.repeat(200) });
  let [cuts, remaining] = [0, messages];
  while (remaining > 0) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/flood?token=${token}`);
    socket.on('error', () => undefined);
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    const opened = new Promise((resolve) => socket.on('open', resolve));
    if ((await Promise.race([opened.then(() => 'open'), closed])) !== 'open') continue;
    const batch = Math.min(remaining, 2500);
    for (let i = 0; i < batch; i++) socket.send(text);
    remaining -= batch;
    const ended = batch < 2500 ? socket.close() : undefined;
    if ((await closed) === 1008 && ended === undefined) cuts++;
  }
  return { cuts };
}

/** Says this to the port and returns what comes until it is closed. */
async function sendRaw({ url }: ChaosServe, text: string | Buffer, isAll: boolean): Promise<string> {
  const line = connect(Number(new URL(url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  line.on('data', (chunk: Buffer) => chunks.push(chunk));
  line.on('error', () => undefined);
  const closed = new Promise((resolve) => line.on('close', resolve));
  line.write(text);
  if (!isAll) line.end();
  await closed;
  return Buffer.concat(chunks).toString('latin1');
}

const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
const post = `POST /api/v1/sessions HTTP/1.1\r\n${head}`;

const nonsense: [string, string | Buffer, RegExp][] = [
  ['no HTTP at all', 'HELO there\r\n\r\n', /^HTTP\/1.1 400 /],
  ['random bytes', Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 97) % 256)), /^HTTP\/1.1 400 /],
  [
    'a hundred thousand headers',
    `GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n${'A: b\r\n'.repeat(100_000)}\r\n`,
    /^HTTP\/1.1 431 /,
  ],
  [
    'a header of a megabyte',
    `GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nA: ${'b'.repeat(1024 * 1024)}\r\n\r\n`,
    /^HTTP\/1.1 431 /,
  ],
  [
    'a chunk that is no number',
    `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    /^HTTP\/1.1 400 /,
  ],
  [
    'a chunk that is longer than it comes',
    `${post}Transfer-Encoding: chunked\r\n\r\nffffff\r\n{}`,
    /^(HTTP\/1.1 400 .*)?$/s,
  ],
  [
    'a length and chunks',
    `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    /^HTTP\/1.1 400 /,
  ],
  ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`, /^HTTP\/1.1 400 /],
  ['a body that ends too soon', `${post}Content-Length: 100\r\n\r\n{"title":`, /^(HTTP\/1.1 400 .*)?$/s],
  ['more than may be sent', `${post}Content-Length: 999999999\r\n\r\n{}`, /^HTTP\/1.1 413 /],
  [
    'deep JSON',
    `${post}Connection: close\r\nContent-Length: 100000\r\n\r\n${'['.repeat(100_000)}`,
    /^HTTP\/1.1 400 /,
  ],
  [
    'no UTF-8',
    Buffer.concat([
      Buffer.from(`${post}Connection: close\r\nContent-Length: 14\r\n\r\n{"title":"`),
      Buffer.from([0xc3, 0x28, 0x22, 0x7d]),
    ]),
    /^HTTP\/1.1 400 /,
  ],
  [
    'a good request, then nonsense',
    `GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n\0\0\0garbage\r\n\r\n`,
    /HTTP\/1.1 400 /,
  ],
];

async function slowLines({ url }: ChaosServe, count: number): Promise<Socket[]> {
  const { port } = new URL(url);
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const line = connect(Number(port), '127.0.0.1');
      line.on('error', () => undefined);
      await new Promise((resolve) => line.once('connect', resolve));
      line.write('GET /health HTTP/1.1\r\nHost: 127.');
      return line;
    }),
  );
}

/** A socket that is opened and left again, some of them before the door has answered. */
async function comeAndGo({ url }: ChaosServe, n: number): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/door?token=${token}`);
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.on('close', resolve));
  if (n % 3 === 0) setImmediate(() => socket.terminate());
  else socket.on('open', () => (n % 3 === 1 ? socket.terminate() : socket.close()));
  await closed;
}

test('a flood, a thousand visitors and all kinds of nonsense leave it as it was', {
  timeout: 120_000,
}, async () => {
  using scratch = scratchFolder();
  await using gateway = await chaosServe({ ...scratch, port: await freePort() });
  const quiet = await socketTo(gateway, '/ws/quiet');
  const isWell = async (): Promise<number> => {
    const before = performance.now();
    const id = Math.random();
    quiet.send({ type: 'ping', id });
    await quiet.next((message) => message.type === 'pong' && message.id === id);
    return performance.now() - before;
  };
  // Once for the code and the buffers that every process has to have.
  await flood(gateway, 10_000);
  for (let n = 0; n < 30; n++) await comeAndGo(gateway, n);
  const before = { size: megabytes(gateway), files: openFiles(gateway) };

  // As fast as five senders can, which is far over ten thousand in a second.
  const flooding = Promise.all(Array.from({ length: 5 }, () => flood(gateway, 10_000)));
  const slowest = Math.max(...[await isWell(), await isWell(), await isWell()]);
  const cuts = (await flooding).reduce((sum, one) => sum + one.cuts, 0);
  expect({ cuts, isAnswered: slowest < 5000 }).toEqual({ cuts: 20, isAnswered: true });

  for (let n = 0; n < 1000; n += 50)
    await Promise.all(Array.from({ length: 50 }, (_, i) => comeAndGo(gateway, n + i)));
  const slow = await slowLines(gateway, 200);
  for (const [name, text, answer] of nonsense)
    expect(await sendRaw(gateway, text, !answer.test('')), name).toMatch(answer);
  await isWell();
  for (const line of slow) line.destroy();

  await until(() => openFiles(gateway) <= before.files + 3);
  // The memory that the flood took is returned once it is quiet.
  await until(() => megabytes(gateway) < before.size + 30);
  expect(readFileSync(join(scratch.folder, 'serve.log'), 'utf8')).not.toMatch(
    /MaxListeners|Unhandled|uncaught|"level":50/,
  );
  expect(gateway.child.exitCode).toBeNull();
});

test('a peer that is stopped in its tracks is noticed by its silence', async () => {
  await using bench = await gatewayBench({ token, socketLimits: { heartbeatMs: 500, answerMs: 400 } });
  const alive = await bench.connect('s1');
  const address = `${bench.running.url.replace('http', 'ws')}/ws/s1`;
  await using peer = await spawnPeer({ address, token, role: 'approver' });
  await until(() => bench.running.sockets.count === 2);
  process.kill(peer.pid, 'SIGSTOP');
  await until(() => bench.running.sockets.count === 1);
  alive.send({ type: 'ping' });
  await alive.next('pong');
});
