// Why a stream ends: what the gateway refuses, and what it has not said itself.
import { readFailure } from '../api/read-failure.ts';
import { ApiError } from '../api-error.ts';
import type { LineEnd } from './line.ts';

/** Coming back helps against a gateway that is down or busy, not against its no. */
export async function refusalOf(response: Response): Promise<LineEnd> {
  const error = readFailure(response.status, await response.json().catch(() => undefined));
  const isPassing = response.status >= 500 || response.status === 429 || response.status === 408;
  if (!isPassing) return { kind: 'refused', error };
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  return { kind: 'lost', why: error.message, afterMs: after >= 0 && after <= 300 ? after * 1000 : undefined };
}

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
