// Makes room when the window fills, by the first of these that is enough: cut old results; summarize the older part; cut long texts to
// their beginnings and ends; summarize everything. The log keeps everything; a call is never separated from its result.

import { type Reply, ToolError } from '@codelab/protocol';
import { type Agent, agentField, recordEvents } from '../agent.ts';
import type { Conversation } from '../conversation.ts';
import type { ModelMessage, ModelRequest } from '../model.ts';
import { cutToFit, tokensOf } from './cut-message.ts';
import { headWithin } from './estimate-tokens.ts';
import { keptFacts } from './kept-facts.ts';
import { notesByRules, proseOf, summaryMark } from './summarize-by-rules.ts';

/** The common start of every request. */
export type Prefix = Pick<ModelRequest, 'system' | 'tools'> & { tokens: number };

/** Compaction begins at this share of the window: the rest is for the reply. */
const fullShare = 0.8;
/** Shares of the room besides the prefix: for the newest messages, which stay unchanged, and for a summary with its facts. */
const keptShare = 0.3;
const summaryShare = 0.4;
/** Share of a summary for the facts; the model's own notes have the rest. */
const factsShare = 0.7;
/** A summary by the model costs a request and a new prefix, so between two of them notes are made by rules. */
const stepsBetween = 20;
/** Each cut message keeps at least this many characters. */
const leastCut = 200;

export async function makeRoom(
  agent: Agent,
  conversation: Conversation,
  prefix: Prefix,
  signal: AbortSignal,
  { isRefused = false } = {},
): Promise<void> {
  const limit = agent.model.contextTokens * fullShare;
  const size = (): number => conversation.tokensWith(prefix.tokens);
  if (size() <= limit) return;
  const isEnough = (): boolean =>
    size() <= prefix.tokens + (limit - prefix.tokens) * (keptShare + summaryShare);
  await compact(agent, conversation, signal, { prefix, isForced: false, isRefused, isEnough });
  if (size() <= limit) return;
  const lastSeq = conversation.entries.at(-1)?.seq;
  if (lastSeq === undefined) return;
  const event = { ...compacted(agent, conversation), through: lastSeq, by: 'rules' as const };
  let maxChars = Math.floor(agent.model.contextTokens);
  while (maxChars > leastCut && prefix.tokens + conversation.tokensIfCutTo(maxChars) > limit)
    maxChars = Math.floor(maxChars / 2);
  await recordEvents(agent, conversation, { ...event, most: maxChars });
  // A reply must be sent back unchanged, however long it is: then only a summary is left.
  if (size() > limit && conversation.open.length === 0)
    await recordEvents(agent, conversation, {
      ...event,
      summary: await notesOn(agent, conversation, prefix, lastSeq),
    });
}

type Options = { prefix: Prefix; isForced: boolean; isRefused?: boolean; isEnough?: () => boolean };

/**
 * `isForced`: the user asked for compaction, so the conversation is summarized whatever its size. `isRefused`: the model has just refused
 * a request of about this size and is not asked for a summary.
 */
export async function compact(
  agent: Agent,
  conversation: Conversation,
  signal: AbortSignal,
  { prefix, isForced, isRefused = false, isEnough }: Options,
): Promise<boolean> {
  const lastSeq = cutPoint(conversation, tokensForMessages(agent, prefix) * keptShare);
  if (lastSeq === undefined) return false;
  const event = { ...compacted(agent, conversation), through: lastSeq };
  if (!isForced) {
    // In a small window one line of each old result must do: the result can be read again.
    const results = Math.min(1000, Math.floor(tokensForMessages(agent, prefix) / 30));
    await recordEvents(agent, conversation, { ...event, results, by: 'rules' });
    if (isEnough?.()) return true;
  }
  const isDue = !isRefused && (isForced || conversation.stepsSinceSummary >= stepsBetween);
  const older = isDue ? messagesThrough(conversation, lastSeq) : [];
  const notes = isDue ? await summarize(agent, older, prefix, signal) : undefined;
  const summary = await notesOn(agent, conversation, prefix, lastSeq, notes);
  await recordEvents(agent, conversation, { ...event, summary, by: notes === undefined ? 'rules' : 'model' });
  return true;
}

