// The chat without a screen: every line of standard input is a turn, a command or a `!command`; answers go to standard output.
import { createInterface } from 'node:readline';
import { type AgentSignal, visible, visibleLine } from '@codelab/protocol';
import { chooseAnswer } from '../approval/choose-answer.ts';
import { paintFor } from '../output/paint.ts';
import { writeText } from '../output/write-text.ts';
import { textOutput } from '../run/text-output.ts';
import { createInterruption } from '../tool-call/interruption.ts';
import { carryOut } from './carry-out.ts';
import { type Chat, openChat } from './chat.ts';
import type { StartOptions } from './start-options.ts';

const columns = 100;

export async function runPlainChat({ approve = 'never', ...options }: StartOptions): Promise<number> {
  using interruption = createInterruption();
  const { signal } = interruption;
  const output = textOutput();
  const note = (text: string): void => writeText(2, `${visibleLine(text)}\n`);
  let hasFailed = false;
  let hasRead = false;
  const chatOf = (): Chat => chat;
  const tell = (one: AgentSignal): void => {
    output.show(one);
    if (one.type === 'outcome' && one.call.id.startsWith('own_')) writeText(1, `${visible(one.text)}\n`);
    if (one.type === 'ended') hasFailed = one.end !== 'completed';
    if (one.type === 'ended' && one.message !== undefined) note(one.message);
    if (one.type !== 'approval') return;
    const answer = chooseAnswer({ host: chatOf().host, how: approve, isOneOff: false, interruption });
    answer(one.approval, signal).catch((error: unknown) => interruption.fail(error));
  };
  await using chat = await openChat({ ...options, listen: tell, onPlan: () => undefined, onProblem: note });
  const print = (lines: readonly string[]): void => writeText(1, lines.map((line) => `${line}\n`).join(''));
  if (chat.talk.isTurnOpen) await chat.finish(signal);
  const doing = { chat, paint: paintFor(1), columns, signal, print, tell };
  for await (const line of createInterface({ input: process.stdin, signal })) {
    if (line.trim() === '') continue;
    hasRead = true;
    try {
      const { isLeaving } = await carryOut(line.trim(), doing);
      if (!line.startsWith('/') && !line.startsWith('!')) writeText(1, '\n');
      if (isLeaving) break;
    } catch (error) {
      hasFailed = true;
      note(error instanceof Error ? error.message : String(error));
    }
    if (signal.aborted) break;
  }
  if (interruption.happened) return 130;
  if (!hasRead)
    print([
      'Nothing came in. At a terminal this is a chat; elsewhere every line is a turn. More: codelab --help',
    ]);
  return hasFailed ? 1 : 0;
}
