// Aborts when the proof of who listens runs out; without an end there is no signal.
import type { Peer } from '../gateway/gateway.ts';

const maxTimer = 2 ** 31 - 1;

export function expirySignal({ until }: Peer): AbortSignal[] {
  return until === undefined
    ? []
    : [AbortSignal.timeout(Math.min(maxTimer, Math.max(0, until - Date.now())))];
}
