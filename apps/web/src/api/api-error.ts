// What the gateway refused, with its code and what to do next; or that it could not be reached at all.
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: Record<string, unknown> | undefined;

  constructor(given: { code: string; message: string; status: number; details?: Record<string, unknown> }) {
    super(given.message);
    this.name = 'ApiError';
    this.code = given.code;
    this.status = given.status;
    this.details = given.details;
  }

  /** Nobody answered; trying again later may help. */
  get isOffline(): boolean {
    return this.status === 0;
  }
}
