// The error kinds of seed 002 as classes to catch, each with our error code, and conversions between results and failures.
import { addressOf, findDialect, refuse } from '@codelab/dialects';
import { type ErrorCode, errorCodes, readErrorCode, ToolError } from '@codelab/protocol';
import type { ToolResult } from '../api/tool-calls.ts';
import type { ToolExecutionSignal } from './tool-events.ts';

/** The workspace does not accept the path: its form, where it leads, its size or its permissions. */
export class PathValidationError extends ToolError {
  override name = 'PathValidationError';
}

/** A file or folder could not be read, written or listed. */
export class FileOperationError extends ToolError {
  override name = 'FileOperationError';
}

/** A program may not run, or failed; `exitCode` is missing when it was never started. */
export class CommandExecutionError extends ToolError {
  override name = 'CommandExecutionError';
  readonly exitCode: number | undefined;

  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>, exitCode?: number) {
    super(code, message, details);
    this.exitCode = exitCode;
  }
}

/** The call exceeded its time limit. */
export class TimeoutError extends ToolError {
  override name = 'TimeoutError';
}

/** A human rejected, or the approval timed out: `code` is REJECTED or APPROVAL_EXPIRED. */
export class ApprovalDeniedError extends ToolError {
  override name = 'ApprovalDeniedError';
}

/** The failure in a result, as one of the classes above; undefined for a success. */
export function errorOf(result: ToolResult): ToolError | undefined {
  const { status, error, exitCode, tool_type } = result;
  if (status === 'success') return undefined;
  const code = codeOf(result);
  const message = error?.message ?? `The call ended as ${status}.`;
  const details = error?.details;
  if (code === 'TIMEOUT') return new TimeoutError(code, message, details);
  if (code === 'REJECTED' || code === 'APPROVAL_EXPIRED')
    return new ApprovalDeniedError(code, message, details);
  if (code === 'INVALID_PATH' || code === 'PATH_OUTSIDE_WORKSPACE')
    return new PathValidationError(code, message, details);
  return tool_type === 'execute_command'
    ? new CommandExecutionError(code, message, details, exitCode ?? undefined)
    : new FileOperationError(code, message, details);
}

/** Returns the result, or throws its failure. */
export function requireSuccess(result: ToolResult): ToolResult {
  const error = errorOf(result);
  if (error !== undefined) throw error;
  return result;
}

// The wire's name may be coarser than our code, which is then in the details.
function codeOf({ status, error }: ToolResult): ErrorCode {
  const exact = errorCodes.find((code) => code === error?.details?.code);
  if (exact !== undefined) return exact;
  if (error !== undefined) return readErrorCode(error.code);
  return status === 'timeout' ? 'TIMEOUT' : status === 'cancelled' ? 'CANCELLED' : 'EXECUTION_FAILED';
}

/** The result of a call that did not run, or failed here. */
export function failureResult(signal: ToolExecutionSignal, error: unknown, ending: AbortSignal): ToolResult {
  return findDialect('plugin').encode(refuse(addressOf(signal), asToolError(error, ending))) as ToolResult;
}

function asToolError(error: unknown, ending: AbortSignal): ToolError {
  if (error instanceof ToolError) return error;
  if (ending.aborted) return new ToolError('CANCELLED', 'The call was cancelled: the client was closed.');
  const message = error instanceof Error ? error.message : 'The call could not be run.';
  return new ToolError('EXECUTION_FAILED', message);
}

/** For a call that was begun in an earlier run of this program. */
export function unknownOutcome(): ToolError {
  const message =
    'The call was started before and its end is unknown. Look at the files before repeating it.';
  return new ToolError('OUTCOME_UNKNOWN', message);
}
