// The limits of a headless turn: replies of the model, cost and time. Reaching one stops the turn cleanly.
import type { TurnStop } from '@codelab/agent';
import { type AgentSignal, cancellation } from '@codelab/protocol';

type Most = { maxTurns?: number | undefined; maxCost?: number | undefined };

export type RunLimits = {
  /** Counts every reply, those of sub-agents and summaries included. */
  count(signal: AgentSignal): void;
  /** Undefined while the model may be asked again. */
  stop(): TurnStop | undefined;
};

export function createRunLimits({ maxTurns, maxCost }: Most): RunLimits {
  let replies = 0;
  let cost = 0;
  let unpriced: string | undefined;
  return {
    count(signal) {
      if (signal.type !== 'reply') return;
      const { model, usage } = signal.reply;
      replies++;
      cost += usage.cost ?? 0;
      if (usage.cost === undefined && usage.inputTokens + usage.outputTokens > 0) unpriced = model;
    },
    stop() {
      if (maxTurns !== undefined && replies >= maxTurns)
        return { end: 'step_limit', message: `--max-turns ${maxTurns} was reached.` };
      if (maxCost === undefined) return undefined;
      // A cost that is not known can't be limited.
      if (unpriced !== undefined) return { end: 'cost_limit', message: unpricedText(unpriced) };
      if (cost < maxCost) return undefined;
      return {
        end: 'cost_limit',
        message: `--max-cost ${maxCost} was reached: $${cost.toFixed(4)} used.`,
      };
    },
  };
}

function unpricedText(model: string): string {
  return `The price of ${model} is not known, so --max-cost can’t be enforced. Set its price (docs/models.md), or use --max-turns.`;
}

export type TimeLimit = Disposable & {
  signal: AbortSignal;
  readonly hasPassed: boolean;
  message?: string;
};

/** Without a duration, the deadline never passes. */
export function createTimeLimit(time: { ms: number; text: string } | undefined, who: string): TimeLimit {
  const controller = new AbortController();
  if (time === undefined)
    return { signal: controller.signal, hasPassed: false, [Symbol.dispose]: () => undefined };
  const by = { who, via: `--timeout ${time.text}` };
  const timer = setTimeout(() => controller.abort(cancellation(by)), time.ms);
  return {
    signal: controller.signal,
    message: `--timeout ${time.text} passed.`,
    get hasPassed() {
      return controller.signal.aborted;
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
