import { readRefusal } from '@codelab/api';

// What went wrong between this client and a gateway. Neither addresses nor tokens stand in it, so that it can be shown and logged.

type Details = Record<string, unknown>;

/** `status` is 0 when no answer came. `code` is one of the gateway's codes, or `NETWORK_ERROR`, `TIMEOUT`, `CANCELLED`, `INVALID_FORMAT`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Details | undefined;

  constructor(said: { status: number; code: string; message: string; details?: Details | undefined }) {
    super(said.message);
    this.name = 'ApiError';
    this.status = said.status;
    this.code = said.code;
    this.details = said.details;
  }
}

/** A refusal of the gateway in any of its forms, or a page of somebody in between. */
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
