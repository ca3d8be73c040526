// Runs a line: `!` runs a command, `/` is a command of the chat or one of the user's own, anything else is a turn.
import { type AgentSignal, visibleLine } from '@codelab/protocol';
import type { CommandTurn } from '../run/own-command.ts';
import { branchOff } from './branch.ts';
import type { TerminalChat } from './chat.ts';
import type { CommandContext, CommandResult } from './commands/chat-command.ts';
import { findChatCommand, runChatCommand } from './commands/chat-commands.ts';
import { recapLines } from './recap-lines.ts';
import { runShellLine, runUnsandboxed } from './run-shell-line.ts';
import { stepFacts } from './steps/step-facts.ts';

type Doing = CommandContext & {
  /** A person typed the line at this terminal. */
  isTyped: boolean;
  print(lines: readonly string[]): void;
  showSignal(signal: AgentSignal): void;
  /** Puts an earlier message into the input, to be sent again on a branch. */
  edit?(request: NonNullable<CommandResult['edit']>): void;
};

/** Whether the user wants to leave. */
export async function runChatLine(text: string, doing: Doing): Promise<{ isLeaving: boolean }> {
  const { chat, signal, isTyped, print, showSignal } = doing;
  if (text.startsWith('!')) {
    const command = text.slice(1).trim();
    if (command === '!') {
      const none = '  No command of this session failed because of the sandbox.';
      if (!(await runUnsandboxed(chat, { signal, isTyped, showSignal }))) print([none]);
    } else if (command !== '') await runShellLine(chat, command, { signal, isTyped, showSignal });
    return { isLeaving: false };
  }
  if (!text.startsWith('/')) {
    await chat.ask(text, signal);
    return { isLeaving: false };
  }
  const ownTurn = await findOwnTurn(text, chat);
  if (ownTurn !== undefined) {
    if (ownTurn.notice !== undefined) print([`  ${visibleLine(ownTurn.notice)}`]);
    await askOwn(chat, ownTurn, signal);
    return { isLeaving: false };
  }
  const result = await runChatCommand(text, doing);
  print(result.lines);
  await followUp(result, doing);
  return { isLeaving: result.next === 'leave' };
}

/** Runs what a command asks for after its answer. */
async function followUp({ next, ask, branch, edit, resume }: CommandResult, doing: Doing): Promise<void> {
  const { chat, signal, print } = doing;
  if (branch !== undefined) print([doing.paint('dim', await branchOff(chat, branch, signal)), '']);
  if (ask !== undefined) await chat.ask(ask, signal);
  if (edit !== undefined) doing.edit?.(edit);
  if (resume !== undefined) {
    await chat.change({ session: resume });
    print(recapLines(await chat.agent.log.read(), { ...doing, ...stepFacts(chat) }));
    if (chat.conversation.isTurnOpen) await chat.finish(signal);
  }
  if (next === 'finish') await chat.finish(signal);
  if (next === 'goOn') await chat.start({ text: '', again: true }, signal);
}

/** A command of the user's own; the commands of the chat come first. */
async function findOwnTurn(
  text: string,
  { host, mode, agent }: TerminalChat,
): Promise<CommandTurn | undefined> {
  if (findChatCommand(text) !== undefined) return undefined;
  const { readOwnCommand } = await import('../run/own-command.ts');
  const profile = agent.profile.name;
  return await readOwnCommand(text, { home: host.home, root: host.workspace.root.real, mode, profile });
}

/** The model, role and mode that the command names apply to its own turn only. */
async function askOwn(
  chat: TerminalChat,
  { text, notice: _, ...change }: CommandTurn,
  signal: AbortSignal,
): Promise<void> {
  if (Object.keys(change).length === 0) return void (await chat.ask(text, signal));
  const before = { model: chat.agent.model.name, profile: chat.agent.profile.name, mode: chat.mode };
  await chat.change(change);
  try {
    await chat.ask(text, signal);
  } finally {
    await chat.change(before);
  }
}
