// Starts the gateway of these benches and opens sessions at it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import type { Scratch } from '../scratch.ts';

const token = 'a-token-for-the-bench';

export type Gateway = AsyncDisposable & {
  pid: number;
  open(session: string): Promise<Client>;
  /** Resident memory in bytes. */
  memory(): Promise<number>;
};

export type Answer = { ms: number; error: string | undefined };

export type Client = Disposable & {
  call(tool: string, args: Record<string, unknown>): Promise<Answer>;
  /** The sequence numbers of the received log entries, in order of arrival. */
  seqs: number[];
};

export async function startGateway({ root, home }: Scratch): Promise<Gateway> {
  return await openChild('gateway-child.ts', [root, home, token]);
}

/** `args` are those that `writeEntries` returns. */
export async function startLeast(args: readonly string[]): Promise<Gateway> {
  return await openChild('../least/record-child.ts', args);
}

async function openChild(file: string, args: readonly string[]): Promise<Gateway> {
  const child = fork(join(import.meta.dirname, file), args);
  const [port] = (await once(child, 'message')) as [number];
  return {
    pid: child.pid ?? 0,
    open: (session) => open(`ws://127.0.0.1:${port}/ws/${session}`),
    async memory() {
      child.send('memory');
      const [rss] = (await once(child, 'message')) as [number];
      return rss;
    },
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

type Message = { type: string; call_id?: string; error?: unknown; seq?: number };

async function open(url: string): Promise<Client> {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
  const waiting = new Map<string, { began: number; resolve(answer: Answer): void }>();
  const seqs: number[] = [];
  let calls = 0;
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as Message;
    if (message.seq !== undefined) seqs.push(message.seq);
    if (message.type !== 'tool_result' && message.type !== 'error') return;
    const found = waiting.get(message.call_id ?? '');
    waiting.delete(message.call_id ?? '');
    const error = message.error === undefined ? undefined : JSON.stringify(message.error);
    found?.resolve({
      ms: performance.now() - found.began,
      error: message.type === 'error' ? 'refused' : error,
    });
  });
  await once(socket, 'message');
  return {
    seqs,
    call(tool, args) {
      const call_id = `call_${calls++}`;
      const { promise, resolve } = Promise.withResolvers<Answer>();
      waiting.set(call_id, { began: performance.now(), resolve });
      const message = { type: 'tool_call', tool_name: tool, call_id, args, requires_approval: false };
      socket.send(JSON.stringify(message));
      return promise;
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}

export function part(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? Number.NaN;
}
