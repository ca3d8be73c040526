// The gateway under many sessions: the cost of an idle one, and whether hundreds that stream at the same time stay in order and in time.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import type { Row } from './row.ts';
import { type Scratch, scratch } from './scratch.ts';

const token = 'a-token-for-the-bench';
const idleSessions = 2000;
const speaking = 200;
const words = 250;

type Child = AsyncDisposable & { port: number; ask(question: 'memory' | 'watch'): Promise<Held> };
type Held = { rss: number; heapUsed: number; cpuMs: number; sockets: number; delayP99Ms: number };

export async function gatewayLoad(): Promise<Row[]> {
  return [await idleCost(), await streamCost()];
}

/** 2,000 sessions with a socket each: what the process holds more than before, for each of them. */
async function idleCost(): Promise<Row> {
  using place = scratch();
  await using child = await start(place, 0);
  // Modules are loaded and compiled once, so these sessions keep that cost out of the measurement.
  const first = await Promise.all(Array.from({ length: 50 }, (_, i) => open(child, `warm${i}`)));
  const before = await child.ask('memory');
  const sockets: WebSocket[] = [];
  for (let i = 0; i < idleSessions; i += 50)
    sockets.push(...(await Promise.all(Array.from({ length: 50 }, (_, n) => open(child, `idle${i + n}`)))));
  const after = await child.ask('memory');
  for (const socket of [...first, ...sockets]) socket.terminate();
  const each = (after.rss - before.rss) / idleSessions / 1024;
  const heap = (after.heapUsed - before.heapUsed) / idleSessions / 1024;
  return {
    name: `${idleSessions} idle sessions with a socket, memory of each`,
    ours: `${each.toFixed(1)} KB (heap ${heap.toFixed(1)} KB)`,
    baseline: '60 KB',
    ratio: each / 60,
    goal: 1,
  };
}

/** 200 sessions that receive 50 words a second each: every word once, in order; how late the loop runs. */
async function streamCost(): Promise<Row> {
  using place = scratch();
  await using child = await start(place, words);
  const sockets = await Promise.all(Array.from({ length: speaking }, (_, i) => open(child, `talk${i}`)));
  // Modules are loaded and compiled once, so these sessions keep that cost out of the measurement.
  await receiveText(await open(child, 'warm'));
  await child.ask('watch');
  const received = await Promise.all(sockets.map(receiveText));
  const { delayP99Ms, cpuMs } = await child.ask('memory');
  for (const socket of sockets) socket.terminate();
  const expected = Array.from({ length: words }, (_, i) => `w${i} `).join('');
  const wrong = received.filter((text) => text !== expected).length;
  return {
    name: `${speaking} sessions at 50 words/s: event-loop delay p99${wrong > 0 ? `, ${wrong} WRONG` : ''}`,
    ours: `${delayP99Ms.toFixed(1)} ms (${Math.round(cpuMs)} ms of CPU)`,
    baseline: '50 ms',
    ratio: wrong > 0 ? Number.POSITIVE_INFINITY : delayP99Ms / 50,
    goal: 1,
  };
}

/** Says something and returns all the tokens that come until the turn is done. */
function receiveText(socket: WebSocket): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as { type: string; token?: string };
    if (message.type === 'assistant_message') text += message.token ?? '';
    if (message.type === 'done') resolve(text);
  });
  socket.once('close', () => reject(new Error('The socket was closed.')));
  socket.send(JSON.stringify({ type: 'user_message', content: 'Speak.' }));
  return promise;
}

async function open({ port }: Child, session: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/${session}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await once(socket, 'message');
  return socket;
}

async function start({ root, home }: Scratch, count: number): Promise<Child> {
  const script = join(import.meta.dirname, 'load', 'gateway-child.ts');
  const args = [root, home, token, String(count)];
  const child: ChildProcess = fork(script, args, { execArgv: ['--expose-gc'] });
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    async ask(question) {
      child.send(question);
      const [result] = (await once(child, 'message')) as [Held];
      return result;
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
