// One connection to a gateway, whatever its transport: the delivered messages, and the reason of its end.
import { ApiError, readFailure } from '../api-error.ts';
import type { StreamFrame } from './frames.ts';

/** A message, with its sequence number in the log when it has one. */
export type ReceivedFrame = { frame: StreamFrame; seq: number | undefined };

export type ConnectionEnd =
  /** The session was deleted, for example. */
  | { kind: 'over'; why: string }
  /** Reconnecting would not help. */
  | { kind: 'refused'; error: ApiError }
  | { kind: 'lost'; why: string; afterMs?: number | undefined };

export type ConnectionEvents = {
  onOpen(send: ((text: string) => void) | undefined): void;
  onFrame(frame: ReceivedFrame): void;
  /** A message cannot be read; the connection continues. */
  onUnreadable(error: ApiError): void;
};

/** No message of a gateway is longer or deeper. */
export const maxFrame = { bytes: 64 * 1024 * 1024, depth: 200 };

/** A connection that is silent for longer than this many beats counts as dead. */
export const silentHeartbeats = 2.5;

export const connectionLost = (why: string): ConnectionEnd => ({ kind: 'lost', why });

// The reason of a stream's end, when the gateway refuses or has not given one.

/** Reconnecting helps when a gateway is down or busy, not when it refuses. */
export async function refusalOf(response: Response): Promise<ConnectionEnd> {
  const error = readFailure(response.status, await response.json().catch(() => undefined));
  const isPassing = response.status >= 500 || response.status === 429 || response.status === 408;
  if (!isPassing) return { kind: 'refused', error };
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  return { kind: 'lost', why: error.message, afterMs: after >= 0 && after <= 300 ? after * 1000 : undefined };
}

export function closedEarly(reason: string): ApiError {
  return new ApiError({ status: 0, code: 'CANCELLED', message: `Not connected: ${reason}.` });
}

export function defect(error: unknown): ApiError {
  const message = `A defect ended the line: ${error instanceof Error ? error.name : 'unknown'}.`;
  return new ApiError({ status: 0, code: 'INTERNAL', message });
}

export function gaveUpAfter(reason: string, times: number): ApiError {
  return new ApiError({
    status: 0,
    code: 'NETWORK_ERROR',
    message: `Given up after ${times} tries: ${reason}`,
  });
}
