import { readRefusal } from '@codelab/api';

// A failure between this client and a gateway. It contains neither addresses nor tokens, so it can be shown and logged.

type Details = Record<string, unknown>;

/**
 * `status` is 0 when no answer arrived. `code` is one of the gateway's codes, or `NETWORK_ERROR`, `TIMEOUT`, `CANCELLED`,
 * `INVALID_FORMAT`.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Details | undefined;

  constructor(facts: { status: number; code: string; message: string; details?: Details | undefined }) {
    super(facts.message);
    this.name = 'ApiError';
    this.status = facts.status;
    this.code = facts.code;
    this.details = facts.details;
  }
}

/** A refusal of the gateway in any of its forms, or the error page of a proxy. */
const codes: Record<number, string> = {
  401: 'UNAUTHORIZED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'FILE_TOO_LARGE',
  429: 'RATE_LIMITED',
};

export function readFailure(status: number, body: unknown): ApiError {
  const refusal = readRefusal(body);
  if (refusal !== undefined) return new ApiError({ status, ...refusal });
  const message = `The gateway answered with status ${status}.`;
  return new ApiError({ status, code: codes[status] ?? 'HTTP_ERROR', message });
}
