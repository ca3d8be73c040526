// How much a model of Anthropic thinks: a token budget for older models, an effort level for newer ones.
import type { Effort } from '@codelab/protocol';
import type { ModelMessage } from '../../model.ts';

type Thinking = { thinking?: Record<string, unknown>; output_config?: { effort: string } };

type ThinkingRequest = {
  id: string;
  /** The name in CodeLab. */
  model: string;
  effort: Effort | undefined;
  maxTokens: number;
  messages: readonly ModelMessage[];
};

const budgets: Record<Effort, number> = {
  none: 0,
  minimal: 2048,
  low: 4096,
  medium: 10_000,
  high: 16_000,
  xhigh: 24_000,
  max: 28_000,
};
const leastBudget = 1024;
/** Tokens left for the answer beside the thinking. */
const leastAnswer = 1024;

export function thinkingOf({ id, model, effort, maxTokens, messages }: ThinkingRequest): Thinking {
  if (effort === undefined || withoutThinking.test(id)) return {};
  if (isAdaptive(id)) {
    if (effort === 'none') return { thinking: { type: 'disabled' } };
    const level = effort === 'minimal' ? 'low' : effort;
    return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: level } };
  }
  const budget = Math.min(budgets[effort], maxTokens - leastAnswer);
  if (budget < leastBudget || isAmidCalls(messages, model)) return {};
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

const withoutThinking = /^claude-(?:3-(?:opus|sonnet|haiku|5)|2|instant)/;

/** Claude from 4.6 on; servers of others with this wire accept budgets. */
function isAdaptive(id: string): boolean {
  return (
    id.startsWith('claude-') && !/^claude-(?:3-7|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-\d{8})?$)/.test(id)
  );
}

/** With a budget, a reply whose calls are being answered must begin with its reasoning; a reply without was made without a budget. */
function isAmidCalls(messages: readonly ModelMessage[], model: string): boolean {
  if (messages.at(-1)?.role !== 'tool') return false;
  const last = messages.findLast((message) => message.role === 'assistant');
  if (last?.role !== 'assistant') return false;
  const [first] = (last.reply.opaque as AnthropicOpaque | undefined)?.blocks ?? [];
  return last.reply.model !== model || first === undefined || !('thought' in first);
}

/** A reply with signed reasoning must be sent back block by block in its old order; texts and calls are only referenced. */
export type AnthropicOpaque = { blocks: OpaqueBlock[] };

export type OpaqueBlock =
  /** `thinking` and `redacted_thinking`, unchanged. */
  | { thought: Record<string, unknown> }
  /** Number of characters of the reply's text. */
  | { text: number }
  /** Index of the call; its id may change on the wire. */
  | { call: number };
