// A refusal of the gateway in any of its forms, or a page of somebody in between.
import { readRefusal } from '@codelab/api';
import { ApiError } from '../api-error.ts';

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
