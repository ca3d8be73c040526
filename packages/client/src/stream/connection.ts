// One connection to a gateway, whatever it is made of: what it delivers, and why it ends.
import { ApiError, readFailure } from '../api-error.ts';
import type { StreamFrame } from './frames.ts';

// One connection, from opening to its end, whatever it is made of.

/** A message, and its place in the log when it has one. */
export type ReceivedFrame = { frame: StreamFrame; seq: number | undefined };

export type ConnectionEnd =
  /** The session was deleted, or the like. */
  | { kind: 'over'; why: string }
  /** Coming back would not help. */
  | { kind: 'refused'; error: ApiError }
  | { kind: 'lost'; why: string; afterMs?: number | undefined };

export type ConnectionEvents = {
  onOpen(send: ((text: string) => void) | undefined): void;
  onTold(told: ReceivedFrame): void;
  /** Something came that can't be read; the line goes on. */
  onUnreadable(error: ApiError): void;
};

/** No message is longer; what claims to be is not a gateway. */
export const maxFrame = { bytes: 64 * 1024 * 1024, depth: 200 };

/** Silent for longer than this many beats, a line is taken for dead. */
export const silentHeartbeats = 2.5;

export const connectionLost = (why: string): ConnectionEnd => ({ kind: 'lost', why });

// Why a stream ends: what the gateway refuses, and what it has not said itself.

/** Coming back helps against a gateway that is down or busy, not against its no. */
export async function refusalOf(response: Response): Promise<ConnectionEnd> {
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

export function gaveUpAfter(why: string, times: number): ApiError {
  return new ApiError({ status: 0, code: 'NETWORK_ERROR', message: `Given up after ${times} tries: ${why}` });
}
