// The server for HTTP and sockets on one port, and where it listens. What answers requests is loaded with the first one: sockets alone do
// not need it.

import { once } from 'node:events';
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { ToolError } from '@codelab/protocol';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { httpRefusalOf } from './http-errors.ts';

/** `load` is called once; when it fails, the request is dropped and the next one tries again. */
export function createHttpServer(
  load: () => Promise<RequestListener>,
  onFault: (error: unknown) => void,
): Server {
  const server = createServer(brokenRequests.http);
  server.requestTimeout = 60_000;
  server.headersTimeout = 15_000;
  server.keepAliveTimeout = 72_000;
  server.on('clientError', answerBrokenConnection);
  answerExpectations(server);
  let answer: RequestListener | undefined;
  let loading: Promise<RequestListener> | undefined;
  server.on('request', (request, response) => {
    if (answer !== undefined) return answer(request, response);
    loading ??= load();
    loading.then(
      (ready) => {
        answer = ready;
        ready(request, response);
      },
      (error: unknown) => {
        loading = undefined;
        onFault(error);
        response.destroy();
      },
    );
  });
  return server;
}

// Responds in our own format to requests that reach no route: broken HTTP, endless headers, an unreadable address.

/** Options of fastify. A request without a host is refused by `createAuth`, with a message. */
export const brokenRequests = {
  http: { requireHostHeader: false },
  clientErrorHandler: answerBrokenConnection,
  frameworkErrors: answerBadAddress,
};

/** Node itself would answer without a message. */
export function answerExpectations(server: Server): void {
  server.on('checkExpectation', ({ socket }) => socket.end(wholeAnswer(417)));
}

/** A connection that sends no HTTP, or nothing for too long, is answered once and closed. */
function answerBrokenConnection(error: Error & { code?: string }, connection: Duplex): void {
  const { _httpMessage: answer } = connection as { _httpMessage?: { headersSent: boolean } | null };
  if (connection.destroyed) return;
  // A second answer in the middle of one would be read as part of it.
  const isReadable = error.code !== 'ECONNRESET' && connection.writable && answer?.headersSent !== true;
  if (isReadable) connection.write(wholeAnswer(statusOf(error)));
  connection.destroy(error);
}

/** An unreadable address is not repeated in the message: it may contain a token. */
function answerBadAddress(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  const status = error.statusCode ?? 400;
  const address = { code: 'INVALID_FORMAT', message: 'The address can’t be read: `%` begins no character.' };
  const refusal = status === 400 ? address : httpRefusalOf(status, 'The address can’t be read.');
  void reply
    .code(status)
    .headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    .send({ error: refusal });
}

function statusOf({ code }: { code?: string }): number {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  return code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
}

function wholeAnswer(status: number): string {
  const body = JSON.stringify({ error: httpRefusalOf(status, '') });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

// The listening address: the given port or, where allowed, the next free one, and whether the page can have its own host name on the
// loopback.

/** `further`: how many ports above may be tried when the port is taken. */
type ListenAddress = { host: string; port: number; further: number };

/** Returns a notice when another port had to be used. */
export async function listenAt(
  server: Server,
  { host, port, further }: ListenAddress,
): Promise<string | undefined> {
  const highest = Math.min(port + further, 65_535);
  for (let tried = port; ; tried++) {
    try {
      await once(server.listen({ host, port: tried }), 'listening');
    } catch (error) {
      if (codeOf(error) === 'EADDRINUSE' && tried < highest) continue;
      throw await refused(error, { host, port, highest });
    }
    if (tried === port) return undefined;
    return `Port ${port} is in use${await ownerText(port)}: listening on ${tried} instead.`;
  }
}

async function refused(
  error: unknown,
  { host, port, highest }: { host: string; port: number; highest: number },
): Promise<unknown> {
  const failed = (message: string): ToolError => new ToolError('IO_ERROR', message, { host, port });
  const other = 'choose another port; 0 takes any that is free.';
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return highest === port
        ? failed(`Port ${port} is in use${await ownerText(port)}. Stop that program, or ${other}`)
        : failed(`The ports ${port} to ${highest} are all in use. Stop a program, or ${other}`);
    case 'EACCES':
      return failed(`This user may not listen on port ${port}: ${other}`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return failed(`${host} is not an address of this machine. Leave out --host for 127.0.0.1.`);
    default:
      return error;
  }
}

async function ownerText(port: number): Promise<string> {
  const { portOwner } = await import('./port-owner.ts');
  const owner = portOwner(port);
  return owner === undefined ? '' : ` by ${owner.program} (process ${owner.pid})`;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

type At = { url: string; port: number | undefined; hasOwnName: boolean };

export async function listensAt(
  { server, host }: { server: Server; host: string },
  stack: AsyncDisposableStack,
): Promise<At> {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : undefined;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const hasOwnName = host === '127.0.0.1' && port !== undefined && (await alsoOnIpv6(server, port, stack));
  return { url, port, hasOwnName };
}

/**
 * Browsers resolve a loopback name to both addresses: another program on the IPv6 one would be the same origin as our page. False when some program
 * has it.
 */
async function alsoOnIpv6(server: Server, port: number, stack: AsyncDisposableStack): Promise<boolean> {
  const other = createTcpServer((connection) => server.emit('connection', connection));
  try {
    other.listen({ port, host: '::1', ipv6Only: true });
    await once(other, 'listening');
  } catch (error) {
    // Without IPv6 on this machine, no other program can use the address either.
    return !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE');
  }
  stack.defer(() => void other.close());
  return true;
}
