// What a headless turn prints: while it goes on, and at its end.

import type { TurnResult } from '@codelab/agent';
import type { AgentSignal } from '@codelab/protocol';

type RunEnd = TurnResult & { session: string; model: string; tally: Tally };

/** What happened in the turn, counted. */
export type Tally = {
  calls: { id: string; tool: string; status: string; code?: string }[];
  inputTokens: number;
  outputTokens: number;
  cost: number | undefined;
  /** Calls that were not made because a human refused or nobody could be asked. */
  refused: number;
};

export type RunOutput = { show(signal: AgentSignal): void; end(result: RunEnd): void };
