// How long a model is waited for, and how often it is asked again.
export type Patience = {
  /** Requests in all, the first one included. */
  attempts: number;
  /** Before the second request; twice as long before each one after it, up to `maxWaitMs`. */
  backoffMs: number;
  maxWaitMs: number;
  /** A provider that wants a longer wait than this is not asked again. */
  maxAskedMs: number;
  connectMs: number;
  /** From the request to the first byte: a model on this machine may read a long prompt for minutes. */
  firstByteMs: number;
  /** Between two bytes. */
  idleMs: number;
};

const minute = 60_000;

export function patienceFor(url: URL, wishes: Partial<Patience> = {}): Patience {
  return {
    // About five minutes in all: a server that is started again, or overloaded, is back by then.
    attempts: 12,
    backoffMs: 1000,
    maxWaitMs: minute / 2,
    maxAskedMs: 5 * minute,
    connectMs: 15_000,
    firstByteMs: isHere(url.hostname) ? 10 * minute : 2 * minute,
    idleMs: 2 * minute,
    ...wishes,
  };
}

export function isHere(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.') || host.endsWith('.local');
}
