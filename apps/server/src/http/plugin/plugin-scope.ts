// Errors of the plugin's API, in the format its clients read.
import { type ErrorCode, ToolError } from '@codelab/protocol';
import type { FastifyInstance } from 'fastify';
import { httpRefusalOf, httpStatus } from '../../edge/http-errors.ts';

export function setPluginErrors(scope: FastifyInstance): void {
  scope.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const answer = describe(error);
    // A defect is left to the general error handler, which logs it.
    if (answer === undefined) throw error;
    const { status, code, message, details } = answer;
    return reply.code(status).send({
      detail: message,
      error_code: code,
      timestamp: new Date().toISOString(),
      metadata: details ?? {},
    });
  });
}

type Said = {
  status: number;
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown> | undefined;
};

function describe(error: Error & { statusCode?: number }): Said | undefined {
  if (error instanceof ToolError) {
    const { code, message, details } = error;
    return { status: code === 'ALREADY_DECIDED' ? 400 : httpStatus(error), code, message, details };
  }
  const { statusCode = 500 } = error;
  if (statusCode >= 500) return undefined;
  return { status: statusCode, ...httpRefusalOf(statusCode === 400 ? 0 : statusCode, error.message) };
}
