// Orders for the sweep's program, and its reports.
import type { Damage, Outcome } from '@codelab/protocol';

export type OrderedCall = {
  tool: string;
  args: Record<string, unknown>;
  id: string;
  session?: string;
  turn?: number;
};

export type Order = {
  folder: string;
  calls: readonly OrderedCall[];
  /** The error of its wall clock. */
  clockMs?: number;
  isCompanion?: boolean;
  isChecker?: boolean;
  /** The checks look at the answers only, because system calls fail. */
  isFaulty?: boolean;
};

export type Report = {
  outcomes: Outcome[];
  /** For session s1: the ids of started calls, and every recorded outcome. */
  started: string[];
  finished: Outcome[];
  sessions: number;
  damage: Damage | undefined;
};
