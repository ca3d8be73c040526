// Counts what happens in a turn.
import type { AgentSignal, Effect } from '@codelab/protocol';

/** What happened in the turn, counted. */
export type Tally = {
  calls: { id: string; tool: string; status: string; code?: string }[];
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  cost: number | undefined;
  /** Calls that were not made because a human refused or nobody could be asked. */
  refused: number;
  effects: Effect[];
};

export function createTally(): Tally & { count(signal: AgentSignal): void } {
  return {
    calls: [],
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    cost: undefined,
    refused: 0,
    effects: [],
    count(signal) {
      if (signal.type === 'reply') {
        const { inputTokens, outputTokens, cachedTokens = 0, cost } = signal.reply.usage;
        this.inputTokens += inputTokens;
        this.outputTokens += outputTokens;
        this.cachedTokens += cachedTokens;
        if (cost !== undefined) this.cost = (this.cost ?? 0) + cost;
      }
      if (signal.type !== 'outcome') return;
      const { call, outcome } = signal;
      const { status } = outcome;
      this.effects.push(...outcome.effects);
      this.calls.push({
        id: call.id,
        tool: call.tool,
        status,
        ...(status === 'completed' ? {} : { code: outcome.error.code }),
      });
      if (status === 'rejected' || status === 'expired') this.refused++;
    },
  };
}
