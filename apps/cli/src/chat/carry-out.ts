// What was typed, carried out: `!` runs a command, `/` is a command of the chat or of one's own, everything else is a turn.
import { type AgentSignal, visibleLine } from '@codelab/protocol';
import type { CommandTurn } from '../run/own-command.ts';
import type { Chat } from './chat.ts';
import type { CommandContext } from './commands/chat-command.ts';
import { findChatCommand, runChatCommand } from './commands/chat-commands.ts';
import { runOwnLine } from './run-own-line.ts';

type Doing = CommandContext & { print(lines: readonly string[]): void; tell(signal: AgentSignal): void };

/** Whether the human wants to leave. */
export async function carryOut(text: string, doing: Doing): Promise<{ isLeaving: boolean }> {
  const { chat, signal, print, tell } = doing;
  if (text.startsWith('!')) {
    const command = text.slice(1).trim();
    if (command !== '') await runOwnLine(chat, command, { signal, tell });
    return { isLeaving: false };
  }
  if (!text.startsWith('/')) {
    await chat.ask(text, signal);
    return { isLeaving: false };
  }
  const own = await findOwnTurn(text, chat);
  if (own !== undefined) {
    if (own.notice !== undefined) print([`  ${visibleLine(own.notice)}`]);
    await askOwn(chat, own, signal);
    return { isLeaving: false };
  }
  const { lines, next, ask } = await runChatCommand(text, doing);
  print(lines);
  if (ask !== undefined) await chat.ask(ask, signal);
  if (next === 'finish') await chat.finish(signal);
  return { isLeaving: next === 'leave' };
}

/** A command of one's own; those of the chat come first. */
async function findOwnTurn(text: string, { host, mode, agent }: Chat): Promise<CommandTurn | undefined> {
  if (findChatCommand(text) !== undefined) return undefined;
  const { readOwnCommand } = await import('../run/own-command.ts');
  const profile = agent.profile.name;
  return await readOwnCommand(text, { home: host.home, root: host.workspace.root.real, mode, profile });
}

/** What it says about model, role and mode holds for its own turn. */
async function askOwn(
  chat: Chat,
  { text, notice: _, ...wanted }: CommandTurn,
  signal: AbortSignal,
): Promise<void> {
  if (Object.keys(wanted).length === 0) return void (await chat.ask(text, signal));
  const before = { model: chat.agent.model.name, profile: chat.agent.profile.name, mode: chat.mode };
  await chat.change(wanted);
  try {
    await chat.ask(text, signal);
  } finally {
    await chat.change(before);
  }
}
