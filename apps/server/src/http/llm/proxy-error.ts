// A refusal of the LLM proxy: a code and a status that its clients know, in the format of OpenAI's errors.
import { type ErrorCode, ToolError } from '@codelab/protocol';

const statuses = {
  INVALID_MODEL: 400,
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  INSUFFICIENT_QUOTA: 402,
  PERMISSION_DENIED: 403,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  PROVIDER_ERROR: 502,
  TIMEOUT: 504,
} as const;

type ProxyCode = keyof typeof statuses;

export class ProxyError extends Error {
  readonly code: ProxyCode;
  /** When the request may be retried. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ProxyCode, message: string, retryAfterMs?: number) {
    super(message);
    this.name = 'ProxyError';
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  get status(): number {
    return statuses[this.code];
  }

  get body(): { error: { message: string; type: string; param: null; code: string } } {
    return { error: { message: this.message, type: typeOf(this.status), param: null, code: this.code } };
  }
}

// The types that providers use; clients decide by them whether to wait.
function typeOf(status: number): string {
  if (status === 429) return 'rate_limit_error';
  if (status === 402) return 'insufficient_quota';
  return status < 500 ? 'invalid_request_error' : 'api_error';
}

/** Any error of a request as one for the client; an unexpected error gets a message without details. */
export function proxyErrorOf(error: unknown): ProxyError {
  if (error instanceof ProxyError) return error;
  if (error instanceof ToolError) return ofToolError(error);
  const { statusCode, message } = (error ?? {}) as { statusCode?: number; message?: string };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ProxyError('INVALID_REQUEST', message ?? 'The request could not be read.');
  return new ProxyError('INTERNAL_ERROR', 'A defect in CodeLab; its log says more.');
}

const codes: Partial<Record<ErrorCode, ProxyCode>> = {
  UNAUTHORIZED: 'UNAUTHORIZED',
  PERMISSION_DENIED: 'PERMISSION_DENIED',
  RATE_LIMITED: 'RATE_LIMIT_EXCEEDED',
  INVALID_FORMAT: 'INVALID_REQUEST',
  INVALID_ARGUMENTS: 'INVALID_REQUEST',
  FILE_TOO_LARGE: 'INVALID_REQUEST',
  INTERNAL: 'INTERNAL_ERROR',
};

function ofToolError({ code, message, details = {} }: ToolError): ProxyError {
  if (details.field === 'model') return new ProxyError('INVALID_MODEL', message);
  if (code !== 'LLM_ERROR') {
    const { retry_after: seconds } = details;
    return new ProxyError(
      codes[code] ?? 'PROVIDER_ERROR',
      message,
      typeof seconds === 'number' ? seconds * 1000 : undefined,
    );
  }
  const { status, reason, waitMs } = details;
  if (reason === 'quota') return new ProxyError('INSUFFICIENT_QUOTA', message);
  if (reason === 'timeout') return new ProxyError('TIMEOUT', message);
  if (reason === 'context_length' || status === 400 || status === 422)
    return new ProxyError('INVALID_REQUEST', message);
  if (status === 404) return new ProxyError('INVALID_MODEL', message);
  if (status === 429)
    return new ProxyError('RATE_LIMIT_EXCEEDED', message, typeof waitMs === 'number' ? waitMs : undefined);
  if (status === 408 || status === 504) return new ProxyError('TIMEOUT', message);
  return new ProxyError('PROVIDER_ERROR', message);
}
