// Makes room when the window fills: old results are cut short first, then the older part of the conversation becomes a summary.
// The log keeps everything; a call is never torn from its result.
import { type Reply, ToolError } from '@codelab/protocol';
import type { Agent } from './agent.ts';
import type { Conversation } from './conversation.ts';
import type { ModelMessage } from './model.ts';
import { summarizeByRules } from './summarize-by-rules.ts';

/** From this share of the window on room is made. */
const fullShare = 0.8;
/** What stays as it is: this share of the window, from the end. */
const keptShare = 0.3;
const minKept = 4;

const summaryMark = '[COMPACTION_SUMMARY]';

const summaryPrompt = `You write the notes an engineer needs to go on with this work without the conversation so far.
Answer in plain text under these headings: Goal, Instructions, Accomplished, Risks, Next, Files.
Keep every fact that is still needed: paths, names, commands, numbers, decisions, what the user asked for and refused. Call no tools.`;

export async function compactWhenFull(
  agent: Agent,
  talk: Conversation,
  system: string,
  signal: AbortSignal,
): Promise<void> {
  const room = agent.model.contextTokens * fullShare;
  const size = (): number => talk.tokensWith(system);
  if (size() <= room) return;
  await compact(agent, talk, signal, { isForced: false, isEnough: () => size() <= room * keptShare * 2 });
}

/** `isForced`: the user asked for it, so it is summed up whatever there is. */
export async function compact(
  agent: Agent,
  talk: Conversation,
  signal: AbortSignal,
  { isForced, isEnough }: { isForced: boolean; isEnough?: () => boolean },
): Promise<boolean> {
  const through = cutPoint(talk, agent.model.contextTokens * keptShare);
  if (through === undefined) return false;
  const own = agent.id === undefined ? {} : { agent: agent.id };
  const said = { type: 'context.compacted', turn: Math.max(1, talk.turn), ...own, through } as const;
  if (!isForced) {
    await record(agent, talk, { ...said, by: 'rules' });
    if (isEnough?.()) return true;
  }
  const older = talk.entries.filter(({ seq }) => seq <= through).map(({ message }) => message);
  const { text, by } = await summarize(agent, older, signal);
  await record(agent, talk, { ...said, summary: `${summaryMark}\n${text}`, by });
  return true;
}

// Just before a message that begins something: what a user said, or a reply, whose results come after it.
function cutPoint(talk: Conversation, keptTokens: number): number | undefined {
  const { entries } = talk;
  let chars = 0;
  let through: number | undefined;
  for (let at = entries.length - 1; at > 0; at--) {
    const entry = entries[at];
    const before = entries[at - 1];
    if (entry === undefined || before === undefined) break;
    chars += JSON.stringify(entry.message).length;
    const isKept = entries.length - at < minKept || chars / 3 <= keptTokens;
    if (entry.message.role !== 'tool' && before.seq < entry.seq) {
      through = before.seq;
      if (!isKept) break;
    }
  }
  return through;
}

async function summarize(
  agent: Agent,
  older: readonly ModelMessage[],
  signal: AbortSignal,
): Promise<{ text: string; by: 'model' | 'rules' }> {
  const ask: ModelMessage = { role: 'user', text: 'Write the notes now.' };
  try {
    const reply = await lastReply(agent, [...older, ask], signal);
    // Not part of the conversation, but it is paid for.
    agent.emit({ type: 'reply', reply: { ...reply, text: '', calls: [] } });
    if (reply.text.trim() !== '') return { text: reply.text.trim(), by: 'model' };
  } catch (error) {
    if (signal.aborted) throw error;
    // A model that can't do this must not end the work.
  }
  return { text: summarizeByRules(older), by: 'rules' };
}

async function lastReply(agent: Agent, messages: ModelMessage[], signal: AbortSignal): Promise<Reply> {
  for await (const event of agent.model.stream({ system: summaryPrompt, messages, tools: [] }, signal))
    if (event.type === 'reply') return event.reply;
  throw new ToolError('LLM_ERROR', 'No summary came.');
}

async function record(
  agent: Agent,
  talk: Conversation,
  body: Parameters<Agent['log']['record']>[0][number],
): Promise<void> {
  for (const event of await agent.log.record([body])) talk.apply(event);
}
