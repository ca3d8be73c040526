// Why a stream ends for good, where the gateway itself has not said it.
import { ApiError } from '../api-error.ts';

export function closedEarly(why: string): ApiError {
  return new ApiError({ status: 0, code: 'CANCELLED', message: `Not connected: ${why}.` });
}

export function defect(error: unknown): ApiError {
  const message = `A defect ended the line: ${error instanceof Error ? error.name : 'unknown'}.`;
  return new ApiError({ status: 0, code: 'INTERNAL', message });
}

export function unreachable(why: string, times: number): ApiError {
  return new ApiError({ status: 0, code: 'NETWORK_ERROR', message: `Given up after ${times} tries: ${why}` });
}
