// How a peer reports the end of a call: a result, an error as object or as text, a status word, or an `ok` object.
import {
  type EndedBadly,
  ErrorCode,
  type Failure,
  type Outcome,
  readErrorCode,
  statusOf,
  ToolError,
} from '@codelab/protocol';
import type { DialectMessage, Json } from '../dialect.ts';
import { objectOf, readField, readTextField } from './values.ts';

/** `id` is empty where the wire has none: an `ok` object answers the call before it. */
export function readWireResult(message: Json, id: string): DialectMessage {
  const tool = readTextField(message, ['tool_name', 'tool_type']) ?? '';
  const durationMs = numberAt(message, 'duration_ms');
  const endedAt = Date.parse(readTextField(message, ['timestamp']) ?? '');
  const startedAt = Number.isNaN(endedAt) ? 0 : endedAt - durationMs;
  const ended = { callId: id, tool, startedAt, durationMs, effects: [] };
  if (isProgress(message))
    return { type: 'progress', asked: { id, wire: { tool, args: {} } }, data: message.result as Json };
  const error = hasRunOut(message) ? undefined : readFailure(message);
  const outcome: Outcome =
    error === undefined
      ? { ...ended, status: 'completed', data: readData(message) }
      : { ...ended, status: endOf(message, error.code), error };
  return { type: 'result', asked: { id, wire: { tool, args: {} } }, outcome };
}

// A command without an exit code is still running.
function isProgress({ type, result, error }: Json): boolean {
  const isResult = type === 'tool_result' && error === undefined && typeof result === 'object';
  return isResult && result !== null && (result as Json).exit_code === null && 'stdout' in result;
}

// A command that was stopped by its timeout has ended: its output is its result.
function hasRunOut({ type, result, error_code }: Json): boolean {
  return type === 'tool_result' && error_code === 'TIMEOUT' && objectOf(result).timed_out === true;
}

function readFailure(message: Json): Failure | undefined {
  if (message.denied === true) return failure(message, readTextField(message, ['reason']), 'REJECTED');
  if (message.is_error === true)
    return failure(message, readTextField(message, ['result']), 'EXECUTION_FAILED');
  const error = readField(message, ['error']);
  if (error === undefined && !saysFailed(message)) return undefined;
  const otherwise = codeOfStatus(message) ?? 'EXECUTION_FAILED';
  if (typeof error === 'object')
    return failure(error as Json, readTextField(error as Json, ['message']), otherwise);
  return failure(message, error === undefined ? undefined : String(error), otherwise);
}

function saysFailed(message: Json): boolean {
  // A command with an exit code other than 0 has ended nevertheless.
  if (message.ok === false) return typeof message.exit_code !== 'number';
  return typeof message.status === 'string' && message.status !== 'success';
}

function failure(wireError: Json, text: string | undefined, otherwise: ErrorCode): Failure {
  const details = detailsOf(wireError);
  const name = readTextField(wireError, ['code', 'error_code']);
  // A coarser name on the wire may hide our own code, which is then in the details.
  const exact = ErrorCode().safeParse(details.code);
  const code = exact.success ? exact.data : name === undefined ? otherwise : readErrorCode(name);
  if (exact.success) delete details.code;
  const message = text ?? 'The call failed.';
  return Object.keys(details).length === 0 ? { code, message } : { code, message, details };
}

function detailsOf(wireError: Json): Json {
  const details = readField(wireError, ['details']);
  return typeof details === 'object' && !Array.isArray(details) ? { ...details } : {};
}

function codeOfStatus(wireError: Json): ErrorCode | undefined {
  if (wireError.status === 'timeout') return 'TIMEOUT';
  return wireError.status === 'cancelled' ? 'CANCELLED' : undefined;
}

function endOf(message: Json, code: ErrorCode): EndedBadly['status'] {
  if (message.status === 'timeout') return 'timed_out';
  return message.status === 'cancelled' ? 'cancelled' : statusOf(code);
}

function readData(message: Json): Json {
  if (typeof message.ok === 'boolean') {
    const { ok: _ok, ...data } = message;
    return data;
  }
  if (typeof message.status === 'string') {
    const { output, metadata } = message;
    return { ...(output == null ? {} : { output }), ...(metadata == null ? {} : { metadata }) };
  }
  const result = readField(message, ['result']);
  if (result === undefined) {
    throw new ToolError('INVALID_ARGUMENTS', '`result` or `error` is missing.', { field: 'result' });
  }
  return typeof result === 'object' && !Array.isArray(result) ? (result as Json) : { output: result };
}

function numberAt(message: Json, name: string): number {
  const value = message[name];
  return typeof value === 'number' ? value : 0;
}
