// Starts gateway-process.ts, and sockets to it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { chaosEnv, preload } from './chaos-env.ts';
import type { Fault } from './chaos-fault.ts';
import type { GatewayProcessOptions } from './gateway-process.ts';

type Json = Record<string, unknown>;

export type SpawnedGateway = AsyncDisposable & {
  url: string;
  pid: number | undefined;
  /** Resolves when the process has ended. */
  exited: Promise<unknown>;
  kill(): Promise<void>;
  /** Signs a browser in, where it has the page. */
  signInLink(): Promise<string>;
  /** Ends, pauses or continues it. */
  signal(signal: 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): void;
};

export async function spawnGateway(options: GatewayProcessOptions, fault?: Fault): Promise<SpawnedGateway> {
  const file = join(import.meta.dirname, 'gateway-process.ts');
  const child = fork(file, [JSON.stringify(options)], {
    execArgv: ['--import', preload],
    env: { ...process.env, ...chaosEnv(fault) },
  });
  const exited = once(child, 'exit');
  const [url] = await Promise.race([
    once(child, 'message'),
    exited.then(([code]) => Promise.reject(new Error(`it ended with ${code}`))),
  ]);
  async function kill(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  }
  return {
    url: String(url),
    pid: child.pid,
    exited,
    kill,
    async signInLink() {
      child.send('link');
      return String((await once(child, 'message'))[0]);
    },
    signal: (name) => void child.kill(name),
    [Symbol.asyncDispose]: kill,
  };
}

export type SocketClient = {
  received: Json[];
  send(message: object): void;
  /** The next message that was not taken yet and fits. */
  next(matches: (message: Json) => boolean): Promise<Json>;
  end(): void;
};

export async function socketTo({ url }: { url: string }, path: string): Promise<SocketClient> {
  const headers = { authorization: 'Bearer a-long-token' };
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers });
  const received: Json[] = [];
  const takenMessages = new Set<Json>();
  const waiters = new Set<() => void>();
  socket.on('message', (data: Buffer) => {
    received.push(JSON.parse(data.toString('utf8')) as Json);
    for (const check of [...waiters]) check();
  });
  await once(socket, 'open');
  socket.on('error', () => undefined);
  return {
    received,
    send: (message) => socket.send(JSON.stringify(message)),
    end: () => socket.terminate(),
    next: (matches) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(JSON.stringify(received.slice(-6)))), 15_000);
        const check = (): void => {
          const found = received.find((message) => !takenMessages.has(message) && matches(message));
          if (found === undefined) return;
          clearTimeout(timer);
          waiters.delete(check);
          takenMessages.add(found);
          resolve(found);
        };
        waiters.add(check);
        check();
      }),
  };
}
