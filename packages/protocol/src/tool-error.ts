// The one expected failure: a code from the table, a message that says what to do, and details. Anything else thrown is a bug.
import type { ErrorCode } from './errors.ts';

export class ToolError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>) {
    super(message);
    this.name = 'ToolError';
    this.code = code;
    this.details = details;
  }
}
