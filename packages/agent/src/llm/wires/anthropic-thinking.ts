// How much a model of Anthropic's thinks: a budget of tokens for older ones, a level of effort for those that decide themselves.
import type { Effort } from '@codelab/protocol';
import type { ModelMessage } from '../../model.ts';

type Thinking = { thinking?: Record<string, unknown>; output_config?: { effort: string } };

type Asked = {
  id: string;
  /** As the user names it. */
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
/** What is left for the answer beside the thinking. */
const leastAnswer = 1024;

export function thinkingOf({ id, model, effort, maxTokens, messages }: Asked): Thinking {
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

/** Claude from 4.6 on; servers of others that speak this wire know budgets. */
function isAdaptive(id: string): boolean {
  return (
    id.startsWith('claude-') && !/^claude-(?:3-7|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-\d{8})?$)/.test(id)
  );
}

/** With a budget, a reply whose calls are being answered must begin with its thoughts: one that has none was made without. */
function isAmidCalls(messages: readonly ModelMessage[], model: string): boolean {
  if (messages.at(-1)?.role !== 'tool') return false;
  const last = messages.findLast((one) => one.role === 'assistant');
  if (last?.role !== 'assistant') return false;
  const [first] = (last.reply.opaque as AnthropicOpaque | undefined)?.blocks ?? [];
  return last.reply.model !== model || first === undefined || !('thought' in first);
}

/** A reply with signed reasoning must go back block by block in its old order; texts and calls are only pointed at. */
export type AnthropicOpaque = { blocks: OpaqueBlock[] };

export type OpaqueBlock =
  /** `thinking` and `redacted_thinking`, unchanged. */
  | { thought: Record<string, unknown> }
  /** So many characters of the reply's text. */
  | { text: number }
  /** The call at this place: its id may be changed on the way. */
  | { call: number };
