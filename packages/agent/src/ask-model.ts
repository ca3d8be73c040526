// Asks the model for its next reply: makes room first, asks, and when the provider finds the request too long, learns the window
// from what it says, makes more room and asks again.
import { type Reply, ToolError } from '@codelab/protocol';
import type { Agent } from './agent.ts';
import { makeRoom } from './compact.ts';
import type { Conversation } from './conversation.ts';
import { estimateTokens } from './estimate-tokens.ts';
import type { Model, ModelRequest } from './model.ts';
import { from, record } from './record.ts';
import { systemText } from './system-text.ts';

/** Each time the window is taken for half as large, where the provider does not say how large it is. */
const mostTries = 4;
/** No model that works with tools has a smaller one. */
const leastWindow = 2048;

export async function askModel(agent: Agent, talk: Conversation, signal: AbortSignal): Promise<Reply> {
  const tools = await agent.host.tools(agent.profile.name, signal);
  const system = await systemText(agent, talk);
  const fixedTokens = estimateTokens(system) + estimateTokens(JSON.stringify(tools));
  await makeRoom(agent, talk, fixedTokens, signal);
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(agent, talk, { system, tools }, signal);
    } catch (error) {
      const isTooLong = error instanceof ToolError && error.details?.reason === 'context_length';
      if (!isTooLong || attempt === mostTries) throw error;
      learnWindow(agent.model, error.details?.limit, talk.tokensWith(fixedTokens));
      await makeRoom(agent, talk, fixedTokens, signal);
    }
  }
}

/** The provider counts otherwise than we do: what it says counts; when it says nothing, what was sent was too much. */
function learnWindow(model: Model, limit: unknown, sentTokens: number): void {
  const known = model.contextTokens;
  const learned =
    typeof limit === 'number' && limit < known ? limit : Math.floor(Math.min(known, sentTokens) / 2);
  model.contextTokens = Math.max(leastWindow, learned);
}

async function askOnce(
  agent: Agent,
  talk: Conversation,
  { system, tools }: Pick<ModelRequest, 'system' | 'tools'>,
  signal: AbortSignal,
): Promise<Reply> {
  agent.emit({ type: 'status', status: 'thinking' });
  const request = { system, messages: talk.messages, tools, cacheKey: agent.log.session };
  let partial = '';
  try {
    for await (const event of agent.model.stream(request, signal)) {
      if (event.type === 'text') partial += event.delta;
      if (event.type === 'retry' && event.discards) partial = '';
      if (event.type === 'reply') return await keepReply(agent, talk, event.reply);
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
