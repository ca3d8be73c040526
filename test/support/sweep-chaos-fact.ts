// What the hosts of the chaos run say about what they do.

/** A deletion whose answer was that it can be brought back. */
export type Claim = { session: string; callId: string; path: string; files: Record<string, string> };

export type ChaosFact =
  | ({ type: 'claim' } & Claim)
  /** A patch that is about to make so many files: all of them or none. */
  | { type: 'set'; folder: string; count: number }
  | { type: 'odd'; text: string }
  | { type: 'end'; stallMs: number; busyMs: number; calls: number };
