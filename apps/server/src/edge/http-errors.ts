// How a failed request is answered: its status, and messages for a body that can't be read and for input that does not fit.

import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { checkPlain, describeIssue, type ErrorCode, ToolError } from '@codelab/protocol';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { httpRefusalOf } from './refusal-of.ts';

/** The HTTP status that says the same as one of our codes. */
const statuses: Partial<Record<ErrorCode, number>> = {
  UNAUTHORIZED: 401,
  PERMISSION_DENIED: 403,
  COMMAND_NOT_ALLOWED: 403,
  FILE_NOT_FOUND: 404,
  TOOL_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  APPROVAL_NOT_FOUND: 404,
  ALREADY_DECIDED: 409,
  DUPLICATE_CALL: 409,
  STALE: 409,
  LOG_CONFLICT: 409,
  CONCURRENT_LIMIT_EXCEEDED: 409,
  APPROVAL_PENDING: 409,
  APPROVAL_EXPIRED: 410,
  FILE_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  LLM_ERROR: 502,
  AGENT_ERROR: 502,
  RESOURCE_LIMIT: 503,
  TIMEOUT: 504,
  NO_SPACE: 507,
  LOG_DAMAGED: 500,
  INTERNAL: 500,
};

export function httpStatus({ code, details }: Pick<ToolError, 'code' | 'details'>): number {
  // The same request succeeds a moment later, at another gateway.
  if (details?.moved === true) return 503;
  return statuses[code] ?? 400;
}

// Answers in our own form to what never reaches a route: broken HTTP, headers without end, an address that can't be read.

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
  // A second answer in the middle of one would be read as part of it.
  const isHeard = error.code !== 'ECONNRESET' && line.writable && answer?.headersSent !== true;
  if (isHeard) line.write(wholeAnswer(statusOf(error)));
  line.destroy(error);
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

/** What a peer sent, checked against a schema; a misfit is refused by the name of its field. */
const maxDepth = 64;

export function readInput<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  checkPlain(value, maxDepth);
  const read = schema.safeParse(value ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  if (issue?.code === 'unrecognized_keys') throw misfit(String(issue.keys[0]), 'is not known here');
  throw misfit(issue?.path.join('.') || 'body', issue ? describeIssue(issue, value) : 'does not fit');
}

function misfit(field: string, fault: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', `\`${field}\` ${fault}.`, { field });
}
