// Makes room when the window fills: old results are cut short first, then the older part of the conversation becomes a summary.
// The log keeps everything; a call is never torn from its result.
import { type Reply, ToolError } from '@codelab/protocol';
import type { Agent } from './agent.ts';
import { type Conversation, isNote } from './conversation.ts';
import { cutToFit, tokensOf } from './cut-message.ts';
import { cutText } from './cut-text.ts';
import type { ModelMessage } from './model.ts';
import { from, record } from './record.ts';
import { summarizeByRules } from './summarize-by-rules.ts';

/** From this share of the window on room is made. */
const fullShare = 0.8;
/** What stays as it is: this share of the window, from the end. */
const keptShare = 0.3;

const summaryMark = '[COMPACTION_SUMMARY]';

const summaryPrompt = `You write the notes an engineer needs to go on with this work without the conversation so far.
Answer in plain text under these headings: Goal, Instructions, Accomplished, Risks, Next, Files.
Keep every fact that is still needed: paths, names, commands, numbers, decisions, what the user asked for and refused. Call no tools.`;

/** Nothing is sent that does not fit: what is older is summed up, and when the rest alone is too much, its long parts are cut. */
export async function makeRoom(
  agent: Agent,
  talk: Conversation,
  fixedTokens: number,
  signal: AbortSignal,
): Promise<void> {
  const room = agent.model.contextTokens * fullShare;
  const size = (): number => talk.tokensWith(fixedTokens);
  if (size() <= room) return;
  await compact(agent, talk, signal, { isForced: false, isEnough: () => size() <= room * keptShare * 2 });
  if (size() <= room) return;
  const through = talk.entries.at(-1)?.seq;
  if (through === undefined) return;
  let most = Math.floor(agent.model.contextTokens);
  while (most > leastCut && fixedTokens + talk.tokensIfCutTo(most) > room) most = Math.floor(most / 2);
  await record(agent, talk, { ...compacted(agent, talk), through, most, by: 'rules' });
}

/** Of a message that is cut, at least so many characters stay. */
const leastCut = 400;

/** `isForced`: the user asked for it, so it is summed up whatever there is. */
export async function compact(
  agent: Agent,
  talk: Conversation,
  signal: AbortSignal,
  { isForced, isEnough }: { isForced: boolean; isEnough?: () => boolean },
): Promise<boolean> {
  const through = cutPoint(talk, agent.model.contextTokens * keptShare);
  if (through === undefined) return false;
  const said = { ...compacted(agent, talk), through };
  if (!isForced) {
    await record(agent, talk, { ...said, by: 'rules' });
    if (isEnough?.()) return true;
  }
  const older = talk.entries.filter(({ seq }) => seq <= through).map(({ message }) => message);
  const { text, by } = await summarize(agent, older, signal);
  const words = userWords(older, agent.model.contextTokens);
  await record(agent, talk, { ...said, summary: `${summaryMark}\n${text}${words}`, by });
  return true;
}

function compacted(agent: Agent, talk: Conversation) {
  return { type: 'context.compacted', turn: Math.max(1, talk.turn), ...from(agent) } as const;
}

/** The newest groups that fit stay; the newest of all stays in any case. A group is what a user said, or a reply with its results. */
function cutPoint(talk: Conversation, keptTokens: number): number | undefined {
  const { entries } = talk;
  let tokens = 0;
  let through: number | undefined;
  for (let at = entries.length - 1; at > 0; at--) {
    const entry = entries[at];
    const before = entries[at - 1];
    if (entry === undefined || before === undefined) break;
    tokens += tokensOf(entry.message);
    if (tokens > keptTokens && through !== undefined) break;
    if (entry.message.role !== 'tool' && before.seq < entry.seq) through = before.seq;
  }
  return through;
}

/** Of what is summed up, what a request for it may have. */
const summedShare = 0.7;

const wordsMark = '\n\n=== What the user said, word for word ===\n';
const wordsRule = '\n---\n';
/** Of the window, in characters: requirements are short, pasted logs are not. */
const wordsShare = 0.3;
const maxWords = 4000;

/** A summary may forget what the user asked for; so their own words are kept beside it, through every later summary. */
function userWords(older: readonly ModelMessage[], contextTokens: number): string {
  const said = older.flatMap((message) => {
    if (message.role !== 'user' || isNote(message.text)) return [];
    if (!message.text.startsWith(summaryMark)) return [cutText(message.text, maxWords)];
    const [, earlier] = message.text.split(wordsMark);
    return earlier === undefined ? [] : earlier.split(wordsRule);
  });
  const kept: string[] = [];
  let room = contextTokens * wordsShare;
  // The first words say what it is all about; of the others the latest count.
  for (const text of [...said.slice(0, 1), ...said.slice(1).reverse()]) {
    if (text.length > room) continue;
    room -= text.length;
    kept.push(text);
  }
  const inOrder = said.filter((text) => kept.includes(text));
  return inOrder.length === 0 ? '' : wordsMark + inOrder.join(wordsRule);
}

async function summarize(
  agent: Agent,
  older: readonly ModelMessage[],
  signal: AbortSignal,
): Promise<{ text: string; by: 'model' | 'rules' }> {
  const ask: ModelMessage = { role: 'user', text: 'Write the notes now.' };
  const fitting = cutToFit(older, agent.model.contextTokens * summedShare);
  try {
    const reply = await lastReply(agent, [...fitting, ask], signal);
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
