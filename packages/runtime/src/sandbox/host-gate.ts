// The only way out for a command that was granted some hosts. The command has its own network; a relay inside passes its connections to
// this proxy, over a socket in the session's /tmp and with a secret that no other command knows.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, createServer as createSocketServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type AllowedAddress, allowedHost, openAddress } from './allowed-hosts.ts';

export type HostGate = AsyncDisposable & {
  /** The argv that runs `program` with the proxy in its environment. */
  wrap(program: readonly string[]): string[];
};

const wordBytes = 32;
/** Sockets of both sides together. */
const mostSockets = 512;
const wordMs = 10_000;

/** The command sees `folder` as `seenAs`; `onRefused` is called with every host that is not on the list. */
export async function openHostGate(
  hosts: readonly string[],
  { folder, seenAs, onRefused }: { folder: string; seenAs: string; onRefused: (host: string) => void },
): Promise<HostGate> {
  const word = randomBytes(wordBytes / 2).toString('hex');
  const name = `net-${randomBytes(8).toString('hex')}`;
  const sockets = new Set<Socket>();
  const proxy = proxyFor(hosts, onRefused, sockets);
  const gate = createSocketServer((socket) => {
    if (sockets.size >= mostSockets) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    admit(socket, word, () => proxy.emit('connection', socket));
  });
  // Opened by descriptor, because the path of a socket must be short.
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  await new Promise<void>((resolve, reject) => {
    gate.once('error', reject);
    gate.listen(`/proc/self/fd/${fd}/${name}`, resolve);
  });
  return {
    wrap: (program) => [process.execPath, '-e', relayCode, join(seenAs, name), word, ...program],
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => gate.close(() => resolve()));
      closeSync(fd);
    },
  };
}

/** A connection that does not begin with the secret is closed. */
function admit(socket: Socket, word: string, enter: () => void): void {
  let received = Buffer.alloc(0);
  socket.setTimeout(wordMs, () => socket.destroy());
  const read = (): void => {
    for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null)
      received = Buffer.concat([received, chunk]);
    if (received.length < wordBytes) return;
    socket.off('readable', read);
    socket.setTimeout(0);
    if (!timingSafeEqual(received.subarray(0, wordBytes), Buffer.from(word))) {
      socket.destroy();
      return;
    }
    if (received.length > wordBytes) socket.unshift(received.subarray(wordBytes));
    enter();
  };
  socket.on('readable', read);
}

function proxyFor(
  hosts: readonly string[],
  onRefused: (host: string) => void,
  sockets: Set<Socket>,
): ReturnType<typeof createServer> {
  const find = async (host: string, port: number): Promise<AllowedAddress | undefined> => {
    const entry = allowedHost(hosts, host, port);
    const address = entry === undefined ? undefined : await openAddress(entry, host).catch(() => undefined);
    if (address === undefined) onRefused(`${host}:${port}`);
    return address === undefined ? undefined : { address, port };
  };
  const proxy = createServer((incoming, answer) => {
    void forward(incoming, answer, find);
  });
  proxy.on('connect', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    void tunnel(incoming.url ?? '', socket, head, find, sockets);
  });
  return proxy;
}

type Find = (host: string, port: number) => Promise<AllowedAddress | undefined>;

const notAllowed = 'This host is not in network_hosts of config.json.\n';

async function tunnel(
  target: string,
  socket: Socket,
  head: Buffer,
  find: Find,
  sockets: Set<Socket>,
): Promise<void> {
  const [, host = '', port = ''] = /^\[?([\w.:-]+?)\]?:(\d{1,5})$/.exec(target) ?? [];
  const address = host === '' ? undefined : await find(host, Number(port));
  if (address === undefined) {
    socket.end(
      `HTTP/1.1 403 Forbidden\r\nContent-Length: ${notAllowed.length}\r\nConnection: close\r\n\r\n${notAllowed}`,
    );
    return;
  }
  const far = connect(address.port, address.address, () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    far.write(head);
    far.pipe(socket).pipe(far);
  });
  sockets.add(far);
  far.on('close', () => {
    sockets.delete(far);
    socket.destroy();
  });
  far.on('error', () => socket.destroy());
  socket.on('error', () => far.destroy());
  socket.on('close', () => far.destroy());
}

/** An unencrypted request, with the whole URL in its first line. */
async function forward(incoming: IncomingMessage, answer: ServerResponse, find: Find): Promise<void> {
  const url = URL.parse(incoming.url ?? '');
  const isPlain = url?.protocol === 'http:';
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const address = isPlain ? await find(host, Number(url.port || 80)) : undefined;
  if (url === null || address === undefined) {
    answer.writeHead(isPlain ? 403 : 400, { connection: 'close' }).end(isPlain ? notAllowed : '');
    return;
  }
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).filter(([name]) => !/^(proxy-.*|connection|keep-alive)$/.test(name)),
  );
  const far = request(
    {
      host: address.address,
      port: address.port,
      method: incoming.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host },
    },
    (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    },
  );
  far.on('error', () => answer.destroy());
  answer.on('close', () => far.destroy());
  incoming.pipe(far);
}

// Runs inside the sandbox around a command that was granted some hosts: it listens on the sandbox's loopback and passes each connection
// to the proxy outside. The code is a text, because the sandbox need not see our files; `process.argv` is the socket, the secret and the
// command.
const relayCode = `
const net = require('node:net');
const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const [socket, word, program, ...args] = process.argv.slice(1);
const relay = net.createServer((near) => {
  const far = net.connect(socket, () => { far.write(word); near.pipe(far).pipe(near); });
  const end = () => { near.destroy(); far.destroy(); };
  for (const one of [near, far]) one.on('error', end).on('close', end);
});
relay.on('error', () => process.exit(126));
relay.listen(0, '127.0.0.1', () => {
  const proxy = 'http://127.0.0.1:' + relay.address().port;
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1' };
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) env[name] = env[name.toLowerCase()] = proxy;
  env.NO_PROXY = env.no_proxy = 'localhost,127.0.0.1,::1';
  const child = spawn(program, args, { stdio: 'inherit', env });
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']) process.on(name, () => child.kill(name));
  child.on('error', () => process.exit(127));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
});
`;
