// Seed 001's service: `POST /api/chat/stream` runs one request and streams it as server-sent events.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { kodeRoutes } from '@codelab/api';
import type { Json } from '@codelab/dialects';
import { ToolError } from '@codelab/protocol';
import type { FastifyInstance } from 'fastify';
import { cutSlowReader } from '../../../edge/cut-slow-reader.ts';
import { goneSignal } from '../../../edge/gone-signal.ts';
import { httpStatus } from '../../../edge/http-errors.ts';
import type { Gateway } from '../../../sessions/gateway.ts';
import { runChat } from '../../kode/run-chat.ts';
import { serveRoute } from '../../route.ts';

export function serveKodeChat(app: FastifyInstance, gateway: Gateway): void {
  void app.register(async (scope) => {
    scope.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      const status = error instanceof ToolError ? httpStatus(error) : (error.statusCode ?? 500);
      // A defect is left to the general error handler, which logs it.
      if (status === 500) throw error;
      return reply.code(status).send({ error: wordFor(status), message: error.message });
    });
    serveRoute(scope, kodeRoutes.chat, async ({ body: request, peer, reply }) => {
      const id = request.agentId ?? randomUUID();
      const session = await gateway.session(id, peer, { mustExist: request.agentId != null });
      if (session.client !== undefined)
        throw new ToolError(
          'INVALID_ARGUMENTS',
          'The files of this session are with a client; this service works on files of the gateway.',
        );
      const signal = AbortSignal.any([goneSignal(reply), gateway.host.closing]);
      cutSlowReader(reply.raw);
      const messages = await runChat({ gateway, session, peer, request, signal });
      reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('cache-control', 'no-cache, no-transform')
        .header('x-accel-buffering', 'no');
      return reply.send(Readable.from(lines(messages)));
    });
  });
}

async function* lines(messages: AsyncIterable<Json>): AsyncGenerator<string> {
  for await (const message of messages) yield `data: ${JSON.stringify(message)}\n\n`;
}

function wordFor(status: number): string {
  const words: Record<number, string> = {
    401: 'UNAUTHORIZED',
    403: 'FORBIDDEN',
    404: 'NOT_FOUND',
    409: 'CONFLICT',
    429: 'TOO_MANY_REQUESTS',
    502: 'MODEL_ERROR',
  };
  return words[status] ?? 'BAD_REQUEST';
}
