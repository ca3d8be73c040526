// The server for HTTP and sockets on one port. What answers requests is loaded with the first one: sockets alone do not need it.
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
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

// Answers in our own format to what never reaches a route: broken HTTP, endless headers, an address that can't be read.

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
