// The chat without a screen: each line of standard input is a turn, a command or a `!command`; answers go to standard output.
import { createInterface } from 'node:readline';
import { isatty } from 'node:tty';
import { type AgentSignal, visible, visibleLine } from '@codelab/protocol';
import type { ComposeOptions } from '@codelab/server';
import { approvalHandler } from '../approval/approval-handler.ts';
import { createApprovalLine } from '../approval/approval-line.ts';
import { createInterruption, writeText } from '../command-line/process.ts';
import { paintFor } from '../output/paint.ts';
import { textOutput } from '../run/output.ts';
import { openTerminalChat, type TerminalChat } from './chat.ts';
import { runChatLine } from './run-chat-line.ts';

const columns = 100;
const noInput =
  'No input. In a terminal, codelab opens a chat; otherwise each line of standard input is a turn. See codelab --help.';

export async function runPlainChat({ approve = 'never', ...options }: ChatStartOptions): Promise<number> {
  using interruption = createInterruption();
  const { signal } = interruption;
  const output = textOutput();
  const note = (text: string): void => writeText(2, `${visibleLine(text)}\n`);
  let hasFailed = false;
  let hasRead = false;
  const chatOf = (): TerminalChat => chat;
  const questions = createApprovalLine({
    async ask(approvals) {
      const answer = approvalHandler({ host: chatOf().host, how: approve, isOneOff: false, interruption });
      await answer(approvals, signal).catch((error: unknown) => interruption.fail(error));
    },
  });
  const showSignal = (agentSignal: AgentSignal): void => {
    output.show(agentSignal);
    if (agentSignal.type === 'outcome' && agentSignal.call.id.startsWith('own_'))
      writeText(1, `${visible(agentSignal.text)}\n`);
    if (agentSignal.type === 'ended') hasFailed = agentSignal.end !== 'completed';
    if (agentSignal.type === 'ended' && agentSignal.message !== undefined) note(agentSignal.message);
    if (agentSignal.type === 'approval') questions.add(agentSignal.approval);
    if (agentSignal.type === 'decided') questions.settle(agentSignal.approvalId);
  };
  await using chat = await openTerminalChat({
    ...options,
    listen: showSignal,
    onPlan: () => undefined,
    onProblem: note,
  });
  const print = (lines: readonly string[]): void => writeText(1, lines.map((line) => `${line}\n`).join(''));
  if (chat.conversation.isTurnOpen) await chat.finish(signal);
  const doing = { chat, paint: paintFor(1), columns, signal, isTyped: isatty(0), print, showSignal };
  for await (const line of createInterface({ input: process.stdin, signal })) {
    if (line.trim() === '') continue;
    hasRead = true;
    try {
      const { isLeaving } = await runChatLine(line.trim(), doing);
      if (!line.startsWith('/') && !line.startsWith('!')) writeText(1, '\n');
      if (isLeaving) break;
    } catch (error) {
      hasFailed = true;
      note(error instanceof Error ? error.message : String(error));
    }
    if (signal.aborted) break;
  }
  if (interruption.happened) return 130;
  if (!hasRead) print([noInput]);
  return hasFailed ? 1 : 0;
}

/** The settings that a chat starts with. */
export type ChatStartOptions = {
  places: ComposeOptions;
  session: string;
  /** The session has no turn yet. */
  isNew: boolean;
  model: string | undefined;
  effort?: string | undefined;
  profile: string | undefined;
  /** `ask`, `never` or `all`; undefined chooses by the terminal. */
  approve: string | undefined;
};
