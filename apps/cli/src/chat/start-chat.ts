// `codelab` alone: the chat on the screen where there is one, in plain lines where there is none.
import '../shared.ts';
import { mkdirSync } from 'node:fs';
import { type AgentSignal, visibleLine } from '@codelab/protocol';
import { askInstructionTrust } from '../instructions/trust-question.ts';
import type { Paint } from '../output/paint.ts';
import { openTerminal, type Terminal } from '../terminal/open-terminal.ts';
import { version } from '../version.ts';
import { type Chat, openChat } from './chat.ts';
import { modeMeanings } from './commands/setting.ts';
import { openHistory } from './input/history.ts';
import { runPlainChat } from './plain-chat.ts';
import { recapLines } from './recap-lines.ts';
import { ScreenChat } from './screen/screen-chat.ts';
import { guardTerminal } from './screen/terminal-guard.ts';
import type { StartOptions } from './start-options.ts';

/** The exit code. */
export async function startChat(options: StartOptions): Promise<number> {
  // A terminal that can't move its cursor is written to line by line.
  const isDumb = process.env.TERM === 'dumb';
  using terminal = isDumb ? undefined : openTerminal({ isInsisted: false, output: 1 });
  return terminal === undefined ? await runPlainChat(options) : await runOnScreen(terminal, options);
}

async function runOnScreen(terminal: Terminal, { approve, ...options }: StartOptions): Promise<number> {
  const { home } = options.places;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  await askInstructionTrust(terminal, options.places);
  let wasEnded = false;
  const chatOf = (): Chat => chat;
  const screen = new ScreenChat({
    terminal,
    history: openHistory(home),
    async answer(approval, signal, interrupt) {
      const { host } = chatOf();
      if (approve === 'all')
        return (await import('../approval/answer-unattended.ts')).answerAll(host, approval);
      if (approve === 'never')
        return (await import('../approval/answer-unattended.ts')).answerNever(host, approval);
      const { askHuman } = await import('../approval/ask-human.ts');
      await askHuman({ host, approval, terminal, signal, isOneOff: false, interrupt });
    },
  });
  await using chat = await openChat({
    ...options,
    listen: (signal: AgentSignal) => screen.listen(signal),
    onPlan: (callId, plan) => screen.plan(callId, plan),
    onProblem: (problem) => screen.problem(problem),
  });
  using _guard = guardTerminal(terminal, () => {
    wasEnded = true;
    screen.leave();
  });
  const { paint } = terminal;
  const { columns } = terminal.size();
  const recap = recapLines(await chat.agent.log.read(), { paint, columns: columns - 1 });
  await screen.run(chat, [...greeting(chat, paint), ...recap]);
  if (chat.talk.turn > 0)
    terminal.output.write(paint('dim', `Go on with: codelab --session ${chat.session}\n`));
  return wasEnded ? 130 : 0;
}

function greeting({ host, agent, mode }: Chat, paint: Paint): string[] {
  const what = agent.model.name === 'demo' ? 'demo model: a script, no AI' : agent.model.name;
  return [
    `${paint(['bold', 'cyan'], 'CodeLab')} ${version()} ${paint('dim', `· ${visibleLine(what)} · ${visibleLine(host.workspace.root.real)}`)}`,
    paint('dim', `Mode ${mode}: ${modeMeanings[mode]}. /help tells more.`),
  ];
}
