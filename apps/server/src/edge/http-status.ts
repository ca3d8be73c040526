// The HTTP status that says the same as one of our codes.
import type { ErrorCode } from '@codelab/protocol';

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

export function httpStatus(code: ErrorCode): number {
  return statuses[code] ?? 400;
}
