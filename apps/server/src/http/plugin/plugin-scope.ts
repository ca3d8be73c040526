// What the routes of the plugin's API share: both spellings of an address, and errors as its clients read them.
import { type ErrorCode, ToolError } from '@codelab/protocol';
import type { FastifyInstance } from 'fastify';
import { httpStatus } from '../http-status.ts';

/** With and without the slash at its end. */
export function bothPaths(path: string): string[] {
  const bare = path.replace(/\/+$/, '');
  return [bare, `${bare}/`];
}

/** Every project is the workspace of this gateway. */
export const project = '/my/projects/:pid';

export function setPluginErrors(scope: FastifyInstance): void {
  scope.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const said = describe(error);
    // A defect is for the one above, who tells of it.
    if (said === undefined) throw error;
    const { status, code, details } = said;
    return reply.code(status).send({
      detail: error.message,
      error_code: code,
      timestamp: new Date().toISOString(),
      metadata: details ?? {},
    });
  });
}

type Said = { status: number; code: ErrorCode; details?: Record<string, unknown> | undefined };

function describe(error: Error & { statusCode?: number }): Said | undefined {
  if (error instanceof ToolError) {
    const { code, details } = error;
    return { status: code === 'ALREADY_DECIDED' ? 400 : httpStatus(code), code, details };
  }
  const { statusCode = 500 } = error;
  return statusCode < 500 ? { status: statusCode, code: 'INVALID_FORMAT' } : undefined;
}
