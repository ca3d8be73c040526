// Asks the model for its next reply: makes room first, asks, and when the provider finds the request too long, learns the window
// from what it says, makes more room and asks again.
import { type Reply, ToolError } from '@codelab/protocol';
import type { Agent } from './agent.ts';
import { makeRoom, type Prefix } from './compact.ts';
import type { Conversation } from './conversation.ts';
import { estimateTokens } from './estimate-tokens.ts';
import type { Model, ModelRequest } from './model.ts';
import { from, record } from './record.ts';
import { systemText } from './system-text.ts';

/** With the steps of `learnWindow` the third request fits any window of 8k and more, and the fifth one of 2k. */
const mostTries = 5;
/** What is tried when a server does not say how much it takes, and half of the way there was too much. */
const smallWindow = 7000;
/** No model that works with tools has a smaller one. */
const leastWindow = 2048;

export async function askModel(agent: Agent, talk: Conversation, signal: AbortSignal): Promise<Reply> {
  const tools = await agent.host.tools(agent.profile.name, signal, agent.model.contextTokens);
  const system = await systemText(agent, talk);
  const prefix = prefixOf(system, tools);
  await agent.model.learnWindow?.(talk.tokensWith(prefix.tokens));
  await makeRoom(agent, talk, prefix, signal);
  for (let attempt = 1; ; attempt++) {
    const sent = talk.tokensWith(prefix.tokens);
    try {
      const reply = await askOnce(agent, talk, prefix, signal);
      learnFromCount(agent.model, reply.usage.inputTokens, sent);
      return reply;
    } catch (error) {
      const isTooLong = error instanceof ToolError && error.details?.reason === 'context_length';
      if (!isTooLong || attempt === mostTries) throw error;
      agent.model.contextTokens = learnWindow(agent.model, error.details?.limit, sent, attempt);
      await makeRoom(agent, talk, prefix, signal, { isRefused: true });
    }
  }
}

/** What every request of an agent begins with now, for whoever makes room by hand. */
export async function prefixNow(agent: Agent, talk: Conversation, signal: AbortSignal): Promise<Prefix> {
  return prefixOf(await systemText(agent, talk), await agent.host.tools(agent.profile.name, signal));
}

function prefixOf(system: string, tools: ModelRequest['tools']): Prefix {
  return { system, tools, tokens: estimateTokens(system) + estimateTokens(JSON.stringify(tools)) };
}

/**
 * What the provider says counts. When it says nothing, or what was known already, what was sent was too much: first half of the way down to
 * a small window, then that, then half of it.
 */
function learnWindow(model: Model, limit: unknown, sentTokens: number, attempt: number): number {
  const known = model.contextTokens;
  if (typeof limit === 'number' && limit < known) return Math.max(leastWindow, limit);
  const most = Math.min(known, sentTokens);
  const half = most / 2;
  const small = attempt === 1 ? Math.sqrt(most * smallWindow) : smallWindow;
  return Math.floor(Math.max(leastWindow, Math.min(half, small)));
}

/** What a server counted when it was a fraction of what was sent. */
const cutCounts = new WeakMap<Model, number>();

/**
 * A server that counts the same fraction of what was sent twice in a row has cut the requests without a word: what it counted is its window.
 * Once may be a count of something else, and fewer tokens than any window has are none.
 */
function learnFromCount(model: Model, counted: number, sent: number): void {
  const before = cutCounts.get(model) ?? 0;
  cutCounts.delete(model);
  if (counted < leastWindow || counted * 4 >= sent) return;
  cutCounts.set(model, counted);
  if (Math.abs(counted - before) <= counted * 0.02)
    model.contextTokens = Math.min(model.contextTokens, counted);
}

async function askOnce(
  agent: Agent,
  talk: Conversation,
  { system, tools, tokens }: Prefix,
  signal: AbortSignal,
): Promise<Reply> {
  agent.emit({ type: 'status', status: 'thinking' });
  const request = { system, messages: talk.messages, tools, cacheKey: agent.log.session };
  let partial = '';
  try {
    for await (const event of agent.model.stream(request, signal)) {
      if (event.type === 'text') partial += event.delta;
      if (event.type === 'retry' && event.discards) partial = '';
      if (event.type === 'reply') {
        talk.correct(event.reply.usage.inputTokens, tokens);
        return await keepReply(agent, talk, event.reply);
      }
      if (event.type === 'notice') agent.notice?.(event.text);
      else if (event.type !== 'call') agent.emit(event);
    }
  } catch (error) {
    // What was shown stays, and the model knows of it in the next turn.
    if (partial.trim() !== '') await keepReply(agent, talk, interrupted(agent, partial));
    throw error;
  }
  throw new ToolError('LLM_ERROR', `${agent.model.name} ended without an answer.`);
}

async function keepReply(agent: Agent, talk: Conversation, given: Reply): Promise<Reply> {
  const calls = given.calls.map((call) => ({ ...call, id: talk.uniqueId(call.id) }));
  const reply = { ...given, calls };
  await record(agent, talk, { type: 'model.replied', turn: talk.turn, reply, ...from(agent) });
  agent.emit({ type: 'reply', reply });
  return reply;
}

function interrupted(agent: Agent, text: string): Reply {
  const usage = { inputTokens: 0, outputTokens: 0 };
  return { model: agent.model.name, text, calls: [], usage, stop: 'interrupted' };
}
