// What a session has cost so far: read from its log once, then counted on.
import type { SessionEvent, Usage } from '@codelab/protocol';

export type ChatUsage = {
  replies: number;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  /** Undefined when no price is known. */
  cost: number | undefined;
};

export function usageIn(events: readonly SessionEvent[]): ChatUsage {
  const usage: ChatUsage = { replies: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, cost: undefined };
  for (const { body } of events) if (body.type === 'model.replied') addUsage(usage, body.reply.usage);
  return usage;
}

export function addUsage(
  usage: ChatUsage,
  { inputTokens, outputTokens, cachedTokens = 0, cost }: Usage,
): void {
  usage.replies++;
  usage.inputTokens += inputTokens;
  usage.outputTokens += outputTokens;
  usage.cachedTokens += cachedTokens;
  if (cost !== undefined) usage.cost = (usage.cost ?? 0) + cost;
}
