// Asks the model for notes on the older part of a conversation. The request begins as every other one does, with the same system text, tools
// and messages, so that the provider has most of it in its cache.
import { type Reply, ToolError } from '@codelab/protocol';
import type { Agent } from './agent.ts';
import { cutToFit } from './cut-message.ts';
import type { ModelMessage, ModelRequest } from './model.ts';

const ask: ModelMessage = {
  role: 'user',
  text: `The conversation so far no longer fits. Write the notes an engineer needs to go on with this work without it.
Answer in plain text under these headings: Goal, Instructions, Accomplished, Risks, Next, Files. Keep every fact that is still needed:
paths, names, commands, numbers, decisions, what the user asked for and refused. Call no tools. Be brief.`,
};

/** Of the window, what the request may have: the rest is for the notes. */
const askedShare = 0.85;

/** Undefined when the model gives none: then they are made by rules. */
export async function summarize(
  agent: Agent,
  older: readonly ModelMessage[],
  { system, tools, tokens }: Pick<ModelRequest, 'system' | 'tools'> & { tokens: number },
  signal: AbortSignal,
): Promise<string | undefined> {
  const room = agent.model.contextTokens * askedShare - tokens - 200;
  try {
    const messages = [...cutToFit(older, room), ask];
    const request = { system, tools, messages, cacheKey: agent.log.session };
    const reply = await lastReply(agent, request, signal);
    // Not part of the conversation, but it is paid for.
    agent.emit({ type: 'reply', reply: { ...reply, text: '', calls: [] } });
    return reply.text.trim() === '' ? undefined : reply.text.trim();
  } catch (error) {
    if (signal.aborted) throw error;
    // A model that can't do this must not end the work.
    return undefined;
  }
}

async function lastReply({ model }: Agent, request: ModelRequest, signal: AbortSignal): Promise<Reply> {
  for await (const event of model.stream(request, signal)) if (event.type === 'reply') return event.reply;
  throw new ToolError('LLM_ERROR', 'No summary came.');
}
