// The reports of the hosts in the chaos run.

/** A deletion that was reported as restorable. */
export type Claim = { session: string; callId: string; path: string; files: Record<string, string> };

export type ChaosFact =
  | ({ type: 'claim' } & Claim)
  /** A patch that is about to create this many files: all of them or none. */
  | { type: 'set'; folder: string; count: number }
  | { type: 'odd'; text: string }
  | { type: 'end'; stallMs: number; busyMs: number; calls: number };
