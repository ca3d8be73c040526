// Counts what happens in a turn.
import type { AgentSignal } from '@codelab/protocol';
import type { Tally } from './run-output.ts';

export function createTally(): Tally & { count(signal: AgentSignal): void } {
  return {
    calls: [],
    inputTokens: 0,
    outputTokens: 0,
    cost: undefined,
    refused: 0,
    count(signal) {
      if (signal.type === 'reply') {
        const { inputTokens, outputTokens, cost } = signal.reply.usage;
        this.inputTokens += inputTokens;
        this.outputTokens += outputTokens;
        if (cost !== undefined) this.cost = (this.cost ?? 0) + cost;
      }
      if (signal.type !== 'outcome') return;
      const { call, outcome } = signal;
      const { status } = outcome;
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
