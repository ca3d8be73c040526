// Aborts when the proof of who listens runs out or its browser signs out; without an end there is no signal.
import type { Peer } from '../sessions/gateway.ts';

const maxTimer = 2 ** 31 - 1;

export function expirySignal({ until, page }: Peer): AbortSignal[] {
  const expiry =
    until === undefined ? [] : [AbortSignal.timeout(Math.min(maxTimer, Math.max(0, until - Date.now())))];
  return page === undefined ? expiry : [...expiry, page.ended];
}
