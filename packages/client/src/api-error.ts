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
