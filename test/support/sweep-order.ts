// What the sweep's program is told, and what it answers.
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
  /** By how much its wall clock is wrong. */
  clockMs?: number;
  isCompanion?: boolean;
  isChecker?: boolean;
  /** The checks look at the answers only, because system calls fail. */
  isFaulty?: boolean;
};

export type Report = {
  outcomes: Outcome[];
  /** Of the session s1: the ids of calls that started, and every outcome that was recorded. */
  started: string[];
  finished: Outcome[];
  sessions: number;
  damage: Damage | undefined;
};
