// What is known of a long-running process that nobody was asked about.
import type { HeldBack } from './held-back.ts';

export type ProcessWatch = {
  callId: string;
  /** Everything that was held back so far. */
  readonly held: readonly HeldBack[];
  look(): Promise<void>;
  /** The last look. */
  end(): Promise<void>;
};
