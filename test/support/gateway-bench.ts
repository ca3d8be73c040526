// A real gateway on a free port of the loopback over a temp workspace, and plain clients of it.
import type { Model } from '@codelab/agent';
import type { Limits, PolicyMode } from '@codelab/protocol';
import { type GatewayStartOptions, type Running, startGateway } from '@codelab/server/gateway';
import { WebSocket } from 'ws';
import { scratchFolder } from './scratch-folder.ts';
import { scriptedModel } from './scripted-model.ts';
import { testLog } from './test-log.ts';

type Json = Record<string, unknown>;

export type GatewayBench = AsyncDisposable & {
  running: Running;
  root: string;
  home: string;
  faults: unknown[];
  /** Closes and opens everything again, as after a restart. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  request(path: string, init?: RequestInit & { token?: string }): Promise<Response>;
  connect(session: string, options?: ConnectOptions): Promise<Client>;
};

type ConnectOptions = {
  query?: string;
  token?: string;
  headers?: Record<string, string>;
  prefix?: string;
};

type BenchOptions = Omit<GatewayStartOptions, 'compose' | 'openModel'> & {
  files?: Record<string, string>;
  model?: never;
  script?: Model;
  /** Undefined: no mode was named. */
  mode?: PolicyMode | undefined;
  approvalMs?: number;
  limits?: Partial<Limits>;
  runMs?: number;
  env?: NodeJS.ProcessEnv;
  /** A gateway without files. */
  isFileless?: boolean;
  /** Lays out the workspace before anything is opened. */
  prepare?(root: string): void;
};

export async function gatewayBench(options: BenchOptions = {}): Promise<GatewayBench> {
  const {
    files = {},
    script = scriptedModel([{ text: 'Hello.' }]),
    mode,
    approvalMs,
    runMs,
    limits,
    env = { CODELAB_MODEL: 'demo' },
    isFileless,
    prepare,
    model: _model,
    ...more
  } = options;
  using stack = new DisposableStack();
  const { root, home } = stack.use(scratchFolder({ files }));
  prepare?.(root);
  const faults: unknown[] = [];
  const start = (): Promise<Running> =>
    startGateway({
      port: 0,
      token: 'secret-token',
      checksAnswers: true,
      ...more,
      compose: {
        workspace: root,
        home,
        env,
        ...(mode && { mode }),
        limits: { ...(approvalMs && { approvalMs }), ...(runMs && { runMs }), ...limits },
        ...(isFileless && { isFileless }),
        ...testLog(home),
      },
      openModel: async () => script,
      onFault: (error) => faults.push(error),
    });
  const bench: GatewayBench = {
    running: await start(),
    root,
    home,
    faults,
    async restart() {
      await bench.stop();
      await bench.start();
    },
    stop: async () => await bench.running[Symbol.asyncDispose](),
    async start() {
      bench.running = await start();
    },
    request: (path, init) => request(bench.running, path, init),
    connect: (session, options) => connect(bench.running, session, options),
    async [Symbol.asyncDispose]() {
      await bench.running[Symbol.asyncDispose]();
      resources.dispose();
    },
  };
  const resources = stack.move();
  return bench;
}

function request(
  { url }: Running,
  path: string,
  { token = 'secret-token', headers, ...init }: RequestInit & { token?: string } = {},
): Promise<Response> {
  return fetch(`${url}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${token}`,
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
      ...(headers as Record<string, string>),
    },
  });
}

export type Client = {
  socket: WebSocket;
  /** All that was received, in order. */
  received: Json[];
  send(message: unknown): void;
  /** The next message that was not taken yet and fits. */
  next(type: string | readonly string[], matches?: (message: Json) => boolean): Promise<Json>;
  closed: Promise<{ code: number; reason: string }>;
  close(): Promise<void>;
};

async function connect(
  { url, token: ownToken }: Running,
  session: string,
  { query = '', token = ownToken, headers = {}, prefix = '/ws' }: ConnectOptions = {},
): Promise<Client> {
  const address = `${url.replace('http', 'ws')}${prefix}/${session}${query}`;
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}`, ...headers } });
  const received: Json[] = [];
  const takenMessages = new Set<Json>();
  const waiters = new Set<() => void>();
  socket.on('message', (data: Buffer) => {
    received.push(JSON.parse(data.toString('utf8')) as Json);
    for (const check of [...waiters]) check();
  });
  const { promise: closed, resolve: close } = Promise.withResolvers<{ code: number; reason: string }>();
  socket.on('close', (code, reason) => close({ code, reason: reason.toString('utf8') }));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_request, response) =>
      reject(new Error(`refused: ${response.statusCode}`)),
    );
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  return {
    socket,
    received,
    closed,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    next: (type, matches = () => true) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiters.delete(check);
          reject(new Error(`no ${String(type)} in ${JSON.stringify(received.slice(-8))}`));
        }, 10_000);
        function check(): void {
          const found = received.find(
            (message) =>
              [type].flat().includes(String(message.type)) && !takenMessages.has(message) && matches(message),
          );
          if (found === undefined) return;
          takenMessages.add(found);
          waiters.delete(check);
          clearTimeout(timer);
          resolve(found);
        }
        waiters.add(check);
        check();
      }),
    async close() {
      socket.close();
      await closed;
    },
  };
}
