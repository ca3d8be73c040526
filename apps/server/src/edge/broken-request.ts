// Answers in our own form to what never reaches a route: broken HTTP, headers without end, an address that can't be read.
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { saidOf } from '../http/said-of.ts';

/** Options of fastify. Who says no name is refused by the door, with a word. */
export const brokenRequests = {
  http: { requireHostHeader: false },
  clientErrorHandler: answerBrokenLine,
  frameworkErrors: answerBadAddress,
};

/** What Node would answer by itself, without a word. */
export function answerExpectations(server: Server): void {
  server.on('checkExpectation', ({ socket }: IncomingMessage) => socket.end(wholeAnswer(417)));
}

/** The line says something that is no HTTP, or nothing for too long; it is answered once and closed. */
export function answerBrokenLine(error: Error & { code?: string }, line: Duplex): void {
  const { _httpMessage: answer } = line as { _httpMessage?: { headersSent: boolean } | null };
  if (line.destroyed) return;
  // In the midst of an answer, another one would be taken for a part of it.
  const isHeard = error.code !== 'ECONNRESET' && line.writable && answer?.headersSent !== true;
  if (isHeard) line.write(wholeAnswer(statusOf(error)));
  line.destroy(error);
}

/** An address that can't be read is not repeated: there may be a token in it. */
function answerBadAddress(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  const status = error.statusCode ?? 400;
  const address = { code: 'INVALID_FORMAT', message: 'The address can’t be read: `%` begins no character.' };
  const said = status === 400 ? address : saidOf(status, 'The address can’t be read.');
  void reply
    .code(status)
    .headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    .send({ error: said });
}

function statusOf({ code }: { code?: string }): number {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  return code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
}

function wholeAnswer(status: number): string {
  const body = JSON.stringify({ error: saidOf(status, '') });
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
