// A call that wants to run: what it touches, whose it is, and what it waits for.
import type { Touch } from '@codelab/protocol';

/** Calls that read, calls that change files, and commands. */
export type Lane = 'read' | 'change' | 'command';

/** What a call touches, whose it is, and whether it may change anything at all. */
export type Wish = {
  lane: Lane;
  session: string;
  /** Whom the session belongs to; undefined for the operator. */
  owner?: string | undefined;
  touches: readonly Touch[];
  changes: boolean;
};

export type Job = Wish & {
  askedAt: number;
  /** How many earlier calls that conflict with it have not ended. */
  blockers: number;
  /** Later calls that conflict with it. */
  blocked: Job[];
  isRunning: boolean;
  start(): void;
};
