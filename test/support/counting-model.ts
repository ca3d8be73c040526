// A model with an enforced window: it counts each request with a tokenizer and refuses a longer one, as a provider does.
import type { Model, ModelRequest } from '@codelab/agent';
import { type Reply, ToolError } from '@codelab/protocol';
import { countTokens, isWithinTokenLimit } from 'gpt-tokenizer/encoding/o200k_base';

export type Counting = Model & {
  /** Tokens of each request that was taken. */
  taken: number[];
  refused: number;
  last: ModelRequest | undefined;
};

type Said = Partial<Pick<Reply, 'text' | 'calls'>>;

type Options = {
  /** The real window. */
  window: number;
  /** The window that the agent assumes. */
  believed: number;
  /** Whether a refusal names the window, and whether replies report the count. */
  isTold: boolean;
  isCounted: boolean;
  answer(request: ModelRequest): Said;
};

export function countingModel({ window, believed, isTold, isCounted, answer }: Options): Counting {
  const model: Counting = {
    name: 'counting',
    contextTokens: believed,
    taken: [],
    refused: 0,
    last: undefined,
    async *stream(request) {
      const size = tokensIn(request, window);
      if (size === undefined) {
        model.refused++;
        throw new ToolError('LLM_ERROR', 'too long', {
          reason: 'context_length',
          ...(isTold && { limit: window }),
        });
      }
      model.taken.push(size);
      model.last = request;
      const { text = '', calls = [] } = answer(request);
      const usage = { inputTokens: isCounted ? size : 0, outputTokens: isCounted ? 20 : 0 };
      const stop = calls.length > 0 ? 'calls' : 'end';
      yield { type: 'reply', reply: { model: 'counting', text, calls, usage, stop } };
    },
  };
  return model;
}

/** Undefined when there are more than fit. */
function tokensIn({ system, tools, messages }: ModelRequest, window: number): number | undefined {
  const texts = messages.map((message) =>
    message.role === 'assistant' ? message.reply.text + JSON.stringify(message.reply.calls) : message.text,
  );
  let sum = 4 * messages.length;
  for (const text of [system, ...tools.map((tool) => JSON.stringify(tool)), ...texts]) {
    const found = text.length < 20_000 ? countOnce(text) : isWithinTokenLimit(text, window);
    if (found === false || sum + found > window) return undefined;
    sum += found;
  }
  return sum;
}

const tokensOfText = new Map<string, number>();

function countOnce(text: string): number {
  const known = tokensOfText.get(text) ?? countTokens(text);
  tokensOfText.set(text, known);
  return known;
}
