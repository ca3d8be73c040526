// The response to a failed request: its status, and the messages for unreadable requests and invalid input.
import { checkPlain, describeIssue, type ErrorCode, ToolError } from '@codelab/protocol';
import type * as z from 'zod/mini';

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

// Refusals that fastify or Node make before our own code runs, by their status.
type Refusal = { code: ErrorCode; message: string };

const refusals: Record<number, Refusal> = {
  400: { code: 'INVALID_FORMAT', message: 'This is not a valid HTTP request.' },
  408: { code: 'TIMEOUT', message: 'The request was not complete in time. Send it again.' },
  413: { code: 'FILE_TOO_LARGE', message: 'The body is too large: a request has at most 10 MB.' },
  414: { code: 'INVALID_FORMAT', message: 'The address is too long: an id has at most 300 characters.' },
  415: {
    code: 'INVALID_FORMAT',
    message: 'Only JSON is read: send it with `Content-Type: application/json`.',
  },
  417: { code: 'INVALID_FORMAT', message: 'Of `Expect` only `100-continue` is known. Leave it out.' },
  431: { code: 'INVALID_FORMAT', message: 'The headers are too large. Send fewer or shorter ones.' },
};

/** The refusal by its status; `message` where the table has none. */
export function httpRefusalOf(status: number, message: string): Refusal {
  return refusals[status] ?? { code: 'INVALID_FORMAT', message };
}

/** Validates a peer's input against a schema; an error names the field. */
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
