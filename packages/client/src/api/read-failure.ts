// A refusal of the gateway in any of its forms: `{error: {code, message, details}}`, the plugin's `{detail, error_code, metadata}`,
// Kode's `{error, message}`, or a page of somebody in between.
import * as z from 'zod/mini';
import { ApiError } from '../api-error.ts';

const details = () => z.optional(z.record(z.string(), z.unknown()));

const Refusal = () =>
  z.union([
    z.object({ error: z.object({ code: z.string(), message: z.string(), details: details() }) }),
    z.object({ detail: z.string(), error_code: z.string(), metadata: details() }),
    z.object({ error: z.string(), message: z.string() }),
  ]);

const codes: Record<number, string> = {
  401: 'UNAUTHORIZED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'FILE_TOO_LARGE',
  429: 'RATE_LIMITED',
};

export function readFailure(status: number, body: unknown): ApiError {
  const { success, data } = Refusal().safeParse(body);
  if (!success) {
    const message = `The gateway answered with status ${status}.`;
    return new ApiError({ status, code: codes[status] ?? 'HTTP_ERROR', message });
  }
  if ('detail' in data)
    return new ApiError({
      status,
      code: data.error_code,
      message: data.detail,
      details: data.metadata,
    });
  if (!('message' in data)) return new ApiError({ status, ...data.error });
  return new ApiError({ status, code: data.error, message: data.message });
}
