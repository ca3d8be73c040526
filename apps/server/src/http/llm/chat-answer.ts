// The reply of a model in OpenAI's format: chunk by chunk, or whole.
import { randomUUID } from 'node:crypto';
import type { ModelEvent } from '@codelab/agent';
import type { Reply } from '@codelab/protocol';
import { ProxyError, proxyErrorOf } from './proxy-error.ts';

type Options = { model: string; includeUsage: boolean; onReply(reply: Reply): void };

export async function wholeAnswer(
  events: AsyncIterable<ModelEvent>,
  { model, onReply }: Omit<Options, 'includeUsage'>,
): Promise<object> {
  for await (const event of events) {
    if (event.type !== 'reply') continue;
    const { reply } = event;
    onReply(reply);
    const calls = toolCalls(reply);
    const message = {
      role: 'assistant',
      content: reply.text === '' && calls.length > 0 ? null : reply.text,
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: finishOf(reply) }];
    return { ...head('chat.completion', model), choices, usage: usageOf(reply) };
  }
  throw new ProxyError('PROVIDER_ERROR', `${model} ended without an answer.`);
}

/** The events of a stream; an error in the midst of it is one of them, and then there is no `[DONE]`. */
export async function* streamedAnswer(
  events: AsyncIterable<ModelEvent>,
  { model, includeUsage, onReply }: Options,
): AsyncGenerator<string> {
  const base = head('chat.completion.chunk', model);
  const chunk = (delta: object, finish: string | null = null): string =>
    line({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
  let hasSpoken = false;
  try {
    for await (const event of events) {
      if (event.type === 'text') {
        yield chunk(hasSpoken ? { content: event.delta } : { role: 'assistant', content: event.delta });
        hasSpoken = true;
      }
      // A retry that discards text is an error once the client has read some of the text.
      if (event.type === 'retry' && event.discards && hasSpoken)
        throw new ProxyError('PROVIDER_ERROR', event.reason);
      if (event.type !== 'reply') continue;
      const { reply } = event;
      onReply(reply);
      if (!hasSpoken) yield chunk({ role: 'assistant', content: reply.calls.length > 0 ? null : '' });
      for (const [index, call] of toolCalls(reply).entries())
        yield chunk({ tool_calls: [{ index, ...call }] });
      yield chunk({}, finishOf(reply));
      if (includeUsage) yield line({ ...base, choices: [], usage: usageOf(reply) });
      yield 'data: [DONE]\n\n';
      return;
    }
    throw new ProxyError('PROVIDER_ERROR', `${model} ended without an answer.`);
  } catch (error) {
    yield line(proxyErrorOf(error).body);
  }
}

function line(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function head(object: string, model: string): object {
  return { id: `chatcmpl-${randomUUID()}`, object, created: Math.floor(Date.now() / 1000), model };
}

function toolCalls({ calls }: Reply): object[] {
  return calls.map(({ id, tool, args }) => ({
    id,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(args) },
  }));
}

function finishOf({ stop }: Reply): string {
  switch (stop) {
    case 'end':
    case 'paused':
      return 'stop';
    case 'calls':
      return 'tool_calls';
    case 'length':
    case 'interrupted':
      return 'length';
    case 'refused':
      return 'content_filter';
  }
}

function usageOf({ usage: { inputTokens, outputTokens, cachedTokens } }: Reply): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
  };
}