async function notesOn(
  agent: Agent,
  conversation: Conversation,
  prefix: Prefix,
  lastSeq: number,
  byModel?: string,
): Promise<string> {
  const tokens = tokensForMessages(agent, prefix) * summaryShare;
  const facts = keptFacts(await agent.log.read(), {
    agent: agent.id,
    through: lastSeq,
    todos: await agent.host.todos(),
    tokens: tokens * factsShare,
  });
  const proseTokens = Math.max(tokens * (1 - factsShare), 64);
  const notes =
    byModel === undefined
      ? notesByRules(messagesThrough(conversation, lastSeq), proseTokens)
      : headWithin(proseOf(byModel), proseTokens);
  return `${summaryMark}${notes}${facts}`;
}

function messagesThrough({ entries }: Conversation, lastSeq: number): ModelMessage[] {
  return entries.filter(({ seq }) => seq <= lastSeq).map(({ message }) => message);
}

/** Tokens available for the conversation. */
function tokensForMessages({ model }: Agent, { tokens }: Prefix): number {
  const limit = model.contextTokens * fullShare;
  return Math.max(limit - tokens, limit * 0.1);
}

function compacted(agent: Agent, conversation: Conversation) {
  return { type: 'context.compacted', turn: Math.max(1, conversation.turn), ...agentField(agent) } as const;
}

/** The newest groups that fit stay; the newest one always stays. A group is a user's message, or a reply with its results. */
function cutPoint(conversation: Conversation, keptTokens: number): number | undefined {
  const { entries } = conversation;
  let tokens = 0;
  let lastSeq: number | undefined;
  for (let at = entries.length - 1; at > 0; at--) {
    const entry = entries[at];
    const before = entries[at - 1];
    if (entry === undefined || before === undefined) break;
    tokens += tokensOf(entry.message);
    if (tokens > keptTokens && lastSeq !== undefined) break;
    if (entry.message.role !== 'tool' && before.seq < entry.seq) lastSeq = before.seq;
  }
  return lastSeq;
}

/**
 * Asks the model for notes on the older part of a conversation. The request has the same system text, tools and messages as every other,
 * so that the provider has most of it in its cache.
 */
const instruction: ModelMessage = {
  role: 'user',
  text: `The conversation so far no longer fits. Write the notes an engineer needs to go on with this work without it.
Answer in plain text under these headings: Goal, Instructions, Accomplished, Risks, Next, Files. Keep every fact that is still needed:
paths, names, commands, numbers, decisions, what the user asked for and refused. Call no tools. Be brief.`,
};

/** Share of the window for the request: the rest is for the notes. */
const askedShare = 0.85;

/** Undefined when the model returns none: then notes are made by rules. */
async function summarize(
  agent: Agent,
  older: readonly ModelMessage[],
  { system, tools, tokens }: Pick<ModelRequest, 'system' | 'tools'> & { tokens: number },
  signal: AbortSignal,
): Promise<string | undefined> {
  const tokensLeft = agent.model.contextTokens * askedShare - tokens - 200;
  try {
    const messages = [...cutToFit(older, tokensLeft), instruction];
    const request = { system, tools, messages, cacheKey: agent.log.session };
    const reply = await lastReply(agent, request, signal);
    // The reply is not part of the conversation, but its tokens are paid for.
    agent.emit({ type: 'reply', reply: { ...reply, text: '', calls: [] } });
    return reply.text.trim() === '' ? undefined : reply.text.trim();
  } catch (error) {
    if (signal.aborted) throw error;
    // A model that cannot summarize must not end the turn.
    return undefined;
  }
}

async function lastReply({ model }: Agent, request: ModelRequest, signal: AbortSignal): Promise<Reply> {
  for await (const event of model.stream(request, signal)) if (event.type === 'reply') return event.reply;
  throw new ToolError('LLM_ERROR', 'No summary came.');
}
