// Asks the model for its next reply: makes room first, asks, and when the provider finds the request too long, learns the window
// from the error, makes more room and asks again.
import { type Reply, ToolError, type Usage } from '@codelab/protocol';
import { type Agent, agentField, recordEvents } from './agent.ts';
import { makeRoom, type Prefix } from './compaction/compact.ts';
import { estimateTokens } from './compaction/estimate-tokens.ts';
import type { Conversation } from './conversation.ts';
import type { Model, ModelRequest } from './model.ts';
import { systemText } from './system-text.ts';

/** With the steps of `learnWindow` the third request fits any window of 8k and more, and the fifth one of 2k. */
const mostTries = 5;
/** Tried when a server does not name its limit, and half of the way there was too much. */
const smallWindow = 7000;
/** No model that works with tools has a smaller window. */
const leastWindow = 2048;

export async function askModel(
  agent: Agent,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<Reply> {
  const tools = await agent.host.tools(agent.profile.name, signal, agent.model.contextTokens);
  const system = await systemText(agent, conversation);
  const prefix = prefixOf(system, tools);
  await agent.model.learnWindow?.(conversation.tokensWith(prefix.tokens));
  await makeRoom(agent, conversation, prefix, signal);
  for (let attempt = 1; ; attempt++) {
    const sentTokens = conversation.tokensWith(prefix.tokens);
    const messages = conversation.ownTokens;
    try {
      const reply = await askOnce(agent, conversation, prefix, signal);
      learnFromCount(agent.model, reply.usage, { sentTokens, messages });
      return reply;
    } catch (error) {
      const isTooLong = error instanceof ToolError && error.details?.reason === 'context_length';
      if (!isTooLong || attempt === mostTries) throw error;
      agent.model.contextTokens = learnWindow(agent.model, error.details?.limit, sentTokens, attempt);
      await makeRoom(agent, conversation, prefix, signal, { isRefused: true });
    }
  }
}

/** The current prefix of an agent's requests, for manual compaction. */
export async function requestPrefix(
  agent: Agent,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<Prefix> {
  return prefixOf(await systemText(agent, conversation), await agent.host.tools(agent.profile.name, signal));
}

/** Keyed by the list of tools: the prefix stays the same from step to step, and counting it takes longer than a short call. */
const knownPrefixes = new WeakMap<ModelRequest['tools'], Prefix>();

function prefixOf(system: string, tools: ModelRequest['tools']): Prefix {
  const known = knownPrefixes.get(tools);
  if (known?.system === system) return known;
  const tokens = estimateTokens(system) + estimateTokens(JSON.stringify(tools));
  const prefix = { system, tools, tokens };
  knownPrefixes.set(tools, prefix);
  return prefix;
}

/**
 * A limit named by the provider counts. Without one, or with one that was already known, the request was too large: the window is set
 * half of the way down to a small window, then to that window, then to half of it.
 */
function learnWindow(model: Model, limit: unknown, sentTokens: number, attempt: number): number {
  const known = model.contextTokens;
  if (typeof limit === 'number' && limit < known) return Math.max(leastWindow, limit);
  const windowLimit = Math.min(known, sentTokens);
  const half = windowLimit / 2;
  const small = attempt === 1 ? Math.sqrt(windowLimit * smallWindow) : smallWindow;
  return Math.floor(Math.max(leastWindow, Math.min(half, small)));
}

/** The previous count of a server that counted only a fraction of the request. */
const cutCounts = new WeakMap<Model, { countedTokens: number; messages: number }>();

/**
 * A server that counts the same fraction of what was sent twice in a row has silently cut the requests: its count is its window.
 * A single low count may mean something else, and fewer tokens than any window has are ignored. A server that counts only uncached tokens
 * is recognised by what was added in between: its count is about that, or grows by it.
 */
function learnFromCount(
  model: Model,
  { inputTokens: countedTokens, cachedTokens = 0 }: Usage,
  { sentTokens, messages }: { sentTokens: number; messages: number },
): void {
  const before = cutCounts.get(model);
  cutCounts.delete(model);
  if (countedTokens < leastWindow || countedTokens * 4 >= sentTokens || cachedTokens > 0) return;
  cutCounts.set(model, { countedTokens, messages });
  if (before === undefined) return;
  const added = messages - before.messages;
  const difference = Math.abs(countedTokens - before.countedTokens);
  const isSame = difference <= Math.min(countedTokens * 0.02, added / 4);
  const isWhatWasAdded = Math.abs(added - countedTokens) <= countedTokens / 2;
  if (isSame && !isWhatWasAdded) model.contextTokens = Math.min(model.contextTokens, countedTokens);
}

async function askOnce(
  agent: Agent,
  conversation: Conversation,
  { system, tools, tokens }: Prefix,
  signal: AbortSignal,
): Promise<Reply> {
  agent.emit({ type: 'status', status: 'thinking' });
  const request = { system, messages: conversation.messages, tools, cacheKey: agent.log.session };
  // The agent above reads a sub-agent's reply, not people, so the partial text is not stored.
  const partialReply = agent.id === undefined ? agent.log.partial : undefined;
  let partial = '';
  let streamed = '';
  try {
    for await (const event of agent.model.stream(request, signal)) {
      if (event.type === 'text') {
        partial += event.delta;
        partialReply?.add(event.delta);
      }
      if (event.type === 'retry' && event.discards) {
        partial = '';
        partialReply?.drop();
      }
      if (partial.trim() !== '') streamed = partial;
      if (event.type === 'reply') {
        conversation.correct(event.reply.usage.inputTokens, tokens);
        return await keepReply(agent, conversation, event.reply);
      }
      if (event.type === 'notice') agent.notice?.(event.text);
      else if (event.type !== 'call') agent.emit(event);
    }
  } catch (error) {
    // Text that was shown stays, also when the retries brought nothing, and the model sees it in the next turn.
    if (streamed !== '') await keepReply(agent, conversation, interrupted(agent, streamed));
    throw error;
  }
  throw new ToolError('LLM_ERROR', `${agent.model.name} ended without an answer.`);
}

async function keepReply(agent: Agent, conversation: Conversation, received: Reply): Promise<Reply> {
  const calls = received.calls.map((call) => ({ ...call, id: conversation.uniqueId(call.id) }));
  const reply = { ...received, calls };
  await recordEvents(agent, conversation, {
    type: 'model.replied',
    turn: conversation.turn,
    reply,
    ...agentField(agent),
  });
  if (agent.id === undefined) agent.log.partial.drop();
  agent.emit({ type: 'reply', reply });
  return reply;
}

/** Records what an ended process had streamed of its reply, so that the text stays and the model sees it. */
export async function recordPartialReply(agent: Agent, conversation: Conversation): Promise<void> {
  const text = agent.log.partial.unfinishedText();
  if (text === '') return;
  const last = conversation.messages.findLast(({ role }) => role === 'assistant');
  // The process may have died after it wrote the reply, so the log can already have it.
  const isKnown = last?.role === 'assistant' && last.reply.text.startsWith(text);
  if (text.trim() === '' || isKnown) agent.log.partial.drop();
  else await keepReply(agent, conversation, interrupted(agent, text));
}

function interrupted(agent: Agent, text: string): Reply {
  const usage = { inputTokens: 0, outputTokens: 0 };
  return { model: agent.model.name, text, calls: [], usage, stop: 'interrupted' };
}
