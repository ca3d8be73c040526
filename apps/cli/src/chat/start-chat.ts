// `codelab` alone: the chat on a screen where there is one, in plain lines elsewhere.
import '../shared.ts';
import { basename } from 'node:path';
import { type AgentSignal, visibleLine } from '@codelab/protocol';
import { ensureFolder } from '@codelab/runtime';
import { version } from '../build-output.ts';
import { realRoot } from '../command-line/define-command.ts';
import { askInstructionTrust } from '../instructions/trust-question.ts';
import { askMode } from '../mode/first-start.ts';
import { modeHints, unheldNote } from '../mode/mode-words.ts';
import { wrapText } from '../output/text-width.ts';
import { openTty, type Tty } from '../terminal/open-terminal.ts';
import { openTerminalChat, type TerminalChat } from './chat.ts';
import { openHistory } from './input/history.ts';
import { openUnsentStore } from './input/unsent.ts';
import { loadCodeColours } from './markdown/code-colours.ts';
import { workspaceLinks } from './markdown/path-links.ts';
import { type ChatStartOptions, runPlainChat } from './plain-chat.ts';
import { recapLines } from './recap-lines.ts';
import { type Attention, openAttention } from './screen/attention.ts';
import { guardTerminal } from './screen/screen.ts';
import { ScreenChat, type ScreenChatOptions } from './screen/screen-chat.ts';
import { stepFacts } from './steps/step-facts.ts';

/** The exit code. */
export async function startChat(options: ChatStartOptions): Promise<number> {
  // A terminal that can't move its cursor gets plain lines.
  const isDumb = process.env.TERM === 'dumb';
  using terminal = isDumb ? undefined : openTty({ isInsisted: false, output: 1 });
  return terminal === undefined ? await runPlainChat(options) : await runOnScreen(terminal, options);
}

async function runOnScreen(terminal: Tty, { approve, ...options }: ChatStartOptions): Promise<number> {
  const { home } = options.places;
  const root = realRoot(options.places.workspace);
  ensureFolder(home);
  await askInstructionTrust(terminal, options.places);
  // A resumed session keeps its mode.
  if (options.isNew) await askMode(terminal, options.places);
  let wasEnded = false;
  let currentAttention: Attention | undefined;
  const attentionOf = (): Attention | undefined => currentAttention;
  const chatOf = (): TerminalChat => chat;
  const screen = new ScreenChat({
    terminal,
    history: openHistory(home),
    unsent: openUnsentStore(home, root),
    linkOf: workspaceLinks(root, process.env),
    answer: answerApprovals(terminal, approve, chatOf),
  });
  await using chat = await openTerminalChat({
    ...options,
    isAttended: approve !== 'all' && approve !== 'never',
    listen(signal: AgentSignal) {
      attentionOf()?.hear(signal);
      screen.listen(signal);
    },
    onPlan: (callId, plan) => screen.plan(callId, plan),
    async afterTurn(turn) {
      const { turnChanges } = await import('./review-turn.ts');
      await screen.summarize(() => turnChanges(chatOf(), turn));
    },
    onSteered: (text) => screen.steered(text),
    onQueue: () => screen.refresh(),
    onProblem: (problem) => screen.problem(problem),
  });
  using _guard = guardTerminal(terminal, () => {
    wasEnded = true;
    screen.leave();
  });
  using attention = openAttention(terminal, {
    isOn: chat.notifies,
    name: basename(chat.host.workspace.root.real),
  });
  currentAttention = attention;
  await screen.run(chat, await firstLines(chat, terminal));
  if (chat.conversation.turn > 0)
    terminal.output.write(terminal.paint('dim', `Resume with: codelab --session ${chat.session}\n`));
  return wasEnded ? 130 : 0;
}

/** Answers approvals by the --approve option, or by asking the user at the terminal. */
function answerApprovals(
  terminal: Tty,
  approve: ChatStartOptions['approve'],
  chat: () => TerminalChat,
): ScreenChatOptions['answer'] {
  return async (approvals, place) => {
    const { host } = chat();
    if (approve === 'all' || approve === 'never') {
      const { answerUnattended } = await import('../approval/approval-handler.ts');
      return await answerUnattended(host, approvals, approve);
    }
    const { promptApprovals } = await import('../approval/prompt-approval.ts');
    await promptApprovals({ ...place, host, terminal, isOneOff: false }, approvals);
  };
}

async function firstLines(chat: TerminalChat, terminal: Tty): Promise<string[]> {
  const { paint } = terminal;
  const notes = (texts: readonly string[]): string[] => texts.map((note) => paint('yellow', `  ${note}`));
  const recap = await recapOf(chat, terminal);
  const unheld = notes(await unheldNote(chat.host, chat.mode));
  return [...greeting(chat, terminal), ...unheld, ...recap, ...notes(await unsent(chat))];
}

async function recapOf(chat: TerminalChat, { paint, size }: Tty): Promise<string[]> {
  if (chat.conversation.turn > 0) await loadCodeColours();
  const columns = size().columns - 1;
  return recapLines(await chat.agent.log.read(), { paint, columns, ...stepFacts(chat) });
}

/** Unsent comments of a review in this session. */
async function unsent(chat: TerminalChat): Promise<string[]> {
  return chat.conversation.turn === 0 ? [] : (await import('./review-turn.ts')).unsentComments(chat);
}

function greeting({ host, agent, mode }: TerminalChat, { paint, size }: Tty): string[] {
  const modelText = agent.model.name === 'demo' ? 'demo model: a script, no AI' : agent.model.name;
  return [
    `${paint(['bold', 'cyan'], 'CodeLab')} ${version()} ${paint('dim', `· ${visibleLine(modelText)} · ${visibleLine(host.workspace.root.real)}`)}`,
    ...wrapText(
      `Mode ${mode}: ${modeHints[mode]} · Shift-Tab switches · /help for more`,
      size().columns - 1,
    ).map((line) => paint('dim', line.trimEnd())),
  ];
}
