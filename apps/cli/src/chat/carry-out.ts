// What was typed, carried out: `!` runs a command, `/` is a command of the chat, everything else is a turn.
import type { AgentSignal } from '@codelab/protocol';
import type { CommandContext } from './commands/chat-command.ts';
import { runChatCommand } from './commands/chat-commands.ts';
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
  const { lines, next } = await runChatCommand(text, doing);
  print(lines);
  if (next === 'finish') await chat.finish(signal);
  return { isLeaving: next === 'leave' };
}
